import fc from 'fast-check';
import type { Trade, TradeGap } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { barInterval } from '../../src/strategy/params.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';

/** Made-up tapes around 60 000.0, with bursts in one millisecond and pauses. */
export const tapes = fc
  .array(
    fc.record({
      wait: fc.constantFrom(0, 0, 0, 1, 7, 40, 60, 400, 1_500),
      move: fc.integer({ min: -4, max: 4 }),
      lots: fc.integer({ min: 1, max: 40 }),
      isBuyerMaker: fc.boolean(),
    }),
    { minLength: 20, maxLength: 150 },
  )
  .map((steps) => {
    let time = 1_700_000_000_000;
    let ticks = 600_000;
    return steps.map(({ wait, move, lots, isBuyerMaker }, i): Trade => {
      time += wait;
      ticks += move;
      return { id: String(i + 1), time, price: ticks / 10, quantity: lots / 1_000, isBuyerMaker };
    });
  });

/** Some of the pauses of a tape, about which nobody knows whether they were any. */
export const gapsOf = (tape: readonly Trade[]) => {
  const pauses = tape.flatMap(({ time: from }, at): TradeGap[] => {
    const to = tape[at + 1]?.time ?? from;
    return to - from > 1 ? [{ from, to, missing: undefined }] : [];
  });
  return fc.subarray(pauses, { maxLength: Math.min(3, pauses.length) });
};

const levels = fc.array(
  fc.record({ away: fc.integer({ min: 1, max: 4 }), lots: fc.integer({ min: 1, max: 40 }) }),
  {
    maxLength: 5,
  },
);

/** Recorded books around the prices of a tape; now and then a side of one is empty. */
export const booksOf = (tape: readonly Trade[]) =>
  fc
    .array(fc.record({ row: fc.nat({ max: tape.length - 1 }), bids: levels, asks: levels }), {
      maxLength: 12,
    })
    .map((books) => {
      const found = books.map(({ row, bids, asks }): WorldFact => {
        const { time, price } = tape[row] as Trade;
        const side = (given: typeof bids, sign: 1 | -1) => {
          let ticks = Math.round(price * 10);
          return given.map(({ away, lots }) => {
            ticks += sign * away;
            return [ticks / 10, lots / 1_000] as const;
          });
        };
        return { kind: 'depth', time, bids: side(bids, -1), asks: side(asks, 1) };
      });
      return found.sort((a, b) => a.time - b.time);
    });

export type Act = { readonly every: number; readonly kind: number; readonly a: number; readonly b: number };

export const scripts = fc.array(
  fc.record({
    every: fc.integer({ min: 1, max: 9 }),
    kind: fc.integer({ min: 0, max: 6 }),
    a: fc.integer({ min: -30, max: 30 }),
    b: fc.integer({ min: 0, max: 30 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** A strategy that does a bit of everything, decided by a script and the number of the event. */
export function scripted(acts: readonly Act[]) {
  return defineStrategy({
    name: 'scripted',
    params: { bars: barInterval({ default: '1s' }) },
    create(_, context) {
      let events = 0;
      function act(price: number): Want | undefined {
        events++;
        const turn = acts.find(({ every }) => events % every === 0);
        if (turn === undefined) return undefined;
        const { kind, a, b } = turn;
        const step = ((events * 7) % 5) / 10;
        switch (kind) {
          case 0:
            return holdPosition(((a + events) % 20) / 1_000);
          case 1:
            return flat();
          case 2:
            return quote({
              bid: { price: price - b / 10 - step, quantity: 0.005 },
              ask: { price: price + b / 10 + step, quantity: 0.005 },
            });
          case 3:
            return orders([
              { side: 'buy', quantity: '0.004', price: Math.round((price - b / 10) * 10) / 10 },
              {
                side: 'sell',
                quantity: a % 2 === 0 ? '0.004' : '0.0045',
                price: Math.round((price + b / 10) * 10) / 10,
              },
            ]);
          case 4:
            context.submit({
              side: a > 0 ? 'buy' : 'sell',
              quantity: '0.002',
              timeInForce: 'IOC',
              price: Math.round(price * 10) / 10,
            });
            return undefined;
          case 5: {
            const [first] = context.workingOrders;
            if (first !== undefined) context.cancel(first.intentId);
            return undefined;
          }
          default:
            context.setTimer('again', context.now + b);
            return undefined;
        }
      }
      return {
        onTrade: ({ price }) => act(price),
        onBar: ({ close }) => act(close),
        onFill: ({ price }) => act(price),
        onTicker: ({ markPrice = 60_000 }) => act(markPrice),
        onGap: () => act(60_000),
        onTimer: () => holdPosition((events % 7) / 1_000),
      };
    },
  });
}
