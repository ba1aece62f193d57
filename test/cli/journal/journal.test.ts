import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { journalExplain } from '../../../src/cli/commands/journal-explain.js';
import { journalTail } from '../../../src/cli/commands/journal-tail.js';
import { journalVerify } from '../../../src/cli/commands/journal-verify.js';
import { why } from '../../../src/cli/commands/why.js';
import { EXIT } from '../../../src/cli/exit-code.js';
import { Books } from '../../../src/execution/books.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { defineMarketOn } from '../../../src/model/market.js';
import { systemClock } from '../../../src/platform/clock.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { gridRecordsOf } from '../../../src/runner/journal-grid.js';
import { SEGMENT_BYTES, segmentPath } from '../../../src/storage/journal/journal-layout.js';
import { JournalWriter } from '../../../src/storage/journal/journal-writer.js';
import { marketSpecOf } from '../../../src/storage/market-spec.js';
import { BTC } from '../../support/markets.js';

const T = 1_723_161_256_322;
const PAIR = 'USD_BTC_PERP';
const fill = (id: string, lots: number, intent: string | undefined): JournalRecord => ({
  kind: 'fill',
  pair: PAIR,
  intent,
  liquidation: false,
  fill: {
    id,
    orderId: 'o-1',
    time: T + 2_000,
    side: 'buy',
    lots: lots as Lots,
    ticks: 600_005 as Ticks,
    liquidity: 'taker',
    fee: 12n,
  },
});
const prep = (intent: string): JournalRecord => ({
  kind: 'prep',
  intent,
  pair: PAIR,
  terms: {
    side: 'buy',
    type: 'limit',
    ticks: 600_010 as Ticks,
    lots: 12 as Lots,
    timeInForce: 'GTC',
    postOnly: true,
    reduceOnly: false,
  },
  tag: intent,
  sentAt: T,
  validUntil: T + 5_000,
  wall: T,
  bodySha256: 'c'.repeat(64),
  position: -3 as Lots,
});

/** Two orders: one found after a doubt and filled in two parts, one that is still in doubt; between them a hostile reason. */
const RECORDS: readonly JournalRecord[] = [
  { kind: 'start', session: 's1', wall: T, engine: '0.1.0', hashes: { strategy: 'd'.repeat(64) } },
  prep('s1-1'),
  { kind: 'out', intent: 's1-1', outcome: 'in-doubt', reason: 'no answer\u001b[2J within 10 s' },
  { kind: 'state', pair: PAIR, state: 'SUSPECT', reason: 's1-1 is in doubt', time: T },
  { kind: 'adopt', intent: 's1-1', orderId: 'o-1', as: 'own', evidence: 'the same tag' },
  fill('f1', 5, 's1-1'),
  fill('f2', 7, 's1-1'),
  fill('f3', 1, undefined),
  { kind: 'end', intent: 's1-1', orderId: 'o-1', status: 'filled', filled: 12 as Lots, time: T + 3_000 },
  prep('s1-2'),
  { kind: 'out', intent: 's1-2', outcome: 'in-doubt', reason: 'reset' },
];

const made: string[] = [];
let out = '';
let err = '';

beforeEach(() => {
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text, done?: unknown) => {
    out += String(text);
    if (typeof done === 'function') done();
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text, done?: unknown) => {
    err += String(text);
    if (typeof done === 'function') done();
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => Promise.all(made.map((path) => nodeFiles.remove(path))));

async function written(records = RECORDS, segmentBytes = 1_000_000): Promise<string> {
  const directory = await nodeFiles.temporaryDirectory('tickwright-journal-');
  made.push(directory);
  const { journal } = await JournalWriter.open({
    directory,
    files: nodeFiles,
    timers: systemTimers,
    clock: systemClock,
    ballastBytes: 0,
    segmentBytes,
  });
  for (const record of records) journal.append(record, 'lazy');
  await journal.close();
  return directory;
}

/** Turns one bit in the third record. */
async function damage(directory: string): Promise<void> {
  const path = segmentPath(directory, 1);
  const bytes = Uint8Array.from(await nodeFiles.read(path));
  const at = Buffer.from(bytes).indexOf('no answer');
  bytes[at] = (bytes[at] as number) ^ 1;
  await nodeFiles.writeAtomic(path, bytes);
}

const document = () => {
  expect(out.split('\n')).toHaveLength(2);
  return JSON.parse(out) as Record<string, unknown>;
};

describe('journal verify', () => {
  it('says that a whole journal is whole', async () => {
    const directory = await written();
    expect(await journalVerify(directory, {})).toBe(EXIT.ok);
    expect(out).toContain('records 11 (1 to 11), segments 1 (');
    expect(out).toContain('every record is what was written');
    out = '';
    expect(await journalVerify(directory, { json: true })).toBe(EXIT.ok);
    expect(document()).toMatchObject({
      schemaVersion: 1,
      intact: true,
      records: 11,
      lastSequence: 11,
      damages: [],
    });
  });

  it('ends with 65 for a damaged one and names the place', async () => {
    const directory = await written();
    await damage(directory);
    expect(await journalVerify(directory, {})).toBe(65);
    expect(out).toMatch(/DAMAGED .*segment-000000000001\.journal, byte \d+, record 3: /);
    out = '';
    expect(await journalVerify(directory, { json: true })).toBe(65);
    expect(document()).toMatchObject({ intact: false, damages: [{ sequence: 3 }], records: 10 });
  });

  it('takes a torn tail for what it is: no damage', async () => {
    const directory = await written();
    const path = segmentPath(directory, 1);
    const bytes = await nodeFiles.read(path);
    await nodeFiles.writeAtomic(path, bytes.subarray(0, bytes.length - 3));
    expect(await journalVerify(directory, {})).toBe(EXIT.ok);
    expect(out).toMatch(/torn tail: \d+ bytes of .* from byte \d+ on; the next start cuts it/);
  });

  it('asks for a journal', async () => {
    await expect(journalVerify('no/such/folder', {})).rejects.toThrow('must be the folder of a journal');
    const journal = await written();
    const state = await nodeFiles.temporaryDirectory('tickwright-state-');
    await cp(journal, join(state, PAIR, 'journal'), { recursive: true });
    const refusal = `${state} must be the folder of a journal, received no segment of one there, but below it ${join(state, PAIR, 'journal')}`;
    await expect(journalVerify(state, {})).rejects.toThrow(refusal);
    await expect(journalTail(state, { lines: 1 })).rejects.toThrow(refusal);
    await nodeFiles.remove(state);
  });
});

describe('journal tail', () => {
  it('names no order where the venue named none, and no time of a first start that counts from none', async () => {
    const others = fill('f3', 1, undefined);
    if (others.kind !== 'fill') throw new Error('it is a fill');
    const directory = await written([
      {
        kind: 'checkpoint',
        pair: PAIR,
        position: 0 as Lots,
        time: 0,
        fillIds: [],
        by: 'first start',
        reason: 'two reads',
      },
      { ...others, fill: { ...others.fill, orderId: '' } },
    ]);
    expect(await journalTail(directory, { lines: 2 })).toBe(EXIT.ok);
    expect(out).not.toContain('1970-');
    expect(out).toMatch(
      /^#1 +checkpoint {2}USD_BTC_PERP counts from position 0, by first start: two reads$/m,
    );
    expect(out).toMatch(/\(taker, fill f3\) of no order of ours$/m);
  });

  it('shows the newest records, with nothing in them that could move the cursor', async () => {
    const directory = await written(RECORDS, 600);
    expect(await journalTail(directory, { lines: 9 })).toBe(EXIT.ok);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    expect(lines[0]).toContain('s1-1 in-doubt: no answer\uFFFD[2J within 10 s');
    expect(lines[8]).toMatch(/^#11 .* out +s1-2 in-doubt: reset$/);
    expect(lines[3]).toMatch(
      /^#6 +2024-08-08T23:54:18\.322Z {2}fill +USD_BTC_PERP buy 5 lots at 600005 ticks/,
    );
  });

  it('takes a segment of as many records as there is room for', async () => {
    const note: JournalRecord = { kind: 'note', text: '', wall: T };
    const directory = await written(Array<JournalRecord>(150_000).fill(note), SEGMENT_BYTES);
    expect(await journalTail(directory, { lines: 1 })).toBe(EXIT.ok);
    expect(out).toMatch(/^#150000 /);
  });

  it('gives them as they are written, as JSON', async () => {
    expect(await journalTail(await written(), { lines: 2, json: true })).toBe(EXIT.ok);
    expect(document()).toMatchObject({
      schemaVersion: 1,
      records: [
        { sequence: 10, kind: 'prep', intent: 's1-2' },
        { sequence: 11, kind: 'out', outcome: 'in-doubt' },
      ],
      problems: [],
    });
  });

  it('shows what can be read of a damaged one, and ends with 65', async () => {
    const directory = await written();
    await damage(directory);
    expect(await journalTail(directory, { lines: 100 })).toBe(65);
    expect(out.trimEnd().split('\n')).toHaveLength(10);
    expect(err).toContain('damaged: ');
    expect(err).toContain('record 3');
  });
});

describe('journal explain', () => {
  it.each(['s1-1', 'o-1'])('tells the story of %s, and nothing of any other', async (name) => {
    expect(await journalExplain(await written(RECORDS, 600), name, {})).toBe(EXIT.ok);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('s1-1  USD_BTC_PERP: buy 12 lots at 600010 ticks, limit GTC, post-only');
    expect(lines.slice(1, -2).map((line) => /^ {2}#\d+/.exec(line)?.[0])).toEqual(
      [2, 3, 5, 6, 7, 9].map((sequence) => `  #${sequence}`),
    );
    expect(lines.at(-2)).toBe('stands: filled');
    expect(lines.at(-1)).toBe('  order o-1 (own): 12 of 12 lots filled, filled');
  });

  it('says that it may be at the venue as long as nothing is proven', async () => {
    expect(await journalExplain(await written(), 's1-2', {})).toBe(EXIT.ok);
    expect(out).toContain('stands: in doubt: it may be at the venue');
  });

  it('is one JSON document with --json', async () => {
    expect(await journalExplain(await written(), 's1-1', { json: true })).toBe(EXIT.ok);
    expect(document()).toMatchObject({
      schemaVersion: 1,
      intent: 's1-1',
      pair: PAIR,
      standing: 'filled',
      orders: [{ orderId: 'o-1', as: 'own', filledLots: 12, end: 'filled' }],
      records: [
        { sequence: 2, kind: 'prep' },
        { sequence: 3 },
        { sequence: 5 },
        { sequence: 6, fill: { fee: '12' } },
        { sequence: 7 },
        { sequence: 9 },
      ],
    });
  });

  it('names the intents that there are when it knows none of that name', async () => {
    await expect(journalExplain(await written(), 's9-9', {})).rejects.toThrow(
      'one of the 2 in the journal (the newest: s1-1, s1-2) or the id of an order, received "s9-9"',
    );
  });

  it.each([
    ['prepared', []],
    ['not-sent', [{ kind: 'out', intent: 's1-1', outcome: 'not-sent', reason: 'r' }]],
    ['live', [{ kind: 'out', intent: 's1-1', outcome: 'accepted', orderId: 'o-1' }]],
    [
      'not-placed',
      [
        { kind: 'out', intent: 's1-1', outcome: 'in-doubt', reason: 'r' },
        { kind: 'verdict', intent: 's1-1', verdict: 'not-placed', time: T, evidence: 'e' },
      ],
    ],
    [
      'late',
      [
        { kind: 'verdict', intent: 's1-1', verdict: 'not-placed', time: T, evidence: 'e' },
        { kind: 'adopt', intent: 's1-1', orderId: 'o-9', as: 'late', evidence: 'e' },
      ],
    ],
    ['disputed', [{ kind: 'verdict', intent: 's1-1', verdict: 'disputed', time: T, evidence: 'e' }]],
  ] satisfies (readonly [
    string,
    readonly JournalRecord[],
  ])[])('knows an intent that is %s', async (standing, more) => {
    const directory = await written([prep('s1-1'), ...more]);
    expect(await journalExplain(directory, 's1-1', { json: true })).toBe(EXIT.ok);
    expect(document()).toMatchObject({ standing });
  });

  it('knows an intent that we refused ourselves', async () => {
    const refusal: JournalRecord = {
      kind: 'refusal',
      pair: PAIR,
      intent: 's1-4',
      rule: 'not-synced',
      asked: 'buy 1',
      bound: 'SUSPECT',
      reason: 'in doubt',
      time: T,
    };
    await journalExplain(await written([refusal]), 's1-4', { json: true });
    expect(document()).toMatchObject({ standing: 'refused-locally', pair: PAIR });
  });
});

describe('why on a damaged journal', () => {
  const refusal: JournalRecord = {
    kind: 'refusal',
    pair: PAIR,
    rule: 'not-synced',
    asked: 'all',
    bound: 'reduce-only',
    reason: 'not yet',
    intent: undefined,
    time: T,
  };

  it('tells the refusals that can be read, what is damaged, and ends with 65', async () => {
    const directory = await written([...RECORDS, refusal]);
    expect(await why(undefined, { refusals: true, journal: directory })).toBe(EXIT.ok);
    expect(err).toBe('');
    await damage(directory);
    expect(await why(undefined, { refusals: true, journal: directory })).toBe(EXIT.journalDamaged);
    expect(out).toContain('1 refusals: not-synced 1');
    expect(err).toMatch(/^damaged: .*record 3/);
  });

  it('does not say that an order or a refusal never was', async () => {
    const directory = await written();
    await damage(directory);
    expect(await why('s9-9', { journal: directory })).toBe(EXIT.journalDamaged);
    expect(await why('#3', { journal: directory })).toBe(EXIT.journalDamaged);
    expect(err.match(/^damaged: /gm)).toHaveLength(2);
  });
});

describe('an order whose lots became finer before its end', () => {
  const grid = (price: number, quantity: number): JournalRecord => ({
    kind: 'grid',
    pair: PAIR,
    price,
    quantity,
  });
  const RECORDED: readonly JournalRecord[] = [
    grid(1, 3),
    prep('s1-1'),
    { kind: 'out', intent: 's1-1', outcome: 'accepted', orderId: 'o-1' },
    fill('f1', 5, 's1-1'),
    grid(2, 4),
    fill('f2', 70, 's1-1'),
    { kind: 'end', intent: 's1-1', orderId: 'o-1', status: 'filled', filled: 120 as Lots, time: T + 3_000 },
  ];

  it('is told in one and the same', async () => {
    const directory = await written(RECORDED);
    expect(await journalExplain(directory, 's1-1', {})).toBe(EXIT.ok);
    expect(out).toContain('buy 120 lots at 6000100 ticks');
    expect(out).toContain('order o-1 (own): 120 of 120 lots filled, filled');
  });

  it('is told in one also where the segment is gone that said what its lots were', async () => {
    const books = new Books();
    books.apply(grid(1, 3));
    const change = gridRecordsOf(defineMarketOn({ price: 2, quantity: 4 }, marketSpecOf(BTC)), books);
    const left = RECORDED.slice(1).flatMap<JournalRecord>((each) => (each.kind === 'grid' ? change : [each]));
    expect(await journalExplain(await written(left), 's1-1', {})).toBe(EXIT.ok);
    expect(out).toContain('order o-1 (own): 120 of 120 lots filled, filled');
  });

  it('is told by why in what it is, also where nothing was recorded', async () => {
    const directory = await written(RECORDED);
    const bot = await nodeFiles.temporaryDirectory('tickwright-bot-');
    made.push(bot);
    await cp(directory, join(bot, 'journal'), { recursive: true });
    expect(await why('s1-1', { journal: bot })).toBe(EXIT.ok);
    expect(out).toContain('USD_BTC_PERP buy 0.012 @ 60001');
    expect(out).toContain('buy 0.005 @ ');
    expect(out).toContain('buy 0.007 @ ');
    expect(out).toContain('order o-1 is filled, 0.012 of it filled');
  });
});
