import { describe, expect, it } from 'vitest';
import type { Approved, Command } from '../../../src/model/command.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { defineMarket } from '../../../src/model/market.js';
import type { OrderTerms } from '../../../src/model/order.js';
import type { Side } from '../../../src/model/side.js';
import { BarsVenue } from '../../../src/venue/tape/bars-venue.js';
import { type FillModel, THROUGH, TOUCH } from '../../../src/venue/tape/fill-model.js';

/** Tick 1, lot 1, no fees; a position needs a tenth of its value, and a twentieth to stay. */
const MARKET = defineMarket({
  pair: 'USD_X',
  base: 'X',
  quote: 'USD',
  price: { min: 0, max: 1_000_000, step: 1 },
  quantity: { min: 1, max: 1_000_000, step: 1 },
  fees: { maker: 0, taker: 0 },
  margin: { initial: '0.1', maintenance: '0.05', initialRiskLimit: 0, maintenanceRiskLimit: 0 },
});

const SECOND = 1_000;

type BarOf = readonly [open: number, high: number, low: number, close: number, volume: number];

const STILL: BarOf = [100, 100, 100, 100, 1_000];

/** Bars of a second, the first from 0 on. What is placed counts as sent at the end of the newest bar. */
class Tape {
  readonly venue: BarsVenue;
  readonly #log: string[] = [];
  #bars = 0;
  #intents = 0;

  constructor({ model = THROUGH, slippageTicks = 0, deposit = 1_000_000, latencyMs = 0 }: Conditions = {}) {
    const latency = { placeMs: latencyMs, cancelMs: latencyMs };
    this.venue = new BarsVenue({ market: MARKET, deposit, model, slippageTicks, latency });
  }

  get end(): number {
    return this.#bars * SECOND;
  }

  bar([open, high, low, close, volume]: BarOf, atOpen?: () => void): this {
    const bar = { time: this.end, end: this.end + SECOND, open, high, low, close, volume };
    this.venue.open(bar);
    atOpen?.();
    if (this.venue.isWorstFirst) this.venue.bear(bar);
    this.venue.pass(bar);
    this.#bars++;
    return this;
  }

  place(side: Side, lots: number, more: Partial<OrderTerms> = {}, sentAt = this.end): number {
    const terms: OrderTerms = {
      side,
      lots: lots as Lots,
      type: more.ticks === undefined ? 'market' : 'limit',
      ticks: undefined,
      timeInForce: more.ticks === undefined ? 'IOC' : 'GTC',
      postOnly: false,
      reduceOnly: false,
      ...more,
    };
    const intentId = ++this.#intents;
    this.#send({ kind: 'place', intentId, pair: MARKET.pair, terms, want: undefined }, sentAt);
    return intentId;
  }

  stop(side: Side, lots: number, ticks: number, sentAt?: number): number {
    return this.place(
      side,
      lots,
      { reduceOnly: true, trigger: { ticks: ticks as Ticks, event: 'last' } },
      sentAt,
    );
  }

  cancel(intentId: number, orderId: string): void {
    this.#send({ kind: 'cancel', intentId, pair: MARKET.pair, orderId, want: undefined }, this.end);
  }

  /** All that was reported since the last call, acceptances left out. */
  news(): string[] {
    for (const report of this.venue.reports.splice(0)) {
      const head = `${report.time} #${report.intentId}`;
      if (report.kind === 'accepted') continue;
      if (report.kind === 'filled' || report.kind === 'late-fill') {
        const { lots, ticks, liquidity } = report.fill;
        this.#log.push(`${head} ${report.kind === 'filled' ? liquidity : report.kind} ${lots}@${ticks}`);
      } else this.#log.push(`${head} ${report.kind}: ${'reason' in report ? report.reason : ''}`);
    }
    return this.#log.splice(0);
  }

  #send(command: Command, sentAt: number): void {
    this.venue.submit(command as Approved, sentAt);
  }
}

interface Conditions {
  readonly model?: FillModel;
  readonly slippageTicks?: number;
  readonly deposit?: number;
  readonly latencyMs?: number;
}

/** Order 1, a limit order so that no slippage matters, made a position of 10 at 100, at the open of the second bar. */
function held(side: Side, conditions?: Conditions): Tape {
  const tape = new Tape(conditions).bar(STILL);
  tape.place(side, 10, { ticks: 100 as Ticks, timeInForce: 'IOC' });
  tape.bar(STILL);
  expect(tape.news()).toEqual(['1000 #1 taker 10@100']);
  return tape;
}

describe('a stop on bars', () => {
  it('fires in a bar whose range reaches it and trades at its price, worsened by the slippage of the model', () => {
    for (const [model, price] of [
      [THROUGH, 91],
      [TOUCH, 95],
    ] as const) {
      const tape = held('buy', { model, slippageTicks: 2 });
      tape.stop('sell', 10, 95);
      tape.bar([100, 101, 96, 96, 50]);
      expect(tape.news()).toEqual([]);
      tape.bar([96, 99, 95, 99, 50]);
      expect(tape.news()).toEqual([`3999 #2 taker 10@${price}`]);
    }
  });

  it('above a short is reached by the high of a bar', () => {
    const tape = held('sell', { slippageTicks: 1 });
    tape.stop('buy', 10, 105);
    tape.bar([100, 104, 90, 100, 50]);
    expect(tape.news()).toEqual([]);
    tape.bar([100, 130, 100, 100, 50]);
    expect(tape.news()).toEqual(['3999 #2 taker 10@107']);
  });

  it('that a bar opens beyond trades at that open', () => {
    const tape = held('buy', { slippageTicks: 2 });
    tape.stop('sell', 10, 95);
    // What the bar does after that is too late for it.
    tape.bar([90, 101, 80, 100, 50]);
    expect(tape.news()).toEqual(['2000 #2 taker 10@86']);
  });

  it('gets no more than the volume of the bar, and the rest of it ends', () => {
    const tape = held('buy');
    tape.stop('sell', 10, 95);
    tape.bar([100, 100, 94, 100, 6]);
    expect(tape.news()).toEqual(['2999 #2 taker 6@95', '2999 #2 canceled: no liquidity']);
    expect(tape.venue.core.position(tape.venue.account, MARKET.pair).lots).toBe(4);
  });

  it('of more than the position closes it, and turns nothing around', () => {
    const tape = held('buy');
    tape.stop('sell', 25, 95);
    tape.bar([100, 100, 94, 100, 1_000]);
    expect(tape.news()).toEqual(['2999 #2 taker 10@95', '2999 #2 canceled: position closed']);
  });

  it('waits on when the position is closed, and has nothing to reduce when it fires', () => {
    const tape = held('buy');
    tape.stop('sell', 10, 95);
    tape.place('sell', 10);
    tape.bar(STILL);
    expect(tape.news()).toEqual(['2000 #3 taker 10@100']);
    expect(tape.venue.core.triggers(tape.venue.account)).toHaveLength(1);
    tape.bar([100, 100, 94, 100, 1_000]);
    expect(tape.news()).toEqual(['3999 #2 canceled: nothing to reduce']);
  });

  it('can be canceled while it waits', () => {
    const tape = held('buy');
    tape.stop('sell', 10, 95);
    tape.bar(STILL);
    tape.cancel(2, '2');
    tape.bar([100, 100, 90, 100, 1_000]);
    expect(tape.news()).toEqual(['3000 #2 canceled: requested']);
  });

  it('nearer to the price fires first, whichever was placed first', () => {
    const tape = held('buy');
    tape.stop('sell', 10, 95);
    tape.stop('sell', 4, 97);
    tape.bar([100, 100, 94, 100, 1_000]);
    expect(tape.news()).toEqual([
      '2999 #3 taker 4@97',
      '2999 #2 taker 6@95',
      '2999 #2 canceled: position closed',
    ]);
  });
});

describe('a stop that is placed inside a bar', () => {
  it('does not fire in that bar; its direction follows from the open, the last price known by then', () => {
    for (const [next, fill] of [
      // The next bar opens beyond it.
      [[94, 99, 90, 99, 50], '2000 #2 taker 10@94'],
      // The price came back above it: it waits until it falls there again.
      [[97, 99, 95, 99, 50], '2999 #2 taker 10@95'],
      [[97, 120, 96, 99, 50], undefined],
    ] as const) {
      const tape = new Tape().bar(STILL);
      tape.place('buy', 10);
      tape.bar([100, 100, 80, 93, 1_000], () => tape.stop('sell', 10, 95, 1_000));
      expect(tape.news()).toEqual(['1000 #1 taker 10@100']);
      tape.bar(next);
      expect(tape.news()).toEqual(fill === undefined ? [] : [fill]);
    }
  });

  it('arrives 50 ms later in the next bar, and is live from the one after that', () => {
    const tape = held('buy', { latencyMs: 0 });
    expect(tape.end).toBe(2_000);
    tape.stop('sell', 10, 95, 2_050);
    tape.bar([100, 100, 80, 93, 1_000]);
    expect(tape.news()).toEqual([]);
    tape.bar([92, 99, 90, 99, 50]);
    expect(tape.news()).toEqual(['3000 #2 taker 10@92']);
  });

  it('at the end of a bar takes its direction from the close: above it, it waits for the price to rise', () => {
    const tape = held('buy');
    tape.bar([100, 100, 93, 93, 1_000]);
    tape.stop('sell', 10, 95);
    tape.bar([93, 94, 80, 90, 1_000]);
    expect(tape.news()).toEqual([]);
    tape.bar([90, 96, 90, 96, 1_000]);
    expect(tape.news()).toEqual(['4999 #2 taker 10@95']);
  });

  it('before any bar takes its direction from the first open', () => {
    const tape = new Tape();
    tape.stop('sell', 10, 95, -1);
    tape.place('buy', 10, {}, 0);
    tape.bar(STILL).bar([100, 100, 95, 100, 1_000]);
    expect(tape.news()).toEqual(['0 #2 taker 10@100', '1999 #1 taker 10@95']);
  });
});

describe('a stop and another order in one bar', () => {
  const both: BarOf = [100, 106, 94, 100, 1_000];

  it('the stop before the target in through, and the target before the stop in touch', () => {
    for (const [model, told] of [
      [THROUGH, ['2999 #2 taker 10@95', '2999 #3 canceled: position closed']],
      [TOUCH, ['2999 #3 maker 10@105', '2999 #2 canceled: nothing to reduce']],
    ] as const) {
      const tape = held('buy', { model });
      tape.stop('sell', 10, 95);
      tape.place('sell', 10, { ticks: 105 as Ticks, reduceOnly: true });
      tape.bar(both);
      expect(tape.news()).toEqual(told);
    }
  });

  it('of two triggers the one on the way to the worst price, in both models', () => {
    for (const model of [THROUGH, TOUCH]) {
      const tape = held('buy', { model });
      tape.stop('sell', 10, 95);
      tape.stop('sell', 10, 105);
      tape.bar(both);
      expect(tape.news()).toEqual(['2999 #2 taker 10@95', '2999 #3 canceled: nothing to reduce']);
    }
  });

  it('leaves resting orders what it did not take of the volume', () => {
    const tape = held('buy');
    tape.stop('sell', 10, 95);
    tape.place('sell', 10, { ticks: 105 as Ticks });
    // 12 lots: 10 for the stop, and of a tenth of the bar, 1.
    tape.bar([100, 106, 94, 100, 12]);
    expect(tape.news()).toEqual(['2999 #2 taker 10@95', '2999 #3 maker 1@105']);
    const thin = held('buy');
    thin.stop('sell', 10, 95);
    thin.place('sell', 10, { ticks: 105 as Ticks });
    thin.bar([100, 106, 94, 100, 10]);
    expect(thin.news()).toEqual(['2999 #2 taker 10@95']);
  });
});

/** 220 of cash behind 10 from 100: 220 + 10 (p − 100) is a twentieth of 10 p at p = 82.1. */
describe('a stop of a position that its bar would liquidate', () => {
  const crash: BarOf = [100, 100, 80, 100, 1_000];

  it('ends it before, if it is nearer to the price', () => {
    for (const model of [THROUGH, TOUCH]) {
      const tape = held('buy', { deposit: 220, model });
      tape.stop('sell', 10, 87);
      tape.bar(crash);
      expect(tape.news()).toEqual(['2999 #2 taker 10@87']);
    }
  });

  it('is refused when it fires so near to it that the edge of the band is beyond what the account can pay', () => {
    const tape = held('buy', { deposit: 220 });
    tape.stop('sell', 10, 86);
    tape.bar(crash);
    // The band ends at 77.4, on the tick 78, and 220 − 10 × 22 would be 0: it is admitted (`money.md` §3).
    expect(tape.news()).toEqual(['2999 #2 taker 10@86']);
    const nearer = held('buy', { deposit: 220 });
    nearer.stop('sell', 10, 85);
    nearer.bar(crash);
    // At 77, 220 − 10 × 23 is less than nothing.
    expect(nearer.news()).toEqual(['2999 #2 canceled: trigger refused', '2999 #undefined late-fill 10@80']);
  });

  it('has nothing to reduce any more, if it is farther from it', () => {
    for (const model of [THROUGH, TOUCH]) {
      const tape = held('buy', { deposit: 220, model });
      tape.stop('sell', 10, 82);
      tape.bar(crash);
      expect(tape.news()).toEqual(['2999 #undefined late-fill 10@82', '2999 #2 canceled: nothing to reduce']);
    }
  });

  it('leaves the rest of it to be liquidated at the worst price of the bar', () => {
    const tape = held('buy', { deposit: 220 });
    tape.stop('sell', 2, 90);
    // 200 are left, and 200 + 8 (p − 100) is a twentieth of 8 p at p = 78.9.
    tape.bar([100, 100, 77, 100, 1_000]);
    expect(tape.news()).toEqual(['2999 #2 taker 2@90', '2999 #undefined late-fill 8@77']);
  });
});
