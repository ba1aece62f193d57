import { expect, it } from 'vitest';
import { defineStrategy, flat, holdPosition, type OrderRequest, quote, type Want } from '../../src/index.js';
import { backtestTrades, tradesAt } from '../../src/testing/index.js';

/** What docs/strategies.md says becomes of an order by hand beside a standing want. */
async function besides(want: Want, order: Partial<OrderRequest>) {
  let isThere = false;
  let isLeft = false;
  const definition = defineStrategy({
    name: 'by-hand',
    create(_, context) {
      let count = 0;
      return {
        onTrade() {
          count += 1;
          isLeft = context.workingOrders.length > 0;
          if (count !== 4) return count === 1 ? want : undefined;
          context.submit({ side: 'buy', quantity: 0.5, ...order });
          isThere = context.workingOrders.length > 0;
          return undefined;
        },
      };
    },
  });
  const trades = tradesAt(Array.from({ length: 9 }, () => 100_000));
  const { position, result } = await backtestTrades(definition, { trades });
  const { refusals, rejections, reasons } = result;
  return { isThere, isLeft, position, refusals, rejections, canceled: reasons.canceled.length };
}

it.each([
  ['stays beside a quote', quote({}), { price: 99_990 }, { isThere: true, isLeft: true }],
  [
    'is refused under flat()',
    flat(),
    { price: 99_990 },
    { isThere: true, isLeft: false, position: 0, refusals: 1, canceled: 0 },
  ],
  ['is traded back by holdPosition', holdPosition(0.1), {}, { isThere: true, isLeft: false, position: 0.1 }],
  ['is not there when it is refused', quote({}), { quantity: 0.0001 }, { isThere: false, refusals: 1 }],
  [
    'that may only rest is canceled, not rejected, where it would trade',
    quote({}),
    { price: 100_010, postOnly: true },
    { isThere: true, isLeft: false, position: 0, rejections: 0, canceled: 1 },
  ],
])('an order by hand %s', async (_, want, order, end) => {
  expect(await besides(want, order)).toMatchObject(end);
});
