import { describe, expect, test } from 'vitest';
import type { CoreOrder } from '../../../src/venue/core/account.js';
import { DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { limitOrder, madeUpVenue, START } from './made-up-venue.js';

const PAIR = DEFAULT_PAIR;
const LOTS = 10;
const MOST = 50;

/** Joins the best bid and ask with 0.01 once a second for ten minutes, up to a position of 0.05. */
function quoteAtTheTouch(seed: number) {
  const { core, driver } = madeUpVenue({ seed, history: true });
  const client = core.openAccount('client', { USD: '100000' });
  const working: { buy: CoreOrder | undefined; sell: CoreOrder | undefined } = {
    buy: undefined,
    sell: undefined,
  };
  for (let second = 1; second <= 600; second++) {
    const now = START + second * 1_000;
    driver.advanceTo(now);
    const { bid, ask } = core.touch(PAIR) as { bid: number; ask: number };
    for (const side of ['buy', 'sell'] as const) {
      const ticks = side === 'buy' ? bid : ask;
      const old = working[side];
      if (old?.status === 'active' && old.limitTicks === ticks) continue;
      if (old?.status === 'active') core.cancel(client, old.id, now);
      working[side] = undefined;
      const { lots } = core.position(client, PAIR);
      if ((side === 'buy' ? lots : -lots) >= MOST) continue;
      const placed = core.place(
        client,
        { pair: PAIR, terms: limitOrder(side, ticks, LOTS, { postOnly: true }) },
        now,
      );
      if (placed.kind === 'accepted') working[side] = placed.order;
    }
  }
  const fills = core.fills(client, { limit: 100_000 });
  const mark = driver.fairPrice;
  let gross = 0;
  let fees = 0;
  for (const { side, lots, ticks, fee } of fills) {
    gross += ((side === 'buy' ? 1 : -1) * lots * (mark - ticks / 10)) / 1_000;
    fees += Number(fee) / 1e8;
  }
  return {
    buys: fills.filter(({ side }) => side === 'buy').length,
    sells: fills.filter(({ side }) => side === 'sell').length,
    allMaker: fills.every(({ liquidity }) => liquidity === 'maker'),
    gross,
    fees,
  };
}

const runs = [1, 2, 3, 4, 5, 6].map((seed) => ({ seed, ...quoteAtTheTouch(seed) }));

describe.each(runs)('ten minutes of quotes at the touch, seed $seed', ({
  buys,
  sells,
  allMaker,
  gross,
  fees,
}) => {
  test('are filled on both sides several times a minute, as maker', () => {
    expect(buys).toBeGreaterThan(50);
    expect(sells).toBeGreaterThan(50);
    expect(allMaker).toBe(true);
  });

  test('cost less than a third of a percent of 100 000', () => {
    expect(gross - fees).toBeGreaterThan(-333);
  });
});

test('quotes at the touch earn a spread, and less than the fees: no free lunch', () => {
  const sum = (pick: (run: (typeof runs)[number]) => number) =>
    runs.reduce((total, run) => total + pick(run), 0);
  expect(sum(({ gross }) => gross)).toBeGreaterThan(0);
  expect(sum(({ gross }) => gross)).toBeLessThan(sum(({ fees }) => fees));
});

test('an offer below the fair price is taken within seconds', () => {
  const { core, driver } = madeUpVenue({ seed: 3 });
  driver.advanceTo(START + 5_000);
  const client = core.openAccount('client', { USD: '100000' });
  const { bid } = core.touch(PAIR) as { bid: number };
  const terms = limitOrder('sell', bid + 1, 50);
  const placed = core.place(client, { pair: PAIR, terms }, START + 5_000);
  driver.advanceTo(START + 15_000);
  expect(placed.kind === 'accepted' && placed.order.status).toBe('completed');
});

test('a side that a client has bought up is there again within two seconds', () => {
  const { core, driver } = madeUpVenue({ seed: 4 });
  driver.advanceTo(START + 5_000);
  const client = core.openAccount('client', { USD: '100000000' });
  const { ask } = core.touch(PAIR) as { ask: number };
  const offered = core.depth(PAIR, 1_000).asks.reduce((sum, { lots }) => sum + lots, 0);
  const terms = limitOrder('buy', ask + 30_000, offered, { timeInForce: 'IOC' });
  const placed = core.place(client, { pair: PAIR, terms }, START + 5_000);
  expect(placed.kind === 'accepted' && placed.order.status).toBe('completed');
  expect(core.touch(PAIR).ask).toBeUndefined();
  driver.advanceTo(START + 7_000);
  expect(core.depth(PAIR).asks.length).toBeGreaterThan(5);
});

test('the street holds the other side of what clients hold', () => {
  const { core, driver } = madeUpVenue({ seed: 6 });
  driver.advanceTo(START + 5_000);
  const client = core.openAccount('client', { USD: '100000' });
  const terms = limitOrder('buy', (core.touch(PAIR).ask as number) + 100, 25, { timeInForce: 'IOC' });
  core.place(client, { pair: PAIR, terms }, START + 5_000);
  driver.advanceTo(START + 30_000);
  const held = core.position(client, PAIR).lots;
  expect(held).toBeGreaterThan(0);
  expect(core.position(core.street, PAIR).lots).toBe(-held);
});
