/** What the engine makes of an order whose doubt is over. */
import { expect, test } from 'vitest';
import { TrackedOrder } from '../../src/execution/tracked-order.js';
import type { PlaceCommand } from '../../src/model/command.js';
import type { ExecutionReport } from '../../src/model/report.js';
import type { OrderRecord } from '../../src/model/venue-records.js';
import { flat, holdPosition, orders, type Want } from '../../src/strategy/want.js';
import { deskOf, onlyPlace, words } from '../support/desk.js';
import { BTC } from '../support/markets.js';
import { orderRecordOf } from '../support/records.js';

const ORDER = {
  id: 'v1',
  pair: BTC.pair,
  side: 'buy',
  type: 'limit',
  priceOriginal: 59_000,
  price: 59_000,
  quantity: 0.01,
  leavesQuantity: 0.01,
  time: 1_000,
} as const;

/** An engine that holds 5 lots and rests a buy of 10 more, and the order as execution follows it. */
function resting() {
  const wants: Want[] = [holdPosition('0.005')];
  const desk = deskOf(() => ({ onTrade: () => wants.shift() }));
  const bought = onlyPlace(desk.trade(1, 60_000).commands);
  desk.accept(bought.intentId);
  desk.fill(bought);
  wants.push(orders([{ side: 'buy', quantity: '0.01', price: '59000' }]));
  const placed: PlaceCommand = onlyPlace(desk.trade(2, 60_000).commands);
  const clock = { now: 0, monotonic: () => clock.now };
  const order = new TrackedOrder({
    key: 's1-2',
    intentId: placed.intentId,
    market: BTC,
    terms: placed.terms,
    tag: undefined,
    confirmMs: 0,
    clock,
  });
  const tell = (reports: readonly ExecutionReport[]) =>
    reports.map((report) => {
      desk.send({ kind: 'report', report });
      return report.kind;
    });
  tell(order.accept(orderRecordOf(ORDER), 0));
  return {
    desk,
    want: (want: Want) => {
      wants.push(want);
      return words(desk.trade(3, 60_000).commands);
    },
    canceled: () => words(desk.canceled(placed.intentId).commands),
    shows: (more: Partial<OrderRecord>, at: number) => {
      clock.now = at;
      return tell(order.take(orderRecordOf({ ...ORDER, ...more }), at));
    },
  };
}

test.each([
  ['showed a filled quantity off the grid', { filledQuantity: 0.0005 }],
  ['showed as completed with nothing filled', { status: 'COMPLETED' }],
] as const)('an order that the venue once %s is canceled by flat(), which then closes', (_, glitch) => {
  const { want, canceled, shows } = resting();
  expect([...shows(glitch, 0), ...shows(glitch, 10_000)]).toEqual(['in-doubt']);
  shows({}, 11_000);
  expect(want(flat())).toEqual(['cancel 2']);
  expect(canceled()).toEqual(['sell 5 reduce-only market']);
});
