import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountWatch } from '../../src/backtest/account-watch.js';
import type { Fill } from '../../src/model/fill.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import { applyFill, FLAT, type Position, totalPnl } from '../../src/model/position.js';
import type { TradeGap } from '../../src/model/trade.js';

const CAPITAL = 1_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

const market = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.1', max: '10000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0', taker: '0' },
});

interface Step {
  readonly afterMs: number;
  readonly ticks: number;
  /** Signed lots that are filled at this print, at its price. */
  readonly trade: number | undefined;
  /** USD 10^-8. */
  readonly fee: number;
  readonly funding: number | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.oneof(
    fc.integer({ min: 0, max: MINUTE }),
    fc.integer({ min: 0, max: 3 * HOUR }),
    fc.constant(HOUR),
  ),
  ticks: fc.integer({ min: 900, max: 1_100 }),
  trade: fc.option(
    fc.integer({ min: -1_500, max: 1_500 }).filter((lots) => lots !== 0),
    { nil: undefined },
  ),
  fee: fc.integer({ min: -5_000_000, max: 20_000_000 }),
  funding: fc.option(fc.integer({ min: -30_000_000, max: 30_000_000 }), { nil: undefined, freq: 9 }),
});

/** Of an account that lives to the end of its tape. */
const smallStep = step.map(({ trade, fee, funding, ...rest }): Step => {
  const small = (value: number | undefined) => (value === undefined ? value : Math.trunc(value / 50));
  return { ...rest, trade: small(trade) || undefined, fee: small(fee) ?? 0, funding: small(funding) };
});

const gap: fc.Arbitrary<TradeGap> = fc
  .tuple(fc.integer({ min: 0, max: 40 * HOUR }), fc.integer({ min: 0, max: 6 * HOUR }))
  .map(([from, length]) => ({ from, to: from + length, missing: undefined }));

interface Row extends Step {
  readonly time: number;
  readonly before: Position;
  readonly after: Position;
}

/** The same account told row by row, as one would by hand. */
function told(steps: readonly Step[]): readonly Row[] {
  let time = 0;
  let position = FLAT;
  return steps.map((each) => {
    time += each.afterMs;
    const before = position;
    if (each.funding !== undefined) {
      position = position.withFunding(BigInt(each.funding));
    }
    if (each.trade !== undefined) position = applyFill(market, position, fillOf(each, time));
    return { ...each, time, before, after: position };
  });
}

function fillOf({ trade = 0, ticks, fee }: Step, time: number): Fill {
  return {
    id: '1',
    orderId: '1',
    time,
    side: trade > 0 ? 'buy' : 'sell',
    lots: Math.abs(trade) as Lots,
    ticks: ticks as Ticks,
    liquidity: trade > 0 ? 'maker' : 'taker',
    fee: BigInt(fee),
  };
}

/** Runs the watch as a session does, in chunks of this many rows; only the rows that it asks for are given. */
function watched(rows: readonly Row[], gaps: readonly TradeGap[], chunkRows: number): AccountWatch {
  let ofOne = 0;
  const watch = new AccountWatch({ market, capital: CAPITAL, gaps });
  for (let start = 0; start < rows.length; start += chunkRows) {
    const chunk = rows.slice(start, start + chunkRows);
    watch.openRows({
      time: Float64Array.from(chunk, ({ time }) => time),
      price: Float64Array.from(chunk, ({ ticks }) => ticks / 10),
    });
    for (const [at, row] of chunk.entries()) {
      const price = row.ticks / 10;
      const isAsked = row.time >= watch.quietUntil || !(price > watch.quietAbove && price < watch.quietBelow);
      if (!isAsked && row.before === row.after) continue;
      watch.reach(at, row.time);
      if (row.funding !== undefined) {
        ofOne += fundingOfOne(row);
        watch.funding(row.before.withFunding(BigInt(row.funding)), at, ofOne);
      }
      if (row.trade !== undefined) watch.fill(fillOf(row, row.time), row.after, at);
      if (!watch.settle(at, row.time, price)) break;
    }
    watch.closeRows(chunk.length);
    if (watch.ruinedAt !== undefined) break;
  }
  watch.end();
  return watch;
}

/** What one base unit that is held receives, a part of what the account does. */
const fundingOfOne = ({ funding = 0 }: Step) => funding / 10 ** 7;

const equityOf = (position: Position, ticks: number) =>
  CAPITAL + Number(totalPnl(market, position, ticks as Ticks)) / 10 ** market.quotePrecision;

/** Up to the print at which nothing is left, with it. */
function untilRuin(rows: readonly Row[]): readonly Row[] {
  const at = rows.findIndex(({ after, ticks }) => equityOf(after, ticks) <= 0);
  return at === -1 ? rows : rows.slice(0, at + 1);
}

/**
 * Part of a gap lies between this print and the one before it: its bounds are the prints before and after it. A misprint
 * is one of no length: it lies before the first print that is not earlier.
 */
function isAfterGap(rows: readonly Row[], gaps: readonly TradeGap[], row: Row): boolean {
  const before = rows[rows.indexOf(row) - 1]?.time ?? -1;
  return gaps.some(({ from, to }) =>
    from === to ? before < from && from <= row.time : from < row.time && before < to,
  );
}

const cases = fc
  .record({
    steps: fc.oneof(
      ...[step, smallStep].map((each) => fc.array(each, { minLength: 1, maxLength: 120, size: 'max' })),
    ),
    gaps: fc.array(gap, { maxLength: 5 }),
    /** Which prints a misprint has the time of. */
    misprints: fc.array(fc.nat(), { maxLength: 5 }),
    chunkRows: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ gaps, misprints, ...rest }) => {
    const rows = told(rest.steps);
    const all = misprints.map((at): TradeGap => {
      const { time } = rows[at % rows.length] as Row;
      return { from: time, to: time, missing: 1 };
    });
    return { ...rest, gaps: [...gaps, ...all].toSorted((a, b) => a.from - b.from || a.to - b.to) };
  });

describe('the watch over an account', () => {
  it('finds the drawdown, the ruin and the range of the leverage of every print, although it is given few of them', () => {
    fc.assert(
      fc.property(cases, ({ steps, gaps, chunkRows }) => {
        const all = told(steps);
        const rows = untilRuin(all);
        const watch = watched(all, gaps, chunkRows);
        let peak = CAPITAL;
        let worst = 0;
        let leverage = 0;
        const falls: { readonly time: number; readonly size: number }[] = [];
        for (const { after, ticks, time } of rows) {
          const equity = equityOf(after, ticks);
          peak = Math.max(peak, equity);
          worst = Math.min(worst, equity / peak - 1);
          falls.push({ time, size: equity / peak - 1 });
          if (equity > 0) leverage = Math.max(leverage, (Math.abs(after.lots) * ticks) / 10_000 / equity);
        }
        expect(watch.drawdown.worst).toBeCloseTo(worst, 9);
        // The first that is as low, which nobody can tell from one that is higher by the error of a float.
        const { valleyTime } = watch.drawdown;
        const lowest = falls.filter(({ size }) => size <= worst + 1e-11);
        if (worst < -1e-9) expect(lowest.map(({ time }) => time)).toContain(valleyTime);
        const clearly = lowest.find(({ size }) => size <= worst + 1e-14)?.time as number;
        if (worst < -1e-9) expect(valleyTime).toBeLessThanOrEqual(clearly);
        const last = rows.at(-1) as Row;
        expect(watch.ruinedAt).toBe(equityOf(last.after, last.ticks) <= 0 ? last.time : undefined);
        if (watch.ruinedAt === undefined) expect(watch.exposure.maxLeverage).toBeCloseTo(leverage, 9);
        expect(watch.equity).toBeCloseTo(equityOf(last.after, last.ticks), 7);
      }),
    );
  });

  it('closes each hour at the newest print before its end', () => {
    fc.assert(
      fc.property(cases, ({ steps, gaps, chunkRows }) => {
        const all = told(steps);
        const rows = untilRuin(all);
        const { closes } = watched(all, gaps, chunkRows);
        const first = rows[0] as Row;
        const last = rows.at(-1) as Row;
        expect(closes.count).toBe(Math.floor(last.time / HOUR) - Math.floor(first.time / HOUR));
        for (let i = 0; i < closes.count; i++) {
          const end = (Math.floor(first.time / HOUR) + 1 + i) * HOUR;
          expect(closes.timeAt(i)).toBe(end);
          const newest = rows.findLast(({ time }) => time < end) as Row;
          expect(closes.equityAt(i)).toBeCloseTo(equityOf(newest.after, newest.ticks), 7);
          // Funding is looked at once its print is reached, as the hour that ends before it is.
          const paid = rows
            .slice(0, rows.indexOf(newest) + 1)
            .reduce((sum, row) => sum + fundingOfOne(row), 0);
          expect(closes.priceAt(i)).toBeCloseTo(newest.ticks / 10 + paid, 7);
        }
      }),
    );
  });

  it('counts as P&L of gaps the steps of the equity over prints between which a gap lies', () => {
    let several = 0;
    fc.assert(
      fc.property(cases, ({ steps, gaps, chunkRows }) => {
        const all = told(steps);
        const rows = untilRuin(all);
        const watch = watched(all, gaps, chunkRows);
        let sum = 0n;
        let before = 0n;
        let stretches = 0;
        let wasAfterGap = false;
        for (const row of rows) {
          const pnl = totalPnl(market, row.after, row.ticks as Ticks);
          const isInside = isAfterGap(rows, gaps, row);
          if (isInside) sum += pnl - before;
          if (isInside && !wasAfterGap && pnl !== before) stretches++;
          before = pnl;
          wasAfterGap = isInside;
        }
        const last = rows.at(-1) as Row;
        // A gap that is still open when the tape ends has no first print after it.
        if (gaps.some(({ from, to }) => from < last.time && to > last.time)) return;
        expect(watch.gapPnl).toBe(sum);
        if (stretches > 1) several++;
      }),
      { numRuns: 300 },
    );
    expect(several).toBeGreaterThan(20);
  });

  it('gives every round trip the P&L, the costs and the excursions that its own prints show, and marks those in gaps', () => {
    let inGaps = 0;
    fc.assert(
      fc.property(cases, ({ steps, gaps, chunkRows }) => {
        const all = told(steps);
        const rows = untilRuin(all);
        const { roundTrips } = watched(all, gaps, chunkRows);
        const trips: { from: Row; to: Row; net: bigint; worst: number; best: number; exit: number }[] = [];
        let entry: { row: Row; net: bigint; worst: number; best: number } | undefined;
        for (const row of rows) {
          const { before, after, ticks, time } = row;
          const flips = before.lots !== 0 && after.lots !== 0 && before.lots > 0 !== after.lots > 0;
          if (entry !== undefined && (after.lots === 0 || flips)) {
            let net = after.realised + after.fees + after.funding;
            if (flips) {
              const fee = BigInt(row.fee);
              const part = fee * BigInt(Math.abs(before.lots));
              const whole = BigInt(Math.abs(row.trade as number));
              let closing = part / whole;
              if (part > 0n && closing * whole !== part) closing += 1n;
              net += fee - closing;
            }
            const result = Number(net - entry.net) / 1e8;
            trips.push({
              from: entry.row,
              to: row,
              net: net - entry.net,
              worst: Math.min(entry.worst, result),
              best: Math.max(entry.best, result),
              exit: time,
            });
            entry = undefined;
            if (flips) entry = { row, net, worst: 0, best: 0 };
          } else if (entry === undefined && after.lots !== 0) {
            entry = { row, net: before.realised + before.fees + before.funding, worst: 0, best: 0 };
          }
          if (entry !== undefined) {
            const pnl = Number(totalPnl(market, after, ticks as Ticks) - entry.net) / 1e8;
            entry.worst = Math.min(entry.worst, pnl);
            entry.best = Math.max(entry.best, pnl);
          }
        }
        expect(roundTrips.count).toBe(trips.length);
        for (const [i, trip] of roundTrips.done.entries()) {
          const wanted = trips[i] as (typeof trips)[number];
          expect(trip.entryTime).toBe(wanted.from.time);
          expect(trip.exitTime).toBe(wanted.exit);
          const prints = rows.slice(rows.indexOf(wanted.from), rows.indexOf(wanted.to) + 1);
          expect(trip.isInGap).toBe(prints.some((row) => isAfterGap(rows, gaps, row)));
          inGaps += trip.isInGap ? 1 : 0;
          expect(trip.side).toBe(wanted.from.after.lots > 0 ? 'buy' : 'sell');
          // Funding while flat, which no venue pays, belongs to the trip before or after: only the sum is looked at.
          if (rows.every(({ funding, before }) => funding === undefined || before.lots !== 0)) {
            expect(trip.pnl).toBe(wanted.net);
            expect(trip.worst).toBeCloseTo(wanted.worst, 7);
            expect(trip.best).toBeCloseTo(wanted.best, 7);
          }
        }
      }),
    );
    expect(inGaps).toBeGreaterThan(20);
  });

  it('is the same to the bit for chunks of any size', () => {
    fc.assert(
      fc.property(cases, ({ steps, gaps, chunkRows }) => {
        const rows = told(steps);
        const facts = ({ drawdown, exposure, closes, roundTrips, gapPnl, maker, taker }: AccountWatch) => [
          drawdown.worst,
          drawdown.peakTime,
          drawdown.valleyTime,
          exposure.meanLeverage,
          exposure.maxLeverage,
          exposure.heldMs,
          Array.from({ length: closes.count }, (_, i) => closes.equityAt(i)),
          roundTrips.done,
          gapPnl,
          maker,
          taker,
        ];
        expect(facts(watched(rows, gaps, chunkRows))).toEqual(facts(watched(rows, gaps, 1_000)));
      }),
    );
  });
});
