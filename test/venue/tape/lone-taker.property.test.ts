import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Approved } from '../../../src/model/command.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket, type Market } from '../../../src/model/market.js';
import { rateOf } from '../../../src/model/money.js';
import { type OrderTerms, TRIGGER_EVENTS } from '../../../src/model/order.js';
import type { ExecutionReport } from '../../../src/model/report.js';
import type { WorldFact } from '../../../src/model/world-fact.js';
import type { CoreFill } from '../../../src/venue/core/core-fill.js';
import type { TapePrints } from '../../../src/venue/liquidity.js';
import { FILL_MODELS } from '../../../src/venue/tape/fill-model.js';
import type { TapeVenueOptions } from '../../../src/venue/tape/tape-parts.js';
import { TapeVenue, tapeVenues } from '../../../src/venue/tape/tape-venue.js';

/** An account with one market keeps a MARKET order that has nothing beside it out of the core; one of several never does. */
const PAIR = 'USD_X';

function market(more: { step?: number; taker?: string; active?: boolean } = {}): Market {
  return defineMarket({
    pair: PAIR,
    base: 'X',
    quote: 'USD',
    price: { min: '0.1', max: 10_000, step: more.step ?? 0.1 },
    quantity: { min: 1, max: 40, step: 1 },
    interest: { min: 0, max: 25, step: 1 },
    fees: { maker: '0.0002', taker: more.taker ?? '0.00063' },
    ...(more.active === undefined ? {} : { active: more.active }),
  });
}

const MARKETS = [
  market(),
  market({ step: 0.5 }),
  market({ taker: '-0.0001' }),
  market({ active: false }),
  market(),
];

interface Row {
  readonly pause: number;
  readonly move: number;
  readonly quantity: number;
  readonly isSell: boolean;
  readonly isOwn: boolean;
  readonly act: Act;
}

type Act =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'place'; readonly terms: OrderTerms }
  | { readonly kind: 'cancel'; readonly back: number }
  | { readonly kind: 'look' | 'advance' | 'cut' }
  | { readonly kind: 'learn'; readonly what: number };

const side = fc.constantFrom('buy' as const, 'sell' as const);
const lots = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 70 }) },
);

const marketTerms = fc
  .record({
    side,
    lots,
    timeInForce: fc.constantFrom(
      'IOC' as const,
      'IOC' as const,
      'IOC' as const,
      'IOC' as const,
      'FOK' as const,
    ),
    reduceOnly: fc.constantFrom(false, false, true),
  })
  .map(
    (terms): OrderTerms => ({
      ...terms,
      lots: terms.lots as Lots,
      type: 'market',
      ticks: undefined,
      postOnly: false,
    }),
  );
const limitTerms = fc
  .record({ side, lots, ticks: fc.integer({ min: 980, max: 1_020 }), reduceOnly: fc.boolean() })
  .map(
    (terms): OrderTerms => ({
      ...terms,
      lots: terms.lots as Lots,
      ticks: terms.ticks as Ticks,
      type: 'limit',
      timeInForce: 'GTC',
      postOnly: false,
    }),
  );

/** Mostly the stops of a bot; any other order may wait as well. */
const stopTerms = fc
  .record({
    terms: fc.oneof({ weight: 5, arbitrary: marketTerms }, { weight: 1, arbitrary: limitTerms }),
    reduceOnly: fc.constantFrom(true, true, true, false),
    ticks: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 985, max: 1_015 }) },
      { weight: 1, arbitrary: fc.integer({ min: 900, max: 1_100 }) },
    ),
    event: fc.constantFrom('last' as const, 'last' as const, ...TRIGGER_EVENTS),
  })
  .map(
    ({ terms, reduceOnly, ticks, event }): OrderTerms => ({
      ...terms,
      reduceOnly,
      trigger: { ticks: ticks as Ticks, event },
    }),
  );

const act = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Act>({ kind: 'nothing' }) },
  { weight: 8, arbitrary: marketTerms.map((terms): Act => ({ kind: 'place', terms })) },
  { weight: 1, arbitrary: limitTerms.map((terms): Act => ({ kind: 'place', terms })) },
  { weight: 2, arbitrary: stopTerms.map((terms): Act => ({ kind: 'place', terms })) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2 }).map((back): Act => ({ kind: 'cancel', back })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Act>({ kind: 'look' }, { kind: 'advance' }, { kind: 'cut' }, { kind: 'cut' }),
  },
  { weight: 1, arbitrary: fc.nat(30).map((what): Act => ({ kind: 'learn', what })) },
);

const tapes = fc.array(
  fc.record({
    pause: fc.constantFrom(0, 0, 1, 5, 49, 51, 120, 700),
    move: fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(-90, 90, 0.5, -40, 40) },
    ),
    quantity: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) },
      { weight: 1, arbitrary: fc.constantFrom(0, 0.4, 200) },
    ),
    isSell: fc.boolean(),
    isOwn: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
    act,
  }),
  { minLength: 20, maxLength: 120 },
);

/** What a fill tells, the texts and the money that are made of it included. */
function told(report: ExecutionReport): unknown {
  if (report.kind !== 'filled' && report.kind !== 'late-fill') return report;
  const { fill, ...rest } = report;
  const {
    id,
    orderId,
    pair,
    time,
    lots: size,
    ticks,
    liquidity,
    fee,
    grossFee,
    realised,
    orderType,
  } = fill as CoreFill;
  return {
    ...rest,
    id,
    orderId,
    pair,
    at: time,
    side: fill.side,
    size,
    ticks,
    liquidity,
    fee,
    grossFee,
    realised,
    orderType,
  };
}

class Player {
  readonly venue: TapeVenue;
  readonly told: unknown[] = [];
  readonly #quiet = { until: 0, above: 0, below: 0 };
  readonly #stops = new Set<number | undefined>();
  readonly #accepted: { readonly intentId: number; readonly orderId: string }[] = [];
  #intents = 0;

  constructor(venue: TapeVenue) {
    this.venue = venue;
  }

  play(
    tape: readonly Row[],
    prints: TapePrints & { readonly time: Float64Array },
    takesPassing: boolean,
  ): void {
    let from = 0;
    this.venue.openRows(prints);
    tape.forEach(({ act: what }, row) => {
      const time = prints.time[row] as number;
      const at = row - from;
      // The loop of a backtest does not give what passes.
      const passes = this.venue.isPassing(at) && time < this.#quiet.until;
      this.told.push(`passes ${String(passes)}`);
      if (!passes || !takesPassing) this.told.push(this.venue.printRow(at));
      this.#news();
      if (what.kind === 'cut' && row + 1 < tape.length) {
        this.venue.closeRows(at + 1);
        from = row + 1;
        this.venue.openRows(cutAt(prints, from));
      } else this.#act(what, at, time);
      this.venue.putQuiet(this.#quiet);
      this.told.push({ ...this.#quiet }, this.venue.quietAbove, this.venue.quietBelow, this.venue.quietUntil);
    });
    this.venue.closeRows(tape.length - from);
    this.venue.advance((prints.time[tape.length - 1] as number) + 60_000);
    this.#news();
    this.#look();
  }

  #act(what: Act, row: number, time: number): void {
    switch (what.kind) {
      case 'place':
        if (what.terms.trigger !== undefined) this.#stops.add(this.#intents + 1);
        this.#submit(
          { kind: 'place', intentId: ++this.#intents, pair: PAIR, terms: what.terms, want: undefined },
          time,
        );
        break;
      case 'cancel': {
        const order = this.#accepted.at(-1 - what.back);
        if (order !== undefined)
          this.#submit({ kind: 'cancel', ...order, pair: PAIR, want: undefined }, time);
        break;
      }
      case 'look':
        this.#look();
        break;
      case 'advance':
        this.told.push(this.venue.advanceRows(row + 1, time));
        this.#news();
        break;
      case 'learn':
        this.told.push(this.venue.learn(factOf(what.what, time), row + 1));
        this.#news();
        break;
      case 'nothing':
      case 'cut':
    }
  }

  #submit(command: object, time: number): void {
    this.venue.submit(command as Approved, time);
  }

  #look(): void {
    const { venue } = this;
    const { lots: held, cost, realised, fees, funding } = venue.position;
    const orders = venue.core
      .orders(venue.account, 'active')
      .map(({ id, leaves, limitTicks, acceptedAt, updatedAt, acceptedMark, isTaking, filled, fills }) => ({
        id,
        leaves,
        limitTicks,
        acceptedAt,
        updatedAt,
        acceptedMark,
        isTaking,
        filled,
        fills: fills.map(({ id: fillId, lots: size }) => `${fillId} ${size}`),
      }));
    const triggers = venue.core
      .triggers(venue.account)
      .map(({ id, status, message }) => ({ id, status, message }));
    this.told.push(
      { held, cost, realised, fees, funding, orders, triggers, available: venue.available() },
      venue.queueAhead,
    );
    this.told.push(
      venue.core.balances(venue.account),
      venue.core.margin(venue.account, PAIR),
      venue.mark,
      venue.touch(),
    );
  }

  #news(): void {
    const { reports } = this.venue;
    for (const report of reports) {
      if (report.kind === 'accepted') {
        const { intentId, orderId } = report;
        this.#accepted.push({ intentId, orderId });
      }
      const item = told(report) as object;
      this.told.push(this.#stops.has(report.intentId) ? { ...item, isStop: true } : item);
    }
    reports.length = 0;
  }
}

function factOf(what: number, time: number): WorldFact {
  if (what < 8) return { kind: 'market', time, market: MARKETS[what % MARKETS.length] as Market };
  if (what < 12) return { kind: 'funding', time, rate: rateOf(`0.000${what}`) };
  const price = what < 28 ? 100 + (what - 20) / 10 : 100 + (what - 29) * 40;
  const ticker = {
    time,
    lastPrice: price,
    markPrice: price,
    indexPrice: price,
    bidPrice: price - 0.1,
    askPrice: price + 0.1,
    bidQuantity: 1,
    askQuantity: 1,
  };
  return { kind: 'ticker', time, ticker };
}

function printsOf(tape: readonly Row[]): TapePrints {
  const time = new Float64Array(tape.length);
  const price = new Float64Array(tape.length);
  let now = 1_000_000;
  let ticks = 1_000;
  tape.forEach(({ pause, move }, row) => {
    now += pause;
    ticks = Math.max(10, ticks + move);
    time[row] = now;
    price[row] = ticks / 10;
  });
  return {
    time,
    price,
    quantity: Float64Array.from(tape, ({ quantity }) => quantity),
    isBuyerMaker: Uint8Array.from(tape, ({ isSell }) => (isSell ? 1 : 0)),
    isOwn: Uint8Array.from(tape, ({ isOwn }) => (isOwn ? 1 : 0)),
  };
}

function cutAt({ time, price, quantity, isBuyerMaker, isOwn }: TapePrints, from: number): TapePrints {
  return {
    time: time.subarray(from),
    price: price.subarray(from),
    quantity: quantity.subarray(from),
    isBuyerMaker: isBuyerMaker.subarray(from),
    isOwn: isOwn?.subarray(from),
  };
}

describe('a MARKET order that is alone', () => {
  it('is to everybody what it would be in the core', () => {
    const seen = new Map<string, number>();
    const options = fc.record({
      deposit: fc.constantFrom('100000000', '3000', '150', '60', '60', '9007199254740993'),
      latency: fc.constantFrom(
        { placeMs: 0, cancelMs: 0 },
        { placeMs: 50, cancelMs: 50 },
        { placeMs: 50, cancelMs: 3 },
      ),
      model: fc.constantFrom(...FILL_MODELS),
      slippageTicks: fc.constantFrom(0, 2),
      takerWindows: fc.constantFrom({}, { market: 300 }),
    });
    fc.assert(
      fc.property(tapes, options, fc.boolean(), (tape, given, takesPassing) => {
        const all: TapeVenueOptions = { market: MARKETS[0] as Market, ...given };
        const prints = printsOf(tape);
        const [alone, inCore] = [new TapeVenue(all), tapeVenues([all])[0] as TapeVenue].map((venue) => {
          const player = new Player(venue);
          player.play(tape, prints, takesPassing);
          return player.told;
        });
        expect(alone).toEqual(inCore);
        for (const item of alone ?? []) {
          if (typeof item !== 'object' || item === null || !('kind' in item)) continue;
          const { kind, reason, liquidity, isStop } = item as {
            kind: string;
            reason?: string;
            liquidity?: string;
            isStop?: boolean;
          };
          const key = [isStop === true && 'stop', kind, liquidity, kind === 'canceled' && reason]
            .filter(Boolean)
            .join(' ');
          seen.set(key, (seen.get(key) ?? 0) + 1);
        }
      }),
      { numRuns: 1_000 },
    );
    // The comparison means nothing for what the scripts hardly do.
    for (const kind of [
      'accepted',
      'filled taker',
      'filled maker',
      'rejected',
      'cancel-rejected',
      'canceled requested',
      'canceled no liquidity',
      'canceled position closed',
      'canceled nothing to reduce',
      'canceled FOK cannot fill',
      'stop accepted',
      'stop filled taker',
      'stop canceled requested',
      'stop canceled nothing to reduce',
    ]) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(100);
    }
    // Some twenty of each in a run of the test.
    for (const kind of [
      'canceled self-trade',
      'late-fill taker',
      'canceled liquidation',
      'stop canceled position closed',
      'stop canceled trigger refused',
    ]) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(3);
    }
  });
});
