/** A journal as somebody else sees it who reads the files while a bot writes them. */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { decodeJournalRecord } from '../../../src/storage/journal/journal-decoder.js';
import { scanSegment } from '../../../src/storage/journal/journal-segment.js';

interface Segment {
  readonly path: string;
  readonly first: number;
}

export class JournalTail {
  readonly #folder: string;
  /** Every record that was ever seen whole, as its text; the first has the sequence 1. */
  readonly #texts: string[] = [];
  readonly records: JournalRecord[] = [];
  #segment: Segment | undefined;
  #offset = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was appended since the last call. */
  read(): readonly JournalRecord[] {
    const before = this.records.length;
    for (const segment of this.#segments()) {
      if (segment.first > this.#texts.length + 1 || (this.#segment?.first ?? 0) > segment.first) continue;
      if (segment.first !== this.#segment?.first) {
        if (segment.first !== this.#texts.length + 1) continue;
        this.#segment = segment;
        this.#offset = 0;
      }
      this.#readOn(segment);
    }
    return this.records.slice(before);
  }

  /** Reads everything again; records seen before that are now gone or different. */
  lost(): number {
    const found: string[] = [];
    for (const { path, first } of this.#segments()) {
      const bytes = readFileSync(path);
      for (const { sequence, json, jsonEnd } of scanSegment(path, bytes, { sequence: first }).lines) {
        found[sequence - 1] = bytes.toString('utf8', json, jsonEnd);
      }
    }
    return this.#texts.filter((text, index) => found[index] !== text).length;
  }

  #readOn({ path, first }: Segment): void {
    const bytes = bytesFrom(path, this.#offset);
    const next = this.#offset === 0 ? first : this.#texts.length + 1;
    const { lines } = scanSegment(path, bytes, { sequence: next });
    const from = this.#offset;
    for (const { sequence, json, jsonEnd } of lines) {
      // Behind a hole nothing counts: `lost` would tell.
      if (sequence !== this.#texts.length + 1) return;
      const text = bytes.toString('utf8', json, jsonEnd);
      this.#texts.push(text);
      this.records.push(decodeJournalRecord(text));
      this.#offset = from + jsonEnd + 1;
    }
  }

  #segments(): readonly Segment[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .sort()
      .flatMap((name) => {
        const digits = /^segment-(\d{12})\.journal$/.exec(name)?.[1];
        return digits === undefined ? [] : [{ path: join(this.#folder, name), first: Number(digits) }];
      });
  }
}

function bytesFrom(path: string, offset: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - offset));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(file);
  }
}
