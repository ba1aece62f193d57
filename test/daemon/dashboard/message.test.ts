import { expect, it } from 'vitest';
import { readCandles, readEvents, readStreamed } from '../../../src/daemon/dashboard/message.js';
import { candleFacts, HAPPENINGS, statusFacts } from './facts.js';

it('a status and an event are told apart', () => {
  const status = statusFacts();
  expect(readStreamed(JSON.stringify(status))).toMatchObject({ kind: 'status', status: { pid: 4_242 } });
  expect(readStreamed(JSON.stringify(HAPPENINGS[0]))).toEqual({ kind: 'event', event: HAPPENINGS[0] });
});

it.each([
  '',
  'null',
  '[]',
  '17',
  '{"kind":"fill"}',
  '{"kind":"of another version","time":1}',
  '{"kind":"constructor","time":1}',
  '{"schemaVersion":2,"pairs":[],"problems":[],"pnl":{}}',
  '{"schemaVersion":1,"pairs":{}}',
])('%j is nothing that a page can show', (data) => {
  expect(readStreamed(data)).toBeUndefined();
});

it('of lists only what can be shown is taken', () => {
  expect(readEvents([...HAPPENINGS, null, { kind: 'x', time: 1 }])).toEqual(HAPPENINGS);
  expect(readEvents({ length: 1 })).toEqual([]);
  const candles = candleFacts(3);
  expect(readCandles([...candles, { time: 1, open: '1' }, null])).toEqual(candles);
});
