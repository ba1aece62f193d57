import { describe, expect, it } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket } from '../../../src/model/market.js';
import type { OrderTerms } from '../../../src/model/order.js';
import type { VenueWorld } from '../../../src/simulation/world/venue-world.js';
import { BID, BTC, BTC_SPEC, MARKET_BUY, START_TICKS, world } from './desk.js';

const HOUR_MS = 3_600_000;
const PAIR = BTC.pair;

function place(at: VenueWorld, terms: OrderTerms) {
  const placement = at.core.place(at.account('anna'), { pair: PAIR, terms }, at.venueNow());
  if (placement.kind === 'refused') throw new Error(placement.reason);
  return placement.order;
}

describe('the street', () => {
  it('quotes both sides at all times, prints every few seconds, and moves the price a little', async () => {
    const at = world();
    const prices: number[] = [];
    for (let minute = 1; minute <= 240; minute++) {
      await at.scheduler.runUntil(minute * 60_000);
      at.venueNow();
      const { bid, ask } = at.core.touch(PAIR);
      expect(bid).toBeDefined();
      expect(ask).toBeGreaterThan(bid ?? 0);
      prices.push(((bid ?? 0) + (ask ?? 0)) / 2);
    }
    for (const price of prices) expect(Math.abs(price / START_TICKS - 1)).toBeLessThan(0.05);
    const trades = at.core.trades(PAIR, { limit: 10_000 });
    // Four hours with a move every 3 s on average, of which more than half print.
    expect(trades.length).toBeGreaterThan(2_000);
    expect(trades.length).toBeLessThan(8_000);
    expect(new Set(trades.map(({ isBuyerMaker }) => isBuyerMaker))).toEqual(new Set([true, false]));
    expect(new Set(prices).size).toBeGreaterThan(200);
  });

  it('does the same however often somebody looks', async () => {
    const story = async (stepMs: number) => {
      const at = world();
      for (let time = stepMs; time <= HOUR_MS; time += stepMs) {
        await at.scheduler.runUntil(time);
        at.venueNow();
      }
      return at.core.trades(PAIR, { limit: 10_000 });
    };
    expect(await story(1_000)).toEqual(await story(HOUR_MS));
  });

  it('fills resting orders, some in parts, and those that take at once', async () => {
    const at = world();
    await at.scheduler.runUntil(60_000);
    const took = place(at, { ...MARKET_BUY, lots: 30 as Lots });
    expect(took.status).toBe('completed');
    const orders = Array.from({ length: 40 }, (_, i) => {
      const side = i % 2 === 0 ? 'buy' : 'sell';
      const away = (side === 'buy' ? -1 : 1) * (100 + 20 * i);
      const ticks = (Math.round((at.street(PAIR).ticks + away) / 5) * 5) as Ticks;
      return place(at, { ...BID, side, ticks, lots: 60 as Lots });
    });
    await at.scheduler.runUntil(HOUR_MS);
    at.venueNow();
    const filled = orders.filter(({ status }) => status === 'completed');
    expect(filled.length).toBeGreaterThan(10);
    expect(filled.some(({ fills }) => fills.length > 1)).toBe(true);
    for (const { terms, fills } of filled) for (const { ticks } of fills) expect(ticks).toBe(terms.ticks);
  });

  it('pauses and jumps when told', async () => {
    const at = world();
    await at.scheduler.runUntil(HOUR_MS);
    at.venueNow();
    at.street(PAIR).pause(600_000);
    const before = at.core.trades(PAIR, { limit: 1 });
    await at.scheduler.runUntil(HOUR_MS + 590_000);
    at.venueNow();
    expect(at.core.trades(PAIR, { limit: 1 })).toEqual(before);
    const { ticks } = at.street(PAIR);
    at.street(PAIR).jump(0.8);
    await at.scheduler.runUntil(HOUR_MS + 700_000);
    at.venueNow();
    expect(at.street(PAIR).ticks / ticks).toBeCloseTo(0.8, 1);
    expect(at.core.touch(PAIR).ask).toBeLessThan(0.85 * ticks);
  });
});

describe('the venue of a world', () => {
  it('funds positions and liquidates what a jump has ruined', async () => {
    const market = defineMarket({
      ...BTC_SPEC,
      pricing: {
        indexIntervalMs: 1_000,
        markEmaRange: 60,
        markMaxDeviation: '0.02',
        bandDeviation: '0.1',
        fairMultiplier: '0.01',
        fairQuantity: '0.01',
      },
    });
    const at = world({
      markets: [{ market, startTicks: START_TICKS }],
      accounts: [{ name: 'anna', key: 'k', secret: 's', deposits: { USD: '1700' } }],
    });
    const position = () => at.core.position(at.account('anna'), PAIR);
    await at.scheduler.runUntil(60_000);
    place(at, { ...MARKET_BUY, lots: 200 as Lots });
    expect(position().lots).toBe(200);
    await at.scheduler.runUntil(9 * HOUR_MS);
    at.venueNow();
    expect(position()).toMatchObject({ lots: 200 });
    expect(position().funding).not.toBe(0n);
    at.street(PAIR).jump(0.85);
    await at.scheduler.runUntil(10 * HOUR_MS);
    at.venueNow();
    expect(position().lots).toBe(0);
    const fills = at.core.fills(at.account('anna'));
    expect(fills.some(({ isLiquidation }) => isLiquidation === true)).toBe(true);
  });

  it('does nothing by itself when it keeps no index', async () => {
    const at = world({ indexed: false });
    await at.scheduler.runUntil(HOUR_MS);
    at.venueNow();
    expect(at.core.market(PAIR).prices).toBeUndefined();
    expect(at.core.mark(PAIR)).toBeGreaterThan(0);
  });

  it('knows its accounts, streets and lives by name', () => {
    const at = world();
    expect(() => at.account('nobody')).toThrow('no such account: nobody');
    expect(() => at.street('X')).toThrow('no such market: X');
    expect(at.lives).toEqual([]);
    expect(at.account('bert').name).toBe('bert');
  });
});
