import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Market } from '../../../src/model/market.js';
import type { Ticks } from '../../../src/model/grid.js';
import type { Trade } from '../../../src/model/trade.js';
import type { Account } from '../../../src/venue/core/account.js';
import { VenueCore, type VenueMarket } from '../../../src/venue/core/venue-core.js';
import { VenueHost } from '../../../src/venue/http/venue-host.js';
import { createSyntheticMarket } from '../../../src/venue/synthetic/synthetic-market.js';
import { QueueModel } from '../../../src/venue/tape/queue-model.js';
import { TapePlayer } from '../../../src/venue/tape-player.js';
import { termsOf } from '../core/desk.js';
import { brokenLaws } from '../core/laws.js';
import { exampleBtc, exampleEth, PRICING } from '../core/risk-desk.js';

const START = 1_700_000_000_000 - (1_700_000_000_000 % 60_000);
const LENGTH_MS = 20_000;
/** Funding every four seconds, in full, so that it matters. */
const FUNDING = {
  intervalMs: 4_000,
  timeWindowMs: 4_000,
  min: '0.0005',
  max: '0.003',
  threshold: '0',
} as const;
const PRICES = { ...PRICING, fairQuantity: '0.05', markEmaRange: 5 } as const;
const MARKETS = [
  exampleBtc({ funding: FUNDING, pricing: PRICES }),
  exampleEth({ funding: { ...FUNDING, intervalMs: 3_000 }, pricing: { ...PRICES, fairQuantity: '1' } }),
];

interface Request {
  readonly at: number;
  readonly who: number;
  readonly market: number;
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  /** In 10^-4 of the price; undefined is MARKET. */
  readonly away: number | undefined;
}

const times = fc.integer({ min: 1, max: LENGTH_MS });
const requests = fc
  .array(
    fc.record<Request>({
      at: times,
      who: fc.integer({ min: 0, max: 1 }),
      market: fc.integer({ min: 0, max: 1 }),
      side: fc.constantFrom('buy', 'sell'),
      lots: fc.integer({ min: 1, max: 300 }),
      away: fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined }),
    }),
    { minLength: 5, maxLength: 25 },
  )
  .map((list) => list.toSorted((a, b) => a.at - b.at));
const looks = fc.array(times, { maxLength: 200 });

/** Prints of both tapes, some at the same millisecond, with a fall that nobody with much leverage survives. */
const tapes = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 400 }),
      move: fc.integer({ min: -30, max: 25 }),
      lots: fc.integer({ min: 1, max: 500 }),
    }),
    {
      minLength: 60,
      maxLength: 120,
    },
  )
  .map((steps) =>
    MARKETS.map((market, n): readonly Trade[] => {
      let [time, ticks] = [START, n === 0 ? 600_000 : 250_000];
      return steps.map(({ gap, move, lots }, id) => {
        time += (gap * (id % 3 === n ? 0 : 1)) | 0;
        ticks = Math.round(ticks * (1 + move / 1_000));
        return {
          id: String(id + 1),
          time,
          price: ticks / market.priceGrid.scale,
          quantity: lots / market.quantityGrid.scale,
          isBuyerMaker: (move + id + n) % 2 === 0,
        };
      });
    }),
  );

type Source =
  | { readonly kind: 'tape'; readonly tapes: readonly (readonly Trade[])[] }
  | { readonly kind: 'synthetic'; readonly seed: number };

/** Everything that happened, and what everybody has at the end, with looks at these times besides the requests. */
function play(source: Source, list: readonly Request[], lookAt: readonly number[]) {
  const listed = MARKETS.map(
    (market): VenueMarket => ({
      market,
      prices: 'index',
      tape: source.kind === 'tape' ? (of: Market, sink) => new QueueModel({ market: of, sink }) : undefined,
    }),
  );
  const core = new VenueCore({ markets: listed, insurance: { USD: '300' } });
  const customers = [900, 2_000].map((usd, n) => core.openAccount(`c${n}`, { USD: String(usd) }));
  const drivers =
    source.kind === 'tape'
      ? source.tapes.map((trades, n) => new TapePlayer(core, (MARKETS[n] as Market).pair, trades))
      : MARKETS.map((market, n) =>
          createSyntheticMarket({
            core,
            market,
            seed: source.seed,
            startTime: START,
            intensity: 2,
            history: false,
            // So wild that leverage does not survive it.
            profile: { referencePrice: n === 0 ? 60_000 : 2_500, dailyVolatility: 0.2 },
          }),
        );
  let elapsed = 0;
  const host = new VenueHost({ core, drivers, clock: { wall: () => START, monotonic: () => elapsed } });
  const log: string[] = [];
  core.onFill((order, fill) =>
    log.push(
      `${fill.time} ${order.account.name} ${order.id} ${order.pair} ${fill.side} ${fill.lots} at ${fill.ticks} fee ${fill.fee}${fill.isLiquidation === true ? ', liquidation' : ''}`,
    ),
  );
  core.onDone((order, reason) => log.push(`${order.updatedAt} ${order.account.name} ${order.id} ${reason}`));
  const remaining = [...lookAt].sort((a, b) => a - b);
  const lookUntil = (time: number) => {
    while (remaining.length > 0 && (remaining[0] as number) < time) {
      elapsed = remaining.shift() as number;
      host.catchUp();
    }
    elapsed = time;
    return host.catchUp();
  };
  for (const { at, who, market: n, side, lots, away } of list) {
    const now = lookUntil(at);
    const market = MARKETS[n] as Market;
    const mark = core.mark(market.pair);
    if (mark === undefined) continue;
    const price = Math.round(mark * (1 + (away ?? 0) / 10_000)) / market.priceGrid.scale;
    const terms = termsOf(market, {
      side,
      quantity: lots / market.quantityGrid.scale,
      ...(away === undefined ? { timeInForce: 'IOC' as const } : { price }),
    });
    core.place(customers[who] as Account, { pair: market.pair, terms }, now);
  }
  lookUntil(LENGTH_MS + 2_000);
  return {
    log,
    // On a tape takers wait for prints, off the book.
    laws: brokenLaws(core).filter((law) => source.kind !== 'tape' || !law.includes(' meets ask ')),
    accounts: core.accounts.map(({ name, balances, holdings }) => [
      name,
      [...balances.values()].map(({ cash }) => cash),
      [...holdings.values()].map(({ lots, cost, margin, funding }) => [lots, cost, margin, funding]),
    ]),
    marks: MARKETS.map(({ pair }) => core.mark(pair) as Ticks),
    tickers: MARKETS.map(({ pair }) => core.ticker(pair, START + elapsed)),
  };
}

test('what happens on tapes does not depend on how often somebody looks', () => {
  let liquidated = 0;
  fc.assert(
    fc.property(tapes, requests, looks, (prints, list, lookAt) => {
      const often = play({ kind: 'tape', tapes: prints }, list, lookAt);
      expect(often).toEqual(play({ kind: 'tape', tapes: prints }, list, []));
      expect(often.laws).toEqual([]);
      if (often.log.some((line) => line.endsWith('liquidation'))) liquidated++;
    }),
    { numRuns: 40, seed: 3 },
  );
  expect(liquidated).toBeGreaterThan(3);
});

test('nor what happens on synthetic markets', () => {
  let funded = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), requests, looks, (seed, list, lookAt) => {
      const often = play({ kind: 'synthetic', seed }, list, lookAt);
      expect(often).toEqual(play({ kind: 'synthetic', seed }, list, []));
      expect(often.laws).toEqual([]);
      if (often.accounts.some(([, , holdings]) => (holdings as bigint[][]).some((held) => held[3] !== 0n)))
        funded++;
    }),
    { numRuns: 15, seed: 3 },
  );
  expect(funded).toBeGreaterThan(3);
});
