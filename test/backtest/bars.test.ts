import { NO_RATES } from '../../src/storage/facts/recorded-rates.js';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { lookahead } from '../../src/backtest/lookahead.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { Fill } from '../../src/model/fill.js';
import { rateOf } from '../../src/model/money.js';
import type { TradeGap } from '../../src/model/trade.js';
import { type BarColumns, type BarRow, barColumns } from '../../src/storage/rows/bar-columns.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { defineStrategy, type StrategyDefinition } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import marketMaker from '../../strategies/market-maker.js';
import smaCross from '../../strategies/sma-cross.js';
import { importData } from '../../src/storage/import/import-bars.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { files, folder } from '../storage/support.js';
import { BTC } from '../support/markets.js';

const MINUTE = 60_000;
const START = 1_640_995_200_000;

function recordingOf(
  rows: readonly BarRow[],
  chunk = rows.length,
  gaps: readonly TradeGap[] = [],
): Recording {
  return {
    pair: BTC.pair,
    kind: 'bars',
    folders: [],
    days: [],
    market: BTC,
    marketSource: 'given',
    rates: NO_RATES,
    marginChangedAt: undefined,
    gaps,
    barMs: MINUTE,
    async *chunks() {},
    async *bars() {
      for (let from = 0; from < rows.length; from += chunk) {
        yield barColumns(rows.slice(from, from + chunk), MINUTE);
      }
    },
    async *facts() {},
  };
}

type BarOf = readonly [open: number, high: number, low: number, close: number, volume: number];

/** Bars that open one minute after the other: [open, high, low, close, volume]. */
function bars(...rows: readonly BarOf[]): BarRow[] {
  return rows.map(([open, high, low, close, volume], i) => ({
    time: START + i * MINUTE,
    open,
    high,
    low,
    close,
    volume,
  }));
}

/** Says the n-th want at the close of the n-th bar. */
function script(...wants: readonly (Want | undefined)[]): StrategyDefinition {
  return defineStrategy({
    name: 'script',
    params: { bars: barInterval({ default: '1m' }) },
    create() {
      let bar = 0;
      return { onBar: () => wants[bar++] };
    },
  });
}

async function run(
  definition: StrategyDefinition,
  recording: Recording,
  options: {
    readonly fill?: 'all' | 'through' | 'queue' | 'touch';
    readonly slippageTicks?: number;
    readonly latencyMs?: number;
    readonly capital?: string;
    readonly limits?: Partial<Limits>;
  } = {},
) {
  const fills: Fill[] = [];
  const { result, runs } = await runBacktest({
    strategy: bindStrategy(definition),
    strategyHash: 'none',
    recording,
    capital: options.capital ?? '100000',
    engineVersion: 'test',
    onFill: (fill) => fills.push(fill),
    ...(options.limits === undefined ? {} : { limits: { ...NO_LIMITS, ...options.limits } }),
    ...(options.fill === undefined ? {} : { fill: options.fill }),
    ...(options.slippageTicks === undefined ? {} : { slippageTicks: options.slippageTicks }),
    ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
  });
  const said = fills.map(
    ({ time, side, lots, ticks, liquidity }) =>
      `${(time - START) / MINUTE} ${side} ${lots} @ ${ticks / 10} ${liquidity}`,
  );
  return { result, runs, said };
}

/** Minutes from the start to the last millisecond of a bar. */
const within = (bar: number) => (bar * MINUTE + MINUTE - 1) / MINUTE;

describe('an order on bars', () => {
  const flatBar = [60_000, 60_000, 60_000, 60_000, 1] as const;

  it('is live from the first bar that opens at or after its arrival, and takes its open, worsened by slippage', async () => {
    const tape = bars(flatBar, [60_010, 60_020, 60_000, 60_010, 1], [60_050, 60_060, 60_040, 60_050, 1]);
    const market = script(holdPosition('0.01'));
    // Decided at the end of bar 0, there 50 ms later: bar 1 is open by then, bar 2 is the first that opens after it.
    const { said, result } = await run(market, recordingOf(tape), { slippageTicks: 3 });
    expect(said).toEqual(['2 buy 10 @ 60050.6 taker']);
    expect(result.headline).toBe('through');
    const touch = await run(market, recordingOf(tape), { slippageTicks: 3, fill: 'touch' });
    expect(touch.said).toEqual(['2 buy 10 @ 60050 taker']);
    // Without latency it is there when the next bar opens, at the end of the one that it was decided at.
    expect((await run(market, recordingOf(tape), { latencyMs: 0 })).said).toEqual(['1 buy 10 @ 60010 taker']);
  });

  it('takes no more than what traded in a bar: the rest is cancelled, and wanted of the next one', async () => {
    const market = script(holdPosition('0.05'));
    const thin = [60_000, 60_000, 60_000, 60_000, 0.02] as const;
    for (const fill of ['through', 'touch'] as const) {
      const { said, result } = await run(market, recordingOf(bars(flatBar, thin, thin)), {
        fill,
        latencyMs: 0,
      });
      expect(said).toEqual(['1 buy 20 @ 60000 taker', '2 buy 20 @ 60000 taker']);
      expect(result.reasons.canceled).toEqual([{ reason: 'no liquidity', count: 2, first: 'no liquidity' }]);
    }
  });

  it('finds nothing in a bar in which nothing traded', async () => {
    const empty = [60_000, 60_000, 60_000, 60_000, 0] as const;
    const { said, result } = await run(script(holdPosition('0.01')), recordingOf(bars(flatBar, empty)), {
      latencyMs: 0,
    });
    expect(said).toEqual([]);
    expect(result.reasons.canceled[0]?.reason).toBe('no liquidity');
  });

  it('that is fill-or-kill takes all or nothing of a bar', async () => {
    const thin = [60_000, 60_000, 60_000, 60_000, 0.02] as const;
    const all = (quantity: string) =>
      script(orders([{ side: 'buy', quantity, price: 60_100, timeInForce: 'FOK' }]));
    const tape = recordingOf(bars(flatBar, thin, thin));
    expect((await run(all('0.02'), tape, { latencyMs: 0 })).said).toEqual(['1 buy 20 @ 60000 taker']);
    const { said, result } = await run(all('0.021'), tape, { latencyMs: 0 });
    expect(said).toEqual([]);
    expect(result.reasons.canceled).toMatchObject([{ reason: 'FOK cannot fill', count: 1 }]);
    expect([result.openOrders, result.rejections, result.refusals]).toEqual([0, 0, 0]);
  });

  it('that rests has what takers left of a bar', async () => {
    const both = script(
      orders([
        { side: 'buy', quantity: '0.03', price: 59_990 },
        { side: 'buy', quantity: '0.015' },
      ]),
    );
    const low = [60_000, 60_000, 59_900, 60_000, 0.02] as const;
    const { said } = await run(both, recordingOf(bars(flatBar, low)), { fill: 'touch', latencyMs: 0 });
    expect(said).toEqual(['1 buy 15 @ 60000 taker', `${within(1)} buy 5 @ 59990 maker`]);
  });

  it('that rests fills at its limit: through needs the bar to go beyond, touch to reach it', async () => {
    const bid = script(quote({ bid: { price: 59_990, quantity: '0.01' }, ask: undefined }));
    const at = (low: number) =>
      recordingOf(bars(flatBar, flatBar, [60_000, 60_000, low, 60_000, 1], flatBar));
    expect((await run(bid, at(59_990))).said).toEqual([]);
    expect((await run(bid, at(59_989.9))).said).toEqual([`${within(2)} buy 10 @ 59990 maker`]);
    expect((await run(bid, at(59_990), { fill: 'touch' })).said).toEqual([
      `${within(2)} buy 10 @ 59990 maker`,
    ]);
    expect((await run(bid, at(59_990.1), { fill: 'touch' })).said).toEqual([]);
  });

  it('takes at most a tenth of the volume of a bar, or all of it with touch', async () => {
    const bid = script(quote({ bid: { price: 59_990, quantity: '0.01' }, ask: undefined }));
    const low = [60_000, 60_000, 59_900, 60_000, 0.045] as const;
    const tape = recordingOf(bars(flatBar, flatBar, low, low, low, flatBar));
    // A tenth of 45 lots are 4 whole ones.
    expect((await run(bid, tape)).said).toEqual([
      `${within(2)} buy 4 @ 59990 maker`,
      `${within(3)} buy 4 @ 59990 maker`,
      `${within(4)} buy 2 @ 59990 maker`,
    ]);
    // The want stands: a second bid is there after bar 3 opened, so it is live from bar 4.
    expect((await run(bid, tape, { fill: 'touch' })).said).toEqual([
      `${within(2)} buy 10 @ 59990 maker`,
      `${within(4)} buy 10 @ 59990 maker`,
    ]);
  });

  it('that rested fills at its limit even where the bar opens beyond it; one that arrives there takes the open', async () => {
    const bid = quote({ bid: { price: 59_990, quantity: '0.01' }, ask: undefined });
    const gap = [59_900, 59_950, 59_880, 59_940, 1] as const;
    expect((await run(script(bid), recordingOf(bars(flatBar, flatBar, flatBar, gap)))).said).toEqual([
      `${within(3)} buy 10 @ 59990 maker`,
    ]);
    const limit = orders([{ side: 'buy', quantity: '0.01', price: 59_990 }]);
    expect((await run(script(limit), recordingOf(bars(flatBar, flatBar, gap)))).said).toEqual([
      '2 buy 10 @ 59900 taker',
    ]);
    // Worsened, though never beyond its limit.
    const worse = await run(
      script(limit),
      recordingOf(bars(flatBar, flatBar, [59_989.9, 59_990, 59_980, 59_985, 1])),
      {
        slippageTicks: 3,
      },
    );
    expect(worse.said).toEqual(['2 buy 10 @ 59990 taker']);
  });

  it('is canceled where it must not take and would', async () => {
    const bid = script(quote({ bid: { price: 59_990, quantity: '0.01' }, ask: undefined }));
    const gap = [59_900, 59_950, 59_880, 59_940, 1] as const;
    const { said, result } = await run(bid, recordingOf(bars(flatBar, flatBar, gap)));
    expect(said).toEqual([]);
    // What it wants stands, so it asks again at the next bar.
    expect(result.orders).toBe(2);
  });

  it('entered because of a bar never fills in it: what a fill brings about waits for the next', async () => {
    const both = defineStrategy({
      name: 'reverse',
      params: { bars: barInterval({ default: '1m' }) },
      create() {
        let asked = false;
        return {
          onBar() {
            if (asked) return undefined;
            asked = true;
            return quote({ bid: { price: 59_990, quantity: '0.01' }, ask: undefined });
          },
          onFill: () => flat(),
        };
      },
    });
    const wide = [60_000, 60_100, 59_900, 60_000, 1] as const;
    const { said } = await run(
      both,
      recordingOf(
        bars(
          flatBar,
          flatBar,
          wide,
          [60_001, 60_001, 60_001, 60_001, 1],
          [60_002, 60_002, 60_002, 60_002, 1],
        ),
      ),
    );
    // Filled by the end of bar 2, sold at an open: bar 3 opens before the order is there.
    expect(said).toEqual([`${within(2)} buy 10 @ 59990 maker`, '4 sell 10 @ 60002 taker']);
  });

  it('is liquidated at the worst price of a bar, however it closes', async () => {
    const crash = [60_000, 60_000, 49_100, 60_000, 100] as const;
    const tape = recordingOf(bars(flatBar, flatBar, flatBar, crash, flatBar));
    // 1 BTC on 11 100 USD: of it 11 100 − 10 900 − 36 of fees are left, far below the maintenance margin. The take-over
    // takes that, too.
    const { result, said } = await run(script(holdPosition('1')), tape, { capital: '11100' });
    expect(said).toEqual(['2 buy 1000 @ 60000 taker', `${within(3)} sell 1000 @ 49100 taker`]);
    expect([result.finalPosition, result.pnl.through]).toEqual(['0', '-11100']);
    // With more behind it nothing happens.
    const calm = await run(script(holdPosition('1')), tape, { capital: '100000' });
    expect([calm.result.finalPosition, calm.result.fills]).toEqual(['1', 1]);
  });
});

describe('the distance to liquidation of a position on bars', () => {
  it('keeps an order back that adds risk too near to it', async () => {
    const bar = [60_000, 60_000, 60_000, 60_000, 100] as const;
    const tape = recordingOf(bars(bar, bar, bar, bar, bar, bar));
    const more = script(holdPosition('1'), undefined, holdPosition('1.1'));
    // 1 BTC at 60 000 on 20 000 USD is worth nothing at 40 000: a third away, less what it must keep.
    const filled = async (minLiquidationDistance: number) =>
      (await run(more, tape, { capital: '20000', limits: { minLiquidationDistance } })).said.length;
    expect(await filled(0.34)).toBe(1);
    expect(await filled(0.2)).toBe(2);
  });
});

describe('a bar that reaches a target and, on the other side, far worse', () => {
  const still = [60_000, 60_000, 60_000, 60_000, 100] as const;
  const up = [60_000, 61_500, 45_000, 60_500, 100] as const;
  const down = [60_000, 75_000, 58_500, 59_500, 100] as const;
  /** In at the open of bar 2; from bar 3 on an order rests that takes 1 000 a coin. */
  const target = (side: 'buy' | 'sell', quantity: string) =>
    script(
      holdPosition(side === 'buy' ? quantity : `-${quantity}`),
      undefined,
      orders([
        {
          side: side === 'buy' ? 'sell' : 'buy',
          quantity,
          price: side === 'buy' ? 61_000 : 59_000,
        },
      ]),
    );
  const tapeOf = (bar: BarOf) => recordingOf(bars(still, still, still, still, bar, still));

  it.each([
    ['long', target('buy', '0.5'), up],
    ['short', target('sell', '0.5'), down],
  ] as const)('was there first in through, which ends a %s that cannot bear it; in touch the target was', async (_, strategy, bar) => {
    const { result, runs } = await run(strategy, tapeOf(bar), { capital: '5000' });
    expect(result.ruinedAt).toBe(START + 5 * MINUTE - 1);
    expect(result.pnl.through).toMatch(/^-(4|5)\d{3}/);
    expect(Number(result.pnl.touch)).toBeCloseTo(500 - 18 - 6, -1);
    expect(runs[1]?.session.watch.ruinedAt).toBeUndefined();
  });

  it.each([
    ['long', target('buy', '0.5'), up],
    ['short', target('sell', '0.5'), down],
  ] as const)('marks a %s that can bear it there in through, and in touch what was left by then', async (_, strategy, bar) => {
    const { result, runs } = await run(strategy, tapeOf(bar));
    const [through, touch] = runs.map(({ session }) => session.watch);
    expect(result.pnl.through).toBe(result.pnl.touch);
    expect(result.roundTrips).toBe(1);
    expect(through?.drawdown.worst).toBeCloseTo(-7_518 / 100_000, 6);
    expect(touch?.drawdown.worst).toBeCloseTo(-18 / 100_000, 6);
    const [one, other] = [through?.roundTrips.done[0], touch?.roundTrips.done[0]];
    expect(one?.worst).toBeCloseTo(-7_518, 6);
    expect(other?.worst).toBeCloseTo(-18, 6);
    // What was beyond the target was never there to be had.
    expect(one?.best).toBeCloseTo(500 - 18 - 6.1, 0);
  });

  it('marks what was opened inside of it at both ends', async () => {
    const bid = script(undefined, quote({ bid: { price: 59_000, quantity: '0.5' }, ask: undefined }));
    const { runs } = await run(bid, tapeOf(up));
    for (const { session } of runs) {
      expect(session.watch.drawdown.worst).toBeLessThan(-7_000 / 100_000);
      expect(session.position.lots).toBe(500);
    }
  });

  it('ends, in through, also what was opened inside of it', async () => {
    const bid = script(undefined, quote({ bid: { price: 59_000, quantity: '0.5' }, ask: undefined }));
    const { result } = await run(bid, tapeOf(up), { capital: '5000' });
    expect(result.ruinedAt).toBe(START + 5 * MINUTE - 1);
    expect(result.finalPosition).toBe('0');
  });
});

describe('what happens between bars', () => {
  /** A bar of one price a minute, at these minutes. */
  const standing = (...minutes: readonly (readonly [minute: number, price: number])[]): BarRow[] =>
    minutes.map(([minute, price]) => ({
      time: START + minute * MINUTE,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 1,
    }));
  const gapped = standing([0, 60_000], [1, 60_000], [10, 60_100], [11, 60_200], [12, 60_300]);
  const gap: TradeGap = { from: START + 2 * MINUTE, to: START + 10 * MINUTE, missing: undefined };

  it('is told: gaps, and bars that lie in them are empty and not complete', async () => {
    const heard: string[] = [];
    const listener = defineStrategy({
      name: 'listener',
      params: { bars: barInterval({ default: '1m' }) },
      create: () => ({
        onGap({ from, to }) {
          heard.push(`gap ${(from - START) / MINUTE}-${(to + 1 - START) / MINUTE}`);
          return undefined;
        },
        onBar({ openTime, empty, complete }) {
          heard.push(
            `${(openTime - START) / MINUTE}${empty ? ' empty' : ''}${complete ? '' : ' incomplete'}`,
          );
          return undefined;
        },
      }),
    });
    await run(listener, recordingOf(gapped, 2, [gap]), { fill: 'touch' });
    const missing = Array.from({ length: 8 }, (_, i) => `${i + 2} empty incomplete`);
    // That of minute 9 is over when the gap is.
    expect(heard).toEqual([
      '0',
      '1',
      ...missing.slice(0, -1),
      'gap 2-10',
      '9 empty incomplete',
      '10',
      '11',
      '12',
    ]);
  });

  it('counts as earned inside of a gap: from the last close before it to the first open after', async () => {
    const tape = standing([0, 60_000], [1, 60_000], [2, 60_000], [3, 60_050], [10, 60_100], [11, 60_200]);
    const inside: TradeGap = { from: START + 4 * MINUTE, to: START + 10 * MINUTE, missing: undefined };
    const { said, result } = await run(script(holdPosition('1')), recordingOf(tape, 6, [inside]));
    expect(said).toEqual(['2 buy 1000 @ 60000 taker']);
    expect(result.insideGaps).toEqual({ pnl: '50', roundTrips: 0 });
    expect(result.data.gaps).toBe(1);
  });

  it('leaves at its own time: what is decided at an empty bar is there when the next bar opens', async () => {
    // The bar of minute 3 is empty and ends at minute 4.
    const late = script(undefined, undefined, undefined, holdPosition('0.01'));
    expect((await run(late, recordingOf(gapped, 5, [gap]))).said).toEqual(['10 buy 10 @ 60100 taker']);
    // That of minute 9 ends as the next one opens.
    const last = script(...Array.from({ length: 9 }, () => undefined), holdPosition('0.01'));
    expect((await run(last, recordingOf(gapped, 5, [gap]))).said).toEqual(['11 buy 10 @ 60200 taker']);
  });

  it('leaves at its own time: what a timer decides inside of a bar is live from the next one', async () => {
    const timed = (wait: number) =>
      defineStrategy({
        name: 'timed',
        params: { bars: barInterval({ default: '1m' }) },
        create(_, context) {
          context.setTimer('buy', START + 10 * MINUTE + wait);
          return { onBar: () => undefined, onTimer: () => holdPosition('0.01') };
        },
      });
    const tape = recordingOf(gapped, 5, [gap]);
    expect((await run(timed(30_000), tape)).said).toEqual(['11 buy 10 @ 60200 taker']);
    expect((await run(timed(-30_000), tape)).said).toEqual(['10 buy 10 @ 60100 taker']);
    // 50 ms before the end of its bar it is there when the next one opens; a millisecond later it is not.
    expect((await run(timed(MINUTE - 50), tape)).said).toEqual(['11 buy 10 @ 60200 taker']);
    expect((await run(timed(MINUTE - 49), tape)).said).toEqual(['12 buy 10 @ 60300 taker']);
  });

  it('leaves no earlier than it is decided: a timer that is set for the past rings now', async () => {
    const late = defineStrategy({
      name: 'late',
      params: { bars: barInterval({ default: '1m' }) },
      create: (_, context) => ({
        onBar: ({ openTime }) => (openTime === START ? holdPosition('0.01') : undefined),
        onFill() {
          context.setTimer('out', START);
          return undefined;
        },
        onTimer: () => flat(),
      }),
    });
    const tape = standing(...Array.from({ length: 8 }, (_, i) => [i, 60_000 + i] as const));
    // Decided at 1 and there at 2.5; its fill is known at 3, so that what it brings about is there at 4.5.
    expect((await run(late, recordingOf(tape), { latencyMs: 90_000, fill: 'touch' })).said).toEqual([
      '3 buy 10 @ 60003 taker',
      '5 sell 10 @ 60005 taker',
    ]);
  });

  it('is told at the end of a gap only after what was due inside of it, and so the last word is the last', async () => {
    const heard: string[] = [];
    const quoting = defineStrategy({
      name: 'quoting',
      params: { bars: barInterval({ default: '1m' }) },
      create(_, context) {
        const note = (what: string) => heard.push(`${what} at ${(context.now - START) / MINUTE}`);
        return {
          onGap() {
            note('gap');
            return quote({ bid: { price: 60_050, quantity: '0.01' }, ask: undefined });
          },
          onBar({ openTime, empty }) {
            note(`${(openTime - START) / MINUTE}`);
            return empty ? flat() : undefined;
          },
        };
      },
    });
    const falling = standing([0, 60_100], [1, 60_100], [10, 60_100], [11, 60_100], [12, 60_000]);
    const { said, result } = await run(quoting, recordingOf(falling, 5, [gap]), { fill: 'touch' });
    const closes = (...minutes: number[]) => minutes.map((minute) => `${minute} at ${minute + 1}`);
    expect(heard).toEqual([
      ...closes(0, 1, 2, 3, 4, 5, 6, 7, 8),
      `gap at ${within(9)}`,
      ...closes(9, 10, 11, 12),
    ]);
    // The bid of the gap's end and the change of mind at the bar that ends with it leave at one moment.
    expect(said).toEqual([]);
    expect(result.orders).toBe(1);
  });

  it('is not made up: bars that do not begin at a multiple of their length are refused', async () => {
    const shifted = standing([0, 60_000], [1, 60_000]).map((row) => ({ ...row, time: row.time + 20_000 }));
    await expect(run(script(), recordingOf(shifted))).rejects.toThrow(
      `bars of 1m must begin at a multiple of that since 1970 UTC, received one at ${START + 20_000}, ` +
        'which is 20000 ms after',
    );
  });
});

describe('a backtest on bars', () => {
  const wave = bars(
    ...Array.from({ length: 300 }, (_, i) => {
      const price = Math.round(60_000 + 300 * Math.sin(i / 9) + 80 * Math.sin(i / 2));
      return [price, price + 20, price - 20, price + ((i * 7) % 11) - 5, 3] as const;
    }),
  );

  it('says so, and by which two models', async () => {
    const { result } = await run(smaCross, recordingOf(wave));
    expect(result.data.kind).toBe('bars');
    expect(Object.keys(result.pnl)).toEqual(['through', 'touch']);
    expect([result.trades, result.bars]).toEqual([0, 300]);
    expect(result.from).toBe(START);
  });

  it('has another id by other rules, or with gaps at other places', async () => {
    const dearer = { ...BTC, fees: { ...BTC.fees, taker: rateOf('0.002') } };
    const gapAt = (minute: number): TradeGap => ({
      from: START + minute * MINUTE,
      to: START + (minute + 1) * MINUTE,
      missing: undefined,
    });
    const ids = await Promise.all(
      [
        recordingOf(wave),
        { ...recordingOf(wave), market: dearer },
        recordingOf(wave, 300, [gapAt(-1)]),
        recordingOf(wave, 300, [gapAt(300)]),
      ].map(async (recording) => (await run(smaCross, recording, { fill: 'touch' })).result.runId),
    );
    expect(new Set(ids).size).toBe(4);
    expect((await run(smaCross, recordingOf(wave, 7), { fill: 'touch' })).result.runId).toBe(ids[0]);
  });

  it('has queue for through', async () => {
    const [queue, through] = [
      await run(smaCross, recordingOf(wave), { fill: 'queue' }),
      await run(smaCross, recordingOf(wave), { fill: 'through' }),
    ];
    expect(queue.result.headline).toBe('through');
    expect(queue.said).toEqual(through.said);
    expect(queue.said.length).toBeGreaterThan(5);
  });

  it('is the same however the recording is cut into chunks', async () => {
    const whole = await run(smaCross, recordingOf(wave));
    const cut = await run(smaCross, recordingOf(wave, 7));
    expect(cut.result).toEqual(whole.result);
  });

  it('refuses a strategy that reads trades, or bars that are shorter than the recorded ones', async () => {
    await expect(run(marketMaker, recordingOf(wave))).rejects.toThrow(
      'market-maker must read bars of 1m or a multiple of it on this recording of bars, received one that reads none',
    );
    const seconds = { ...recordingOf(wave), barMs: 2 * MINUTE };
    await expect(run(smaCross, seconds)).rejects.toThrow('received 1m');
  });
});

describe('the proof that the future is not seen, on bars', () => {
  const walk = bars(
    ...Array.from({ length: 400 }, (_, i) => {
      const price = Math.round(60_000 + 200 * Math.sin(i / 7) + 90 * Math.sin(i / 3));
      return [price, price + 15, price - 15, price + ((i * 5) % 9) - 4, 3] as const;
    }),
  );
  const whole = recordingOf(walk, 90);
  const proof = (definition: StrategyDefinition, recording: Recording = whole) =>
    lookahead({
      strategy: bindStrategy(definition),
      recording,
      run: (strategy, cut) =>
        runBacktest({ strategy, strategyHash: '', recording: cut, capital: '100000', engineVersion: 'test' }),
    });

  it('finds nothing in sma-cross, nor in one that answers to its fills', async () => {
    const reacting = defineStrategy({
      name: 'reacting',
      params: { bars: barInterval({ default: '5m' }) },
      create: () => ({
        onBar: ({ close }) =>
          quote({ bid: { price: close - 5, quantity: '0.01' }, ask: { price: close + 5, quantity: '0.01' } }),
        onFill: () => flat(),
      }),
    });
    const followsItsPosition = defineStrategy({
      name: 'follows-its-position',
      params: { bars: barInterval({ default: '5m' }) },
      create: () => ({
        onBar: ({ open, close }) => (close > open ? holdPosition('0.01') : flat()),
        onPosition: ({ quantity }) => (Number(quantity) > 0 ? holdPosition('0.02') : holdPosition('-0.01')),
      }),
    });
    for (const definition of [smaCross, reacting, followsItsPosition]) {
      const { identical, cuts, answers } = await proof(definition);
      expect([identical, cuts]).toEqual([true, 20]);
      expect(answers).toBeGreaterThan(30);
    }
  });

  it('finds nothing where bars are missing, in one that answers to gaps, timers and fills', async () => {
    const isThere = (i: number) => i % 40 < 31 || i % 40 > 36;
    const left = walk.filter((_, i) => isThere(i));
    const gaps = left.flatMap(({ time }, i): TradeGap[] => {
      const from = (left[i - 1]?.time ?? time) + MINUTE;
      return i === 0 || from === time ? [] : [{ from, to: time, missing: undefined }];
    });
    expect(gaps).toHaveLength(10);
    const reacting = defineStrategy({
      name: 'reacting',
      params: { bars: barInterval({ default: '1m' }) },
      create: (_, context) => ({
        onBar({ empty, close }) {
          context.setTimer('later', context.now + 20_000);
          if (empty) return holdPosition('0.01');
          return quote({ bid: { price: close - 5, quantity: '0.01' }, ask: undefined });
        },
        onTimer: () => (context.position === 0 ? undefined : flat()),
        onGap: () => flat(),
        onFill: () => undefined,
      }),
    });
    const { identical, cuts, answers } = await proof(reacting, recordingOf(left, 45, gaps));
    expect([identical, cuts]).toEqual([true, 20]);
    expect(answers).toBeGreaterThan(300);
  });

  it('finds a strategy that holds the closes to come', async () => {
    const cheat = defineStrategy({
      name: 'cheat',
      params: { bars: barInterval({ default: '1m' }) },
      create() {
        let bar = 0;
        return {
          onBar({ close }) {
            const next = chunks[Math.floor(++bar / 90)]?.close[bar % 90] ?? Number.NaN;
            return next > close ? holdPosition('0.01') : flat();
          },
        };
      },
    });
    const chunks: BarColumns[] = [];
    for await (const chunk of whole.bars()) chunks.push(chunk);
    const recording: Recording = {
      ...whole,
      async *bars() {
        yield* chunks;
      },
    };
    const { identical, firstLeak } = await proof(cheat, recording);
    expect(identical).toBe(false);
    expect(firstLeak?.handler).toBe('onBar');
  });
});

const FILE = fileURLToPath(
  new URL('../../../shared/data/USD_BTC_PERP-ohlcv-1m-202201.csv.gz', import.meta.url),
);
const hasFile = existsSync(FILE);
const WITHOUT = 'the real bars (shared data) are not on this machine';
if (!hasFile && process.env['CI'] === 'true') throw new Error(`in CI ${WITHOUT}`);

/** The rows, read by hand; the file has its volume in quote units. */
function realBars(): BarRow[] {
  const [header, ...lines] = gunzipSync(readFileSync(FILE)).toString('utf8').trim().split('\n');
  if (header !== 'time,open,high,low,close,volume') throw new Error(`unexpected header ${header}`);
  return lines.map((line) => {
    const [time, open, high, low, close, volume] = line.split(',').map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return { time, open, high, low, close, volume: volume / ((high + low + close) / 3) };
  });
}

/**
 * sma-cross once more, by plain loops and no code of the product: averages of 10 and 30 closes in thousandths, long 0.01 above
 * and flat below, market orders that are there `latency` after the bar that they were decided at and trade at the open
 * of the first bar that opens then or later, `worse` tenths worse, as much as traded in that bar; the rest is ordered again.
 */
function recompute(
  rows: readonly BarRow[],
  { latency, worse }: { readonly latency: number; readonly worse: number },
): string[] {
  const fills: string[] = [];
  const closes: number[] = [];
  let side = 0;
  let target = 0;
  let held = 0;
  let order: { quantity: number; from: number } | undefined;
  let expected = rows[0]?.time;
  for (const row of rows) {
    // The strategy has an empty bar for every minute that is missing.
    for (; expected !== undefined && expected < row.time; expected += MINUTE) {
      const last = closes.at(-1);
      if (last !== undefined) decide(last, expected + MINUTE);
    }
    expected = row.time + MINUTE;
    if (order !== undefined && row.time >= order.from) {
      const most = Math.floor(Number((row.volume * 1_000).toFixed(6)));
      const quantity = Math.sign(order.quantity) * Math.min(Math.abs(order.quantity), most);
      // Bars are averages of venues: a price off the tick moves against the order.
      const tenths = Number((row.open * 10).toFixed(6));
      const price = (quantity > 0 ? Math.ceil(tenths) : Math.floor(tenths)) + Math.sign(quantity) * worse;
      const side = order.quantity > 0 ? 'buy' : 'sell';
      if (quantity !== 0) fills.push(`${row.time} ${side} ${Math.abs(quantity)} ${price}`);
      held += quantity;
      order = undefined;
      if (held !== target) order = { quantity: target - held, from: row.time + latency };
    }
    decide(Math.round(row.close * 1_000), row.time + MINUTE);
  }
  return fills;

  function decide(close: number, now: number): void {
    closes.push(close);
    if (closes.length < 30) return;
    let fast = 0;
    let slow = 0;
    for (let i = closes.length - 10; i < closes.length; i++) fast += closes[i] as number;
    for (let i = closes.length - 30; i < closes.length; i++) slow += closes[i] as number;
    const sign = Math.sign(3 * fast - slow);
    if (sign === 0 || sign === side) return;
    side = sign;
    target = sign > 0 ? 10 : 0;
    if (order === undefined && held !== target) order = { quantity: target - held, from: now + latency };
  }
}

describe.skipIf(!hasFile)(`sma-cross on real bars (else skipped: ${WITHOUT})`, () => {
  const rows = hasFile ? realBars() : [];

  it.each([
    ['through', 50, 6],
    ['touch', 50, 0],
    ['through', 0, 6],
  ] as const)('fills what an independent re-computation fills, by %s at %i ms', async (fill, latency, worse) => {
    const expected = recompute(rows, { latency, worse });
    const fills: Fill[] = [];
    const { result } = await runBacktest({
      strategy: bindStrategy(smaCross),
      strategyHash: 'none',
      recording: recordingOf(rows, 1_440),
      capital: '100000',
      fill,
      latencyMs: latency,
      slippageTicks: 3,
      engineVersion: 'test',
      onFill: (each) => fills.push(each),
    });
    expect(fills.map(({ time, side, lots, ticks }) => `${time} ${side} ${lots} ${ticks}`)).toEqual(expected);
    expect(result.roundTrips).toBeGreaterThanOrEqual(5);
    expect(result.bars).toBe(((rows.at(-1)?.time ?? 0) - (rows[0]?.time ?? 0)) / MINUTE + 1);
    expect(rows.length).toBeGreaterThan(40_000);
  });

  it('has the same result on the file as data import brings it in, a day of it left out by --from', async () => {
    const directory = await folder();
    await importData(files, { sources: [FILE], pair: BTC.pair, directory, volume: 'quote' });
    const imported = await openRecording(files, [directory], { from: START + 86_400_000 });
    expect([imported.kind, imported.barMs]).toEqual(['bars', MINUTE]);
    const fills: string[] = [];
    const { result } = await runBacktest({
      strategy: bindStrategy(smaCross),
      strategyHash: 'none',
      recording: { ...imported, market: BTC },
      capital: '100000',
      fill: 'touch',
      engineVersion: 'test',
      onFill: ({ time, side, lots, ticks }) => fills.push(`${time} ${side} ${lots} ${ticks}`),
    });
    const kept = rows.filter(({ time }) => time >= START + 86_400_000);
    expect(fills).toEqual(recompute(kept, { latency: 50, worse: 0 }));
    expect(result.from).toBe(kept[0]?.time);
  });
});
