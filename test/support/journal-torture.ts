/** Cuts and flips a journal in every way that is asked for, and counts what a reader makes of it. */
import type { JournalRecord } from '../../src/model/journal-record.js';
import { type Random, seededRandom } from '../../src/model/random.js';
import { JournalDamaged } from '../../src/storage/journal/journal-errors.js';
import { encodeJournalRecord } from '../../src/storage/journal/journal-encoder.js';
import { type LinePlace, scanSegment } from '../../src/storage/journal/journal-segment.js';
import { readJournal } from '../../src/storage/journal/journal-reader.js';
import { journalDesk, orderRecord } from './journals.js';

export interface TortureOptions {
  readonly seed: number;
  /** Size of the journal, at least. */
  readonly bytes: number;
  /** Every byte of so many at the end is a place to cut; every record boundary ± 1 is one anyway. */
  readonly cutEndBytes: number;
  readonly flips: number;
  /** Of the cuts and flips, every so-maniest is read as files, by the reader that a bot starts with; cuts are reopened. */
  readonly reopenEvery: number;
}

export interface TortureCounts {
  readonly journalBytes: number;
  readonly records: number;
  readonly cuts: number;
  /** Cuts with zeros, random bytes or old lines behind them. */
  readonly cutsWithGarbage: number;
  readonly reopened: number;
  readonly flips: number;
  /** Flips that were refused as damage, and those in the last record, which were cut as torn. */
  readonly refused: number;
  readonly cutAsTorn: number;
  /** What must be 0: a record that nobody wrote, one before the cut that is gone, a cut that stops the start … */
  readonly falseRecords: number;
  readonly lostRecords: number;
  readonly falseAlarms: number;
  /** … and a flip that nobody noticed. */
  readonly unnoticed: number;
}

export async function tortureJournal(options: TortureOptions): Promise<TortureCounts> {
  const bytes = await journalOf(options.bytes);
  const lines = scanSegment('journal', bytes, { sequence: 1 }).lines;
  const random = seededRandom(options.seed);
  const cuts = await tortureByCuts(bytes, lines, options, random.fork('cuts'));
  const flips = await tortureByFlips(bytes, lines, options, random.fork('flips'));
  return {
    journalBytes: bytes.length,
    records: lines.length,
    ...cuts,
    ...flips,
    reopened: cuts.reopened + flips.reopened,
    falseRecords: cuts.falseRecords + flips.falseRecords,
  };
}

async function journalOf(atLeast: number): Promise<Uint8Array> {
  const { open, segment, files } = journalDesk();
  const { journal } = await open();
  for (let index = 0; segment().length < atLeast; ) {
    // In memory each append copies the file: a hundred at a time would need another journal.
    for (const end = index + 100; index < end; index++) journal.append(orderRecord(index), 'lazy');
  }
  await journal.close();
  if (files.contents.size !== 1) throw new Error('the journal must be one segment');
  return segment();
}

async function tortureByCuts(
  bytes: Uint8Array,
  lines: readonly LinePlace[],
  { cutEndBytes, reopenEvery }: TortureOptions,
  random: Random,
) {
  const places = new Set<number>();
  for (let at = Math.max(0, bytes.length - cutEndBytes); at <= bytes.length; at++) places.add(at);
  for (const { jsonEnd } of lines) for (const at of [jsonEnd, jsonEnd + 1, jsonEnd + 2]) places.add(at);
  const counts = {
    cuts: 0,
    cutsWithGarbage: 0,
    falseRecords: 0,
    lostRecords: 0,
    falseAlarms: 0,
    reopened: 0,
  };
  for (const place of places) {
    if (place > bytes.length) continue;
    counts.cuts += 1;
    const whole = wholeBefore(lines, place);
    const from = lines[Math.max(0, whole - 2)] as LinePlace;
    for (const garbage of garbagesAt(random, bytes, from.offset)) {
      if (garbage.bytes.length > 0) counts.cutsWithGarbage += 1;
      const window = joined(bytes.subarray(from.offset, place), garbage.bytes);
      const scan = scanSegment('journal', window, { sequence: from.sequence });
      const end = scan.damages[0]?.offset ?? window.length;
      const read = scan.lines.filter(({ offset }) => offset < end);
      const expected = whole - (from.sequence - 1);
      if (read.length < expected) counts.lostRecords += 1;
      // The record that was cut may find its last bytes in the garbage: it is then a true one all the same.
      if (read.length > expected + (garbage.bytes.length > 0 ? 1 : 0)) counts.falseRecords += 1;
      counts.falseRecords += falseOnes(window, read);
      // An old line that stands exactly where a record must may be a second writer's: that is to be refused.
      if (scan.damages.length > 0 && garbage.kind !== 'old lines') counts.falseAlarms += 1;
    }
    if (counts.cuts % reopenEvery === 0) {
      counts.reopened += 1;
      const wrong = await reopen(bytes.subarray(0, place), whole);
      counts.falseRecords += wrong.falseRecords;
      counts.lostRecords += wrong.lostRecords;
    }
  }
  return counts;
}

/** A bot starts on the cut journal, goes on, and starts again. */
async function reopen(cut: Uint8Array, whole: number) {
  const { open, put, files, directory } = journalDesk();
  put(cut.slice());
  const { journal } = await open();
  const more: JournalRecord[] = [orderRecord(whole), orderRecord(whole + 1)];
  for (const record of more) journal.append(record, 'durable');
  const { records, tornTail } = await readJournal(files, directory);
  const own = records.filter(
    ({ record }) => !(record.kind === 'note' && record.text.startsWith('cut a torn tail')),
  );
  const expected = [...Array(whole).keys()].map(orderRecord).concat(more).map(encodeJournalRecord);
  const found = own.map(({ record }) => encodeJournalRecord(record));
  return {
    lostRecords: expected.filter((text, index) => found[index] !== text).length,
    falseRecords: Math.max(0, found.length - expected.length) + (tornTail === undefined ? 0 : 1),
  };
}

async function tortureByFlips(
  bytes: Uint8Array,
  lines: readonly LinePlace[],
  { flips, reopenEvery }: TortureOptions,
  random: Random,
) {
  const counts = { flips: 0, refused: 0, cutAsTorn: 0, unnoticed: 0, falseRecords: 0, reopened: 0 };
  for (; counts.flips < flips; counts.flips++) {
    // Every fourth in the last three records, where torn and damaged meet.
    const edge = (lines.at(-3) as LinePlace).offset;
    const at = random.integer(counts.flips % 4 === 0 ? edge : 0, bytes.length - 1);
    const bit = 1 << random.integer(0, 7);
    const index = wholeBefore(lines, at);
    const isLast = index === lines.length - 1;
    // Lines are read one after the other, and no state but the sequence goes from one to the next.
    const from = lines[index] as LinePlace;
    const window = bytes.slice(from.offset, lines[index + 3]?.offset ?? bytes.length);
    window[at - from.offset] = (window[at - from.offset] as number) ^ bit;
    const scan = scanSegment('journal', window, { sequence: from.sequence });
    counts.falseRecords += falseOnes(window, scan.lines);
    if (scan.damages.length > 0) counts.refused += 1;
    else if (scan.torn && isLast) counts.cutAsTorn += 1;
    else counts.unnoticed += 1;
    if (counts.flips % reopenEvery === 0) {
      counts.reopened += 1;
      const noticed = await startOn(bytes, at, bit);
      if (noticed !== (isLast ? 'torn' : 'damaged')) counts.unnoticed += 1;
    }
  }
  return counts;
}

async function startOn(bytes: Uint8Array, at: number, bit: number): Promise<'damaged' | 'torn' | 'whole'> {
  const { put, files, directory } = journalDesk();
  const flipped = bytes.slice();
  flipped[at] = (flipped[at] as number) ^ bit;
  put(flipped);
  try {
    return (await readJournal(files, directory)).tornTail === undefined ? 'whole' : 'torn';
  } catch (error) {
    if (error instanceof JournalDamaged) return 'damaged';
    throw error;
  }
}

const DECODER = new TextDecoder();
const written: string[] = [];

/** Lines that are not what was written under their sequence. */
function falseOnes(window: Uint8Array, lines: readonly LinePlace[]): number {
  let count = 0;
  for (const { sequence, json, jsonEnd } of lines) {
    const text = DECODER.decode(window.subarray(json, jsonEnd));
    written[sequence] ??= encodeJournalRecord(orderRecord(sequence - 1));
    if (text !== written[sequence]) count += 1;
  }
  return count;
}

/** How many lines end at or before this byte. */
function wholeBefore(lines: readonly LinePlace[], at: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] as LinePlace).jsonEnd + 1 <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Garbage {
  readonly kind: 'none' | 'zeros' | 'random' | 'old lines';
  readonly bytes: Uint8Array;
}

/** What may stand behind the last whole byte after a power loss: mostly nothing; zeros, anything, lines of an older file. */
function garbagesAt(random: Random, bytes: Uint8Array, before: number): readonly Garbage[] {
  const none: Garbage = { kind: 'none', bytes: new Uint8Array() };
  const length = random.integer(1, 600);
  switch (random.integer(0, 11)) {
    case 0:
      return [none, { kind: 'zeros', bytes: new Uint8Array(length) }];
    case 1:
      return [none, { kind: 'random', bytes: Uint8Array.from({ length }, () => random.integer(0, 255)) }];
    case 2: {
      const from = random.integer(0, Math.max(0, before - length));
      return [none, { kind: 'old lines', bytes: bytes.slice(from, Math.min(before, from + length)) }];
    }
    default:
      return [none];
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
