import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedAccount } from '../../src/backtest/shared-account.js';
import { SharedWatch } from '../../src/backtest/shared-watch.js';
import { AccountSession } from '../../src/backtest/account-session.js';
import { TapeSession } from '../../src/backtest/tape-session.js';
import { Engine } from '../../src/engine/engine.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import { type EngineEvent, timeOfEvent } from '../../src/model/event.js';
import type { Fill } from '../../src/model/fill.js';
import { defineMarket, type Market } from '../../src/model/market.js';
import { rateOf } from '../../src/model/money.js';
import { settled } from '../../src/model/position.js';
import type { Trade, TradeGap } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { FILL_MODELS } from '../../src/venue/tape/fill-model.js';
import type { TapeVenueOptions } from '../../src/venue/tape/tape-parts.js';
import { TapeVenue, tapeVenues } from '../../src/venue/tape/tape-venue.js';
import { sendingStops } from '../support/stops.js';
import { type Act, gapsOf, scripted, scripts, tapes } from './scripted.js';

const PAIRS = ['USD_BTC_PERP', 'USD_ETH_PERP', 'USD_SOL_PERP'];

const MARKETS: readonly Market[] = PAIRS.map((pair) =>
  defineMarket({
    pair,
    base: pair.slice(4, 7),
    quote: 'USD',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
    funding: { intervalMs: 500, timeWindowMs: 500, min: '-0.01', max: '0.01', threshold: 0 },
  }),
);

interface Scene {
  readonly tape: readonly Trade[];
  readonly acts: readonly Act[];
  /** After the print of this place, so much later: what is learned. */
  readonly facts: readonly WorldFact[];
  /** Between two prints each. */
  readonly gaps: readonly TradeGap[];
}

const factsOf = (tape: readonly Trade[]) =>
  fc
    .array(
      fc.record({
        at: fc.nat({ max: tape.length - 1 }),
        later: fc.constantFrom(-1, 0, 1, 30, 600),
        kind: fc.constantFrom('ticker', 'ticker', 'funding'),
        isAtFunding: fc.boolean(),
        off: fc.integer({ min: -20, max: 20 }),
      }),
      { maxLength: 6 },
    )
    .map((steps) =>
      steps
        .map(({ at, later, kind, isAtFunding, off }): WorldFact => {
          const print = tape[at] as Trade;
          const time = isAtFunding ? Math.ceil(print.time / 500) * 500 : print.time + later;
          if (kind === 'funding') return { kind, time, rate: rateOf(off / 10_000) };
          const markPrice = print.price + off / 10;
          const none = { lastPrice: undefined, indexPrice: off % 3 === 0 ? undefined : print.price };
          const touch = {
            bidPrice: undefined,
            bidQuantity: undefined,
            askPrice: undefined,
            askQuantity: undefined,
          };
          return { kind: 'ticker', time, ticker: { time, markPrice, ...none, ...touch } };
        })
        .sort((a, b) => a.time - b.time),
    );

const anyScene = tapes.chain((tape) =>
  fc.record({ tape: fc.constant(tape), acts: scripts, facts: factsOf(tape), gaps: gapsOf(tape) }),
);

const scenes = fc.array(anyScene, { minLength: 1, maxLength: 3 });

/** The same with moves that cost a small account what it has. */
const wild = (scene: Scene): Scene => ({
  ...scene,
  tape: scene.tape.map((trade) => ({
    ...trade,
    price: 60_000 + Math.round((trade.price - 60_000) * 12_000) / 10,
  })),
});

/** The same with hours after the first prints, by which the curve of the equity has become coarse. */
const later = (scene: Scene): Scene => {
  const shift = (time: number) => time + (time > 1_700_000_000_200 ? 5_000_000 : 0);
  return {
    ...scene,
    tape: scene.tape.map((trade) => ({ ...trade, time: shift(trade.time) })),
    facts: scene.facts.map((fact): WorldFact => {
      const time = shift(fact.time);
      return fact.kind === 'ticker' ? { ...fact, time, ticker: { ...fact.ticker, time } } : { ...fact, time };
    }),
    gaps: scene.gaps.map((gap) => ({ ...gap, from: shift(gap.from), to: shift(gap.to) })),
  };
};

interface Setting {
  readonly capital: number;
  readonly latency: number;
  readonly limits?: Limits;
  /** What the sessions send as IOC rests as a stop. */
  readonly hasStops?: boolean;
}

function made(scene: Scene, at: number, { capital, latency, limits = NO_LIMITS }: Setting) {
  const market = MARKETS[at] as Market;
  const venue: TapeVenueOptions = {
    market,
    deposit: String(capital),
    latency: { placeMs: latency, cancelMs: latency },
    slippageTicks: 1,
    model: FILL_MODELS[1],
  };
  const fills: Fill[] = [];
  /** Times of all events, in the order in which the engine was given them. */
  const heard: number[] = [];
  const engine = new Engine({
    strategy: bindStrategy(listening(scene.acts, heard)),
    market,
    seed: '1',
    warmUp: false,
  });
  const session = {
    engine,
    limits,
    capital,
    gaps: scene.gaps,
    onFill: (fill: Fill) => void fills.push(fill),
    observer: { input: (_: number, event: EngineEvent) => void heard.push(timeOfEvent(event)) },
  };
  return { venue, session, fills, heard };
}

/** Writes down the times of trades, of which an observer is not told one by one. */
function listening(acts: readonly Act[], heard: number[]) {
  const definition = scripted(acts);
  return defineStrategy({
    name: 'listening',
    params: { bars: barInterval({ default: '1s' }) },
    create(params, context) {
      const handlers = definition.create?.(params, context) ?? {};
      return {
        ...handlers,
        onTrade(trade) {
          heard.push(trade.time);
          return handlers.onTrade?.(trade);
        },
      };
    },
  });
}

/** Facts up to the last print, as a recording gives them. */
const known = ({ tape, facts }: Scene) => facts.filter(({ time }) => time <= (tape.at(-1) as Trade).time);

function alone(scene: Scene, at: number, setting: Setting) {
  const { venue, session, fills, heard } = made(scene, at, setting);
  const tape = new TapeSession({ ...session, venue: new TapeVenue(venue) });
  if (setting.hasStops === true) sendingStops(tape);
  tape.run(TradeColumns.of(scene.tape), known(scene));
  tape.end();
  return { session: tape, fills, heard };
}

/** Chunks end where `cut` says, which may be anywhere. */
function together(all: readonly Scene[], setting: Setting, cut: (row: number) => boolean = () => false) {
  const parts = all.map((scene, at) => made(scene, at, setting));
  const venues = tapeVenues(parts.map(({ venue }) => venue));
  const watch = new SharedWatch(setting.capital, 10 ** (MARKETS[0] as Market).quotePrecision);
  const sessions = parts.map(
    ({ session }, at) => new AccountSession({ ...session, venue: venues[at] as TapeVenue }, watch),
  );
  if (setting.hasStops === true) sessions.forEach((session) => sendingStops(session));
  const account = new SharedAccount(sessions, watch);
  /** Markets on which the venue ended a position. */
  const taken = new Set<string>();
  venues[0]?.core.onFill((order) => {
    if (order.account === venues[0]?.account && order.intent === undefined) taken.add(order.pair);
  });
  const chunks = all.map((scene) => chunksOf(scene, cut));
  for (let index = 0; index < all.length; index++) next(index);
  for (let index = account.run(); index !== undefined; index = account.run()) next(index);
  account.end();
  return {
    account,
    venue: venues[0] as TapeVenue,
    taken,
    fills: parts.map(({ fills }) => fills),
    heard: parts.map(({ heard }) => heard),
  };

  function next(index: number): void {
    const chunk = chunks[index]?.shift();
    if (chunk === undefined) account.finish(index);
    else account.open(index, chunk.rows, chunk.facts);
  }
}

function chunksOf(scene: Scene, cut: (row: number) => boolean) {
  const pieces: Trade[][] = [[]];
  for (const [row, trade] of scene.tape.entries()) {
    pieces.at(-1)?.push(trade);
    if (cut(row) && row + 1 < scene.tape.length) pieces.push([]);
  }
  let facts = known(scene);
  return pieces.map((piece) => {
    const { time } = piece.at(-1) as Trade;
    const due = facts.filter((fact) => fact.time <= time);
    facts = facts.slice(due.length);
    return { rows: TradeColumns.of(piece), facts: due };
  });
}

function words({ core, position, watch }: TapeSession) {
  const { roundTrips, drawdown } = watch;
  return {
    decisions: core.decisionHash(),
    wants: core.engine.wantsHash(),
    counts: core.counts,
    reasons: core.reasons,
    settled: settled(position),
    lots: position.lots,
    worst: drawdown.worst,
    trips: roundTrips.done,
    equity: watch.equity,
    leverage: [watch.exposure.meanLeverage, watch.exposure.maxLeverage, watch.exposure.heldMs],
  };
}

const fillText = ({ time, side, lots, ticks, fee, liquidity }: Fill) =>
  `${time} ${side} ${lots}@${ticks} ${fee} ${liquidity}`;

const latencies = fc.constantFrom(0, 1, 10, 50);
/** So little that orders are refused for it, and positions liquidated. */
const smallCapital = fc.constantFrom(10, 20, 40);
const cuts = fc.constantFrom(1, 2, 7, 31);

describe('several sessions on one account', () => {
  it('decide and get what each does alone, as long as money and limits do not bind', () => {
    fc.assert(
      fc.property(scenes, latencies, cuts, fc.boolean(), (all, latency, every, hasStops) => {
        const setting = { capital: 1_000_000, latency, hasStops };
        const { account, fills, heard } = together(all, setting, (row) => row % every === 0);
        for (const [at, scene] of all.entries()) {
          const one = alone(scene, at, setting);
          expect(heard[at]).toEqual(one.heard);
          expect(words(account.sessions[at] as TapeSession)).toEqual(words(one.session));
          expect((fills[at] as Fill[]).map(fillText)).toEqual(one.fills.map(fillText));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are told nothing that was before what they were told already', () => {
    let gaps = 0;
    fc.assert(
      fc.property(
        scenes,
        latencies,
        fc.oneof(fc.constant(1_000_000), smallCapital),
        (all, latency, capital) => {
          const setting = { capital, latency };
          const scenes = capital === 1_000_000 ? all : all.map(wild);
          const one = alone(scenes[0] as Scene, 0, setting);
          for (const heard of [one.heard, ...together(scenes, setting).heard]) {
            expect(heard).toEqual(heard.toSorted((a, b) => a - b));
          }
          gaps += one.session.core.counts.gaps;
        },
      ),
      { numRuns: 300 },
    );
    expect(gaps).toBeGreaterThan(100);
  });

  it('make an account whose equity is that of all, at every print and at the end of every hour', () => {
    let falls = 0;
    let hours = 0;
    fc.assert(
      fc.property(scenes, fc.constantFrom(60, 1_000, 1_000), (all, capital) => {
        // No two prints at one time, and days of them.
        const slow = all.map((scene, at) => ({
          ...wild(scene),
          tape: wild(scene).tape.map((trade, row) => ({
            ...trade,
            time: 1_700_000_000_000 + (trade.time - 1_700_000_000_000) * 2_000 + row * 10 + at,
          })),
          facts: [],
          gaps: [],
        }));
        const setting = { capital, latency: 3 };
        const { account, fills } = together(slow, setting);
        const expected = recomputed(slow, fills, capital, account.ruinedAt);
        const { drawdown, closes, equity } = account.watch;
        expect(drawdown.worst).toBeCloseTo(expected.worst, 12);
        expect(equity).toBeCloseTo(expected.equity, 7);
        const seen = Array.from({ length: closes.count }, (_, at) => closes.equityAt(at));
        expect(seen).toHaveLength(expected.closes.length);
        const errors = seen.map((each, hour) => Math.abs(each - (expected.closes[hour] as number)));
        expect(Math.max(0, ...errors)).toBeLessThan(1e-6);
        if (expected.worst < -0.001) falls++;
        hours += seen.length;
      }),
      { numRuns: 25 },
    );
    expect(falls).toBeGreaterThan(2);
    expect(hours).toBeGreaterThan(10);
  });

  it('come to the same however the recordings are cut', () => {
    const limits: Limits = { ...NO_LIMITS, maxDailyLoss: 2, maxOpenOrders: 3, maxGrossNotional: 900 };
    fc.assert(
      fc.property(
        scenes,
        latencies,
        smallCapital,
        fc.boolean(),
        fc.constantFrom(false, false, false, false, true),
        cuts,
        (made, latency, capital, limited, sparse, every) => {
          const all = made.map(wild).map((scene) => (sparse ? later(scene) : scene));
          const setting = { capital, latency, hasStops: every % 2 === 1, ...(limited ? { limits } : {}) };
          const whole = together(all, setting);
          const cut = together(all, setting, (row) => row % every === 0);
          expect(cut.account.sessions.map(words)).toEqual(whole.account.sessions.map(words));
          expect(cut.fills.map((each) => each.map(fillText))).toEqual(
            whole.fills.map((each) => each.map(fillText)),
          );
          expect(ofAccount(cut.account)).toEqual(ofAccount(whole.account));
          expect(cut.account.ruinedAt).toBe(whole.account.ruinedAt);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('have together what the venue says the account has', () => {
    let seizures = 0;
    let ruins = 0;
    fc.assert(
      fc.property(scenes, latencies, smallCapital, fc.boolean(), (all, latency, capital, hasStops) => {
        const { account, venue, taken } = together(all.map(wild), { capital, latency, hasStops });
        const cash = venue.account.balances.get('USD')?.cash;
        const units = 10n ** BigInt((MARKETS[0] as Market).quotePrecision);
        const heard = account.sessions.reduce((sum, { position }) => sum + settled(position), 0n);
        expect(BigInt(capital) * units + heard).toBe(cash);
        if (taken.size > 1) seizures++;
        if (account.ruinedAt !== undefined) ruins++;
        // What floats come to is not nothing, and yet the account has nothing.
        if (cash === 0n && account.sessions.every(({ position }) => position.lots === 0)) {
          expect(account.ruinedAt).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
    expect(seizures).toBeGreaterThan(0);
    expect(ruins).toBeGreaterThan(1);
  });
});

function ofAccount({ watch: { drawdown, equity, exposure } }: SharedAccount) {
  const { heldMs, meanEquity, meanLeverage, maxLeverage } = exposure;
  return {
    worst: drawdown.worst,
    valley: drawdown.valleyTime,
    equity,
    heldMs,
    meanEquity,
    meanLeverage,
    maxLeverage,
  };
}

/** Simple loops over prints and fills: at each print, what every market holds by then at its newest price. */
/** An account that is ruined has no hours after that. */
function recomputed(
  all: readonly Scene[],
  fills: readonly (readonly Fill[])[],
  capital: number,
  ruinedAt = Number.POSITIVE_INFINITY,
) {
  const prints = all
    .flatMap(({ tape }, at) => tape.map(({ time, price }) => ({ time, price, at })))
    .sort((a, b) => a.time - b.time);
  const prices: number[] = [];
  const closes: number[] = [];
  let equity = capital;
  let peak = capital;
  let worst = 0;
  let hour = 0;
  for (const { time, price, at } of prints) {
    if (hour === 0) hour = (Math.floor(time / 3_600_000) + 1) * 3_600_000;
    for (; hour <= Math.min(time, ruinedAt); hour += 3_600_000) closes.push(equity);
    prices[at] = price;
    equity = capital;
    for (const [market, own] of fills.entries()) {
      for (const fill of own) {
        if (fill.time > time) continue;
        const quantity = (fill.side === 'buy' ? fill.lots : -fill.lots) / 1_000;
        const { quotePrecision } = MARKETS[market] as Market;
        equity +=
          quantity * ((prices[market] as number) - fill.ticks / 10) - Number(fill.fee) / 10 ** quotePrecision;
      }
    }
    peak = Math.max(peak, equity);
    worst = Math.min(worst, equity / peak - 1);
  }
  return { worst, equity, closes };
}
