import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeEvent, encodeEvent } from '../../src/storage/capture/event-codec.js';
import { anyEvent } from './arbitrary-event.js';

it('an event comes back from JSON as it was: −0, NaN, big integers, odd texts and what is undefined too', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      expect(decodeEvent(JSON.parse(JSON.stringify(encodeEvent(event))))).toStrictEqual(event);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  [null, 'event must be an object, received null'],
  [{ kind: 'fill' }, 'event.kind must be one of trade, mark, live'],
  [
    { kind: 'permit', time: 1, permission: 'some', state: 'SYNCED', reason: '' },
    'event.permission must be one of all, reduce-only, cancel-only, received "some"',
  ],
  [
    { kind: 'permit', time: 1, permission: 'all', state: 'synced', reason: '' },
    'event.state must be one of BOOT, RECONCILING, SYNCED, SUSPECT, QUARANTINED, HALTED, received "synced"',
  ],
  [
    { kind: 'report', report: { kind: 'rejected', intentId: 1, time: 1, reason: '', reservedUntil: '9' } },
    'event.report.reservedUntil must be a number, received "9"',
  ],
  [{ kind: 'mark' }, 'event.time must be a number, received nothing'],
  [{ kind: 'mark', time: '5' }, 'event.time must be a number, received "5"'],
  [{ kind: 'trade', receivedAt: 1 }, 'event.trade must be an object, received nothing'],
  [{ kind: 'trade', receivedAt: 1, trade: { id: 5 } }, 'event.trade.id must be a text, received 5'],
  [
    { kind: 'position', position: { time: 1, lots: 0.5 } },
    'event.position.lots must be a whole number, received 0.5',
  ],
  [
    {
      kind: 'report',
      report: {
        kind: 'filled',
        intentId: 1,
        time: 1,
        fill: { id: '1', orderId: '2', time: 1, side: 'long' },
      },
    },
    'event.report.fill.side must be one of buy, sell, received "long"',
  ],
])('%j is refused by the name of its field', (value, message) => {
  expect(() => decodeEvent(value)).toThrow(message);
});
