import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Lots } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { encodeJournalRecord } from '../../src/storage/journal/journal-encoder.js';
import { LineSealer } from '../../src/storage/journal/journal-line.js';
import { auditOrders, inDoubt, underWay } from './kills/audit.js';
import { JournalTail } from './kills/journal-tail.js';

const prep = (intent: string): JournalRecord => ({
  kind: 'prep',
  intent,
  pair: 'USD_BTC_PERP',
  terms: {
    side: 'buy',
    type: 'market',
    ticks: undefined,
    lots: 1 as Lots,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly: false,
  },
  tag: intent,
  sentAt: 1,
  validUntil: undefined,
  wall: 1,
  bodySha256: 'ab'.repeat(32),
  position: 0 as Lots,
});
const accepted = (intent: string, orderId: string): JournalRecord => ({
  kind: 'out',
  intent,
  outcome: 'accepted',
  orderId,
});
const absent = (intent: string): JournalRecord => ({
  kind: 'verdict',
  intent,
  verdict: 'not-placed',
  time: 1,
  evidence: 'two scans',
});
const ALL = () => true;

test('a journal that knows every order once passes', () => {
  const records = [prep('a-1'), accepted('a-1', '10'), prep('a-2'), absent('a-2')];
  const audit = auditOrders(records, new Map([['10', 'a-1']]), ALL);
  expect(Object.values(audit).flat()).toEqual([]);
});

test('each thing that must not be is seen for what it is', () => {
  const records = [
    prep('a-1'),
    accepted('a-1', '10'),
    prep('a-2'),
    absent('a-2'),
    prep('a-3'),
    accepted('a-3', '99'),
  ];
  const tags = new Map([
    ['10', 'a-1'],
    ['11', 'a-1'], // twice
    ['12', 'a-2'], // judged absent
    ['13', 'b-7'], // of a request that was never announced
  ]);
  const { duplicated, unprepared, unknown, phantom, misjudged } = auditOrders(records, tags, ALL);
  expect(duplicated).toEqual(['a-1: 10, 11']);
  expect(unprepared).toEqual(['order 13 of intent b-7']);
  expect(unknown).toEqual(['order 11 of intent a-1', 'order 12 of intent a-2', 'order 13 of intent b-7']);
  expect(phantom).toEqual(['order 99 of intent a-3']);
  expect(misjudged).toEqual(['order 12 of intent a-2']);
});

test('what may still be under way is not asked for', () => {
  const { unknown, phantom } = auditOrders([prep('b-1')], new Map([['10', 'b-1']]), (intent) =>
    intent.startsWith('a-'),
  );
  expect([...unknown, ...phantom]).toEqual([]);
  expect(underWay([prep('a-1'), prep('a-2'), accepted('a-1', '10')])).toEqual(['a-2']);
});

test('records that are taken away, changed or cut after they were seen are counted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-tail-'));
  try {
    const path = join(folder, 'segment-000000000001.journal');
    const sealer = new LineSealer();
    const lines = [prep('a-1'), accepted('a-1', '10'), prep('a-2')].map((record, index) =>
      sealer.seal(index + 1, encodeJournalRecord(record)).slice(),
    );
    const [first, second, third] = lines as [Uint8Array, Uint8Array, Uint8Array];
    const tail = new JournalTail(folder);
    // Room that is made ahead stands behind the last record.
    const room = new Uint8Array(4_096);
    writeFileSync(path, Buffer.concat([first, second, room]));
    expect(tail.read()).toHaveLength(2);
    writeFileSync(path, Buffer.concat([first, second, third, room]));
    expect(tail.read()).toEqual([prep('a-2')]);
    expect(tail.lost()).toBe(0);

    writeFileSync(path, Buffer.concat([first, second]));
    expect(tail.lost()).toBe(1);
    const other = sealer.seal(2, encodeJournalRecord(accepted('a-1', '11'))).slice();
    writeFileSync(path, Buffer.concat([first, other, third]));
    expect(tail.lost()).toBe(1);
    rmSync(path);
    expect(tail.lost()).toBe(3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('in doubt is what was sent and has neither an answer that proves something nor a verdict', () => {
  const doubted = (intent: string): JournalRecord => ({
    kind: 'out',
    intent,
    outcome: 'in-doubt',
    reason: 'no answer',
  });
  expect(inDoubt([prep('a-1'), prep('a-2'), accepted('a-1', '10')])).toEqual(['a-2']);
  expect(inDoubt([prep('a-1'), doubted('a-1')])).toEqual(['a-1']);
  expect(inDoubt([prep('a-1'), doubted('a-1'), absent('a-1')])).toEqual([]);
});
