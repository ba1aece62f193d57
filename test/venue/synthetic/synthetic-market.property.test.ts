import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Trade } from '../../../src/model/trade.js';
import { DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { limitOrder, type MadeUpVenue, madeUpVenue, START } from './made-up-venue.js';

interface Action {
  readonly at: number;
  readonly side: 'buy' | 'sell';
  readonly offset: number;
  readonly lots: number;
}

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const steps = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 1_000 });
const actions = fc
  .array(
    fc.record<Action>({
      at: fc.integer({ min: 1, max: 89_999 }),
      side: fc.constantFrom('buy', 'sell'),
      offset: fc.integer({ min: -200, max: 200 }),
      lots: fc.integer({ min: 1, max: 300 }),
    }),
    { maxLength: 30 },
  )
  .map((list) => list.toSorted((a, b) => a.at - b.at));

/** Runs 90 s with a client that acts at given times, looking at the market at `looks` besides. */
function play(seed: number, list: readonly Action[], looks: readonly number[]) {
  const venue = madeUpVenue({ seed });
  const client = venue.core.openAccount('client', { USD: '10000000' });
  const remaining = [...looks].sort((a, b) => a - b);
  const lookUntil = (time: number) => {
    while (remaining.length > 0 && (remaining[0] as number) <= time) {
      venue.driver.advanceTo(START + (remaining.shift() as number));
    }
    venue.driver.advanceTo(START + time);
  };
  for (const { at, side, offset, lots } of list) {
    lookUntil(at);
    const { bid, ask } = venue.core.touch(DEFAULT_PAIR);
    if (bid === undefined || ask === undefined) continue;
    const ticks = Math.round((bid + ask) / 2) + offset;
    venue.core.place(client, { pair: DEFAULT_PAIR, terms: limitOrder(side, ticks, lots) }, START + at);
  }
  lookUntil(90_000);
  const fills = venue.core
    .fills(client, { limit: 10_000 })
    .map(({ id, orderId, side, lots, ticks, fee, realised, time }) => ({
      id,
      orderId,
      side,
      lots,
      ticks,
      fee,
      realised,
      time,
    }));
  return { ...facts(venue), fills };
}

function facts({ core, driver, trades }: MadeUpVenue) {
  return {
    trades,
    depth: core.depth(DEFAULT_PAIR, 1_000),
    mark: core.mark(DEFAULT_PAIR),
    fair: driver.fairPrice,
    next: driver.nextTime,
  };
}

test('one step or a thousand give the same trades and book, clients or none', () => {
  fc.assert(
    fc.property(seeds, actions, steps, (seed, list, looks) => {
      expect(play(seed, list, looks)).toEqual(play(seed, list, []));
    }),
    { numRuns: 25 },
  );
});

test('two seeds give two markets', () => {
  const [one, two] = [1, 2].map((seed) => {
    const venue = madeUpVenue({ seed });
    venue.driver.advanceTo(START + 60_000);
    return venue.trades.map(({ time }) => time);
  });
  expect(one).not.toEqual(two);
});

test('two pairs of one seed move apart', () => {
  const moves = ['USD_BTC_PERP', 'USD_ETH_PERP'].map((pair) => {
    const { driver } = madeUpVenue({ seed: 1, pair });
    const before = driver.fairPrice;
    driver.advanceTo(START + 60_000);
    return driver.fairPrice / before;
  });
  expect(moves[0]).not.toBeCloseTo(moves[1] as number, 6);
});

test('a client that stays out of the way changes nothing, and one that trades shifts no fair price', () => {
  fc.assert(
    fc.property(seeds, actions, (seed, list) => {
      const alone = play(seed, [], []);
      const beside = madeUpVenue({ seed });
      const client = beside.core.openAccount('client', { USD: '10000000' });
      beside.driver.advanceTo(START + 1_000);
      const { bid } = beside.core.touch(DEFAULT_PAIR);
      const far = limitOrder('buy', (bid as number) - 20_000, 100);
      beside.core.place(client, { pair: DEFAULT_PAIR, terms: far }, START + 1_000);
      beside.driver.advanceTo(START + 90_000);
      expect(beside.trades).toEqual(alone.trades);
      expect(play(seed, list, []).fair).toBe(alone.fair);
    }),
    { numRuns: 10 },
  );
});

test('the book is never crossed, both sides are always there, and all is on the filters', () => {
  fc.assert(
    fc.property(seeds, actions, (seed, list) => {
      const venue = madeUpVenue({ seed });
      const client = venue.core.openAccount('client', { USD: '10000000' });
      const pending = [...list];
      let last: Trade | undefined;
      for (let now = START; now <= START + 90_000; now += 250) {
        venue.driver.advanceTo(now);
        const { bid, ask } = venue.core.touch(DEFAULT_PAIR);
        expect(ask as number).toBeGreaterThanOrEqual((bid as number) + 1);
        while (pending[0] !== undefined && START + pending[0].at <= now) {
          const { side, offset, lots } = pending.shift() as Action;
          const terms = limitOrder(side, (bid as number) + offset, lots);
          venue.core.place(client, { pair: DEFAULT_PAIR, terms }, now);
        }
      }
      for (const trade of venue.trades) {
        expect(trade.time).toBeGreaterThanOrEqual(last?.time ?? START);
        expect(Number(trade.id)).toBe(Number(last?.id ?? Number(trade.id) - 1) + 1);
        expect(Number.isInteger(Math.round(trade.price * 1e6) / 1e5)).toBe(true);
        expect(trade.quantity).toBeGreaterThanOrEqual(0.001);
        last = trade;
      }
    }),
    { numRuns: 15 },
  );
});
