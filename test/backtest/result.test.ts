import { NO_RATES } from '../../src/storage/facts/recorded-rates.js';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { causesFirst, differences } from '../../src/backtest/difference.js';
import { documentText, findRun, type RunRecipe, saveRun } from '../../src/backtest/registry.js';
import { percent } from '../../src/backtest/report/numbers.js';
import { reportHtml } from '../../src/backtest/report/report.js';
import { type BacktestResult, verdictOf } from '../../src/backtest/result.js';
import { runSeries } from '../../src/backtest/series.js';
import { deflatedSharpe } from '../../src/backtest/statistics/luck.js';
import { variance } from '../../src/backtest/statistics/moments.js';
import { normalCdf } from '../../src/backtest/statistics/normal.js';
import {
  addTrial,
  readTrials,
  type Trial,
  trialCount,
  trialOf,
  trialVerdict,
} from '../../src/backtest/trials.js';
import { backtestText } from '../../src/cli/view/backtest-view.js';
import { DAY_MS } from '../../src/model/calendar.js';
import { sha256 } from '../../src/model/digest.js';
import type { Market } from '../../src/model/market.js';
import { rateNumber, rateOf } from '../../src/model/money.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import type { Trade, TradeGap } from '../../src/model/trade.js';
import { nodeFiles } from '../../src/platform/files.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { BTC } from '../support/markets.js';
import { inMemory } from '../support/in-memory-recording.js';
import { CAPITAL, HOUR, run, START, shifts, walk } from '../support/walk.js';

/** A recorded ticker that knows nothing but the mark. */
function marked(time: number, markPrice: number): WorldFact {
  const unknown = {
    lastPrice: undefined,
    indexPrice: undefined,
    bidPrice: undefined,
    bidQuantity: undefined,
  };
  return {
    kind: 'ticker',
    time,
    ticker: { ...unknown, askPrice: undefined, askQuantity: undefined, time, markPrice },
  };
}

describe('the result of a backtest', () => {
  const trades = walk(45);
  const fromNoon = trades.filter(({ time }) => time >= START + 12 * HOUR);

  it('has the figures that one finds by going through the fills and the prints by hand', async () => {
    const fills: { time: number; lots: number; value: number; fee: number }[] = [];
    const { result } = await runBacktest({
      strategy: bindStrategy(shifts, {}),
      strategyHash: '',
      recording: inMemory(trades),
      capital: CAPITAL,
      engineVersion: 'test',
      onFill: ({ time, side, lots, ticks, fee }) => {
        const signed = (side === 'buy' ? lots : -lots) / BTC.quantityGrid.scale;
        fills.push({ time, lots: signed, value: signed * (ticks / 10), fee: Number(fee) / 1e8 });
      },
    });
    const equity: number[] = [];
    let peak = Number(CAPITAL);
    let worst = 0;
    let held = 0;
    let cash = Number(CAPITAL);
    let next = 0;
    for (const { time, price } of trades) {
      for (let fill = fills[next]; fill !== undefined && fill.time <= time; fill = fills[++next]) {
        held += fill.lots;
        cash -= fill.value + fill.fee;
      }
      const now = cash + held * price;
      peak = Math.max(peak, now);
      worst = Math.min(worst, now / peak - 1);
      if ((time - START) % DAY_MS >= DAY_MS - 57_000) equity.push(now);
    }
    const returns = equity.map((value, i) => value / (equity[i - 1] ?? Number(CAPITAL)) - 1);
    const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
    const spread = Math.sqrt(
      returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1),
    );
    expect(result.metrics.days).toBe(45);
    expect(Number(result.sharpe)).toBeCloseTo((mean / spread) * Math.sqrt(365), 6);
    expect(Number(result.metrics.volatility)).toBeCloseTo(spread * Math.sqrt(365), 7);
    expect(Number(result.maxDrawdown)).toBeCloseTo(worst, 7);
    expect(Number(result.pnl.queue)).toBeCloseTo((equity.at(-1) as number) - Number(CAPITAL), 6);
    expect(Number(result.metrics.totalReturn)).toBeCloseTo(
      (equity.at(-1) as number) / Number(CAPITAL) - 1,
      7,
    );
    expect(Number(result.fees)).toBeCloseTo(
      fills.reduce((sum, { fee }) => sum + fee, 0),
      6,
    );
    // Seven hours of every twelve, up to the latency and the wait for the next print.
    expect(Number(result.metrics.timeInMarket)).toBeCloseTo(7 / 12, 2);
    expect(result.roundTrips).toBe(90);
    const traded = fills.reduce((sum, { value }) => sum + Math.abs(value), 0);
    const years = (result.to - result.from) / DAY_MS / 365;
    expect(Number(result.metrics.turnover) / (traded / Number(CAPITAL) / years)).toBeCloseTo(1, 1);
  });

  it('has the Ulcer index of the daily closes, each of which counts once', async () => {
    const { result, runs, headline } = await run(inMemory(trades), { slippageTicks: 20 });
    const { equity } = runSeries(result.runId, runs, headline, Number(CAPITAL)).daily;
    let peak = equity[0] as number;
    let squares = 0;
    for (const close of equity.slice(1)) {
      peak = Math.max(peak, close);
      squares += (close / peak - 1) ** 2;
    }
    const ulcer = Math.sqrt(squares / (equity.length - 2));
    expect(equity.at(-1)).toBeLessThan(peak);
    expect(Number(result.metrics.ulcerIndex)).toBeCloseTo(ulcer, 7);
    expect(Number(result.metrics.ulcerPerformance)).toBeCloseTo(
      Number(result.metrics.totalReturn) / ulcer,
      4,
    );
  });

  it('has the capital as the first peak of the Ulcer index where the first whole day begins below it', async () => {
    // From noon on: the first close is of half a day, so that the series of whole days begins at it.
    const { result, runs, headline } = await run(inMemory(fromNoon), { slippageTicks: 20 });
    const { equity } = runSeries(result.runId, runs, headline, Number(CAPITAL)).daily;
    const closes = equity.slice(1);
    expect(Math.max(...equity)).toBeLessThan(Number(CAPITAL));
    const squares = closes.reduce((sum, close) => sum + (close / Number(CAPITAL) - 1) ** 2, 0);
    expect(result.metrics.days).toBe(closes.length);
    expect(Number(result.metrics.ulcerIndex)).toBeCloseTo(Math.sqrt(squares / (closes.length - 1)), 7);
  });

  it('is the same to the byte for the same inputs, whatever the chunks', async () => {
    const documents = await Promise.all(
      [1_000, 1, 777].map(async (size) => {
        const { result, runs, headline } = await run(inMemory(trades.slice(0, 5_000), { size }));
        return documentText(result) + documentText(runSeries(result.runId, runs, headline, Number(CAPITAL)));
      }),
    );
    expect(documents[1]).toBe(documents[0]);
    expect(documents[2]).toBe(documents[0]);
  });

  it('says nothing about a year below thirty whole days, and why', async () => {
    const { result } = await run(inMemory(walk(29)));
    expect(result.sharpe).toBeNull();
    expect(result.metrics).toMatchObject({
      days: 29,
      cagr: null,
      volatility: null,
      probabilisticSharpe: null,
      turnover: null,
      unavailable: 'n/a: 29 full days, 30 are needed',
    });
    expect(result.metrics.winRate).not.toBeNull();
  });

  it('takes no day that nobody saw for an observation, whether a gap is declared or not', async () => {
    const without = (days: number, from: number, to: number) =>
      walk(days).filter(({ time }) => time < START + from * DAY_MS || time >= START + to * DAY_MS);
    const gaps = [{ from: START + 10 * DAY_MS - 1, to: START + 13 * DAY_MS, missing: undefined }];
    for (const options of [{}, { gaps }]) {
      const few = (await run(inMemory(without(32, 10, 13), options))).result;
      expect(few.sharpe).toBeNull();
      expect(few.metrics.days).toBe(29);
      expect(few.metrics.unavailable).toBe('n/a: 32 full days of which 29 have a print, 30 are needed');
      const { sharpe, metrics } = (await run(inMemory(without(36, 10, 13), options))).result;
      expect(metrics.days).toBe(33);
      // The three days are in the ratio, as days without a profit, and tell nothing of luck.
      const [daily, skew, kurtosis] = [
        Number(sharpe) / Math.sqrt(365),
        Number(metrics.skewness),
        Number(metrics.kurtosis),
      ];
      const score =
        (daily * Math.sqrt(33 - 1)) / Math.sqrt(1 - skew * daily + ((kurtosis - 1) / 4) * daily ** 2);
      expect(Number(metrics.probabilisticSharpe)).toBeCloseTo(normalCdf(score), 7);
    }
    const whole = (await run(inMemory(walk(36)))).result;
    expect(whole.metrics.days).toBe(36);
  });

  it('names the round trips inside gaps, and what they brought', async () => {
    // From hour 8 to hour 13: half of the pause and the first hour of the second shift.
    const from = START + 8 * HOUR;
    const to = from + 5 * HOUR;
    const left = walk(1).filter(({ time }) => time <= from || time >= to);
    const { result } = await run(inMemory(left, { gaps: [{ from, to, missing: undefined }] }));
    expect(result.data.gaps).toBe(1);
    expect(result.insideGaps).toEqual({ pnl: '0', roundTrips: 0 });
    const early = START + 2 * HOUR;
    const holding = walk(1).filter(({ time }) => time <= early || time >= early + HOUR);
    const gap = { from: early, to: early + HOUR, missing: undefined };
    const seen = (await run(inMemory(holding, { gaps: [gap] }))).result;
    const [before, after] = [
      holding.findLast(({ time }) => time <= early),
      holding.find(({ time }) => time > early),
    ];
    expect(seen.insideGaps.roundTrips).toBe(1);
    expect(Number(seen.insideGaps.pnl)).toBeCloseTo(
      0.05 * ((after as Trade).price - (before as Trade).price),
      8,
    );
  });

  it('marks at prints between ticks as they are', async () => {
    // Prints of four digits after the point on a market whose tick has one.
    const fine = walk(1).map((trade) => ({ ...trade, price: Number((trade.price + 0.0437).toFixed(4)) }));
    const tape = fine.slice(0, 60);
    const last = tape.at(-1) as Trade;
    let cash = 0;
    const { result } = await runBacktest({
      strategy: bindStrategy(shifts, {}),
      strategyHash: '',
      recording: inMemory(tape),
      capital: CAPITAL,
      engineVersion: 'test',
      fill: 'queue',
      onFill: ({ side, lots, ticks, fee }) => {
        const bought = (side === 'buy' ? lots : -lots) / 1_000;
        cash -= bought * (ticks / 10) + Number(fee) / 1e8;
      },
    });
    expect(result.finalPosition).toBe('0.05');
    const pnl = cash + 0.05 * last.price;
    expect(Number(result.pnl.queue)).toBeCloseTo(pnl, 8);
    expect(Number(result.metrics.totalReturn)).toBeCloseTo(pnl / Number(CAPITAL), 8);
    expect(Number(result.closingCost)).toBeCloseTo(0.05 * last.price * rateNumber(BTC.fees.taker), 7);
  });

  it('has as P&L of a gap what the prints before and after it say, between ticks too', async () => {
    const from = START + 2 * HOUR;
    const to = from + HOUR;
    const left = walk(1).filter(({ time }) => time <= from || time >= to);
    const after = left.find(({ time }) => time > from) as Trade;
    const before = left.findLast(({ time }) => time <= from) as Trade;
    // 0.0437 more at the first print after the gap, and nowhere else.
    const price = Number((after.price + 0.0437).toFixed(4));
    const tape = left.map((trade) => (trade === after ? { ...trade, price } : trade));
    const { result } = await run(inMemory(tape, { gaps: [{ from, to, missing: undefined }] }));
    expect(Number(result.insideGaps.pnl)).toBeCloseTo(0.05 * (price - before.price), 8);
  });

  it('gives each model its own account, and says undecided where their signs differ', async () => {
    const { result } = await run(inMemory(walk(2)), { slippageTicks: 20 });
    expect(Object.keys(result.pnl)).toEqual(['through', 'queue', 'touch']);
    expect(Number(result.pnl.through)).toBeLessThan(Number(result.pnl.queue));
    expect(Number(result.pnl.queue)).toBeLessThan(Number(result.pnl.touch));
    expect(verdictOf([-1n, 2n, 3n])).toBe('undecided');
    expect(verdictOf([0n, 2n])).toBe('undecided');
    expect([verdictOf([1n]), verdictOf([-1n, -2n]), verdictOf([0n, 0n])]).toEqual(['profit', 'loss', 'flat']);
  });

  it('compares with buying at the first print at the fee of that time, whatever it became', async () => {
    const tape = walk(1);
    const dearer: Market = { ...BTC, fees: { ...BTC.fees, taker: rateOf('0.1') } };
    const turned: Recording = {
      ...inMemory(tape),
      async *facts() {
        yield [{ kind: 'market', time: START + HOUR, market: dearer }];
      },
    };
    const entry = (tape[0] as Trade).price * (1 + rateNumber(BTC.fees.taker));
    const { result } = await run(turned, { fill: 'queue' });
    expect(Number(result.metrics.benchmark.totalReturn)).toBeCloseTo(
      (tape.at(-1) as Trade).price / entry - 1,
      7,
    );
  });

  it.each([
    ['with the fee in the first day', trades, true],
    ['without the fee where it was paid before the first whole day', fromNoon, false],
  ])('compares daily returns with its own, %s', async (_, tape, isFirst) => {
    const { result, runs, headline } = await run(inMemory(tape), { slippageTicks: 20 });
    const { equity, prices } = runSeries(result.runId, runs, headline, Number(CAPITAL)).daily;
    const entry = (tape[0] as Trade).price * (1 + rateNumber(BTC.fees.taker));
    const worth = isFirst ? [entry, ...prices.slice(1)] : prices;
    const daily = (values: readonly number[]) =>
      values.slice(1).map((value, i) => value / (values[i] as number) - 1);
    const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
    const own = daily(equity);
    const held = daily(worth);
    const spread = (values: readonly number[]) =>
      Math.sqrt(values.reduce((sum, each) => sum + (each - mean(values)) ** 2, 0) / (values.length - 1));
    const product = own.map((each, i) => (each - mean(own)) * ((held[i] as number) - mean(held)));
    const beta = mean(product) / mean(held.map((each) => (each - mean(held)) ** 2));
    const active = own.map((each, i) => each - (held[i] as number));
    const { benchmark } = result.metrics;
    expect(Number(benchmark.sharpe)).toBeCloseTo((mean(held) / spread(held)) * Math.sqrt(365), 6);
    expect(Number(benchmark.beta)).toBeCloseTo(beta, 6);
    expect(Number(benchmark.alpha)).toBeCloseTo((mean(own) - beta * mean(held)) * 365, 6);
    expect(Number(benchmark.informationRatio)).toBeCloseTo(mean(active) / spread(active), 6);
  });

  it('compares with one that pays the funding as well', async () => {
    const tape = walk(1);
    const paid: Recording = {
      ...inMemory(tape),
      async *facts() {
        yield [
          { kind: 'funding', time: START + HOUR, rate: rateOf('0.01') },
          { kind: 'funding', time: START + 2 * HOUR, rate: rateOf('-0.003') },
        ];
      },
    };
    // On the last price before each, as no marks were recorded.
    const priceAt = (time: number) => (tape.findLast((trade) => trade.time < time) as Trade).price;
    const funding = -0.01 * priceAt(START + HOUR) + 0.003 * priceAt(START + 2 * HOUR);
    const entry = (tape[0] as Trade).price * (1 + rateNumber(BTC.fees.taker));
    const { result } = await run(paid, { fill: 'queue' });
    expect(Number(result.metrics.benchmark.totalReturn)).toBeCloseTo(
      ((tape.at(-1) as Trade).price + funding) / entry - 1,
      7,
    );
  });

  it('compares with one that receives no funding before it has bought, although the mark is known', async () => {
    const tape = walk(1);
    const first = tape[0] as Trade;
    const knowing: Recording = {
      ...inMemory(tape),
      async *facts() {
        yield [
          marked(first.time - 2, first.price),
          { kind: 'funding', time: first.time - 1, rate: rateOf('0.01') },
        ];
      },
    };
    const returned = async (recording: Recording) =>
      (await run(recording, { fill: 'queue' })).result.metrics.benchmark.totalReturn;
    expect(await returned(knowing)).toBe(await returned(inMemory(tape)));
  });

  it('says when margin rates changed that it does not follow, up to its last trade', async () => {
    const tape = walk(1);
    const last = tape.at(-1)?.time as number;
    const said = async (marginChangedAt: number | undefined) =>
      (await run({ ...inMemory(tape), marginChangedAt }, { fill: 'queue' })).result.data;
    expect(await said(last)).toMatchObject({ marginChangedAt: last });
    expect(await said(last + 1)).not.toHaveProperty('marginChangedAt');
    expect(await said(undefined)).not.toHaveProperty('marginChangedAt');
  });

  it('charges no funding before the first of the rates that are recorded, and says so', async () => {
    const tape = walk(1);
    const late = START + 3 * HOUR;
    const rates = (from: number): Recording => ({
      ...inMemory(tape),
      rates: { from, dueAfter: () => START + HOUR, missing: () => 0 },
      async *facts() {
        // With a premium from the first hour on.
        const tickers = Array.from({ length: 180 }, (_, minute) => {
          const fact = marked(START + minute * 60_000, 60_060) as WorldFact & { readonly kind: 'ticker' };
          return { ...fact, ticker: { ...fact.ticker, indexPrice: 60_000 } };
        });
        const paid: WorldFact = { kind: 'funding', time: from, rate: rateOf('0.0001') };
        yield [...tickers, paid].sort((a, b) => a.time - b.time);
      },
    });
    const { result } = await run(rates(late), { fill: 'queue' });
    const workedOut = await run({ ...rates(late), rates: NO_RATES }, { fill: 'queue' });
    // 0.05 at the mark, of which a ten-thousandth.
    expect(Number(result.funding)).toBe(-0.3003);
    expect(result.data.unfundedUntil).toBe(late);
    expect(result.runId).not.toBe(workedOut.result.runId);
    expect(Number(workedOut.result.funding)).toBeLessThan(-0.3003);
    expect(workedOut.result.data).not.toHaveProperty('unfundedUntil');
    const whole = await run(rates(START + HOUR), { fill: 'queue' });
    expect(whole.result.data).not.toHaveProperty('unfundedUntil');
  });

  it('says what closing the open position would cost', async () => {
    const { result } = await run(inMemory(walk(1).slice(0, 60)), { fill: 'queue' });
    const last = walk(1)[59] as Trade;
    const rate = Number(BTC.fees.taker.numerator) / Number(BTC.fees.taker.denominator);
    expect(result.finalPosition).toBe('0.05');
    expect(Number(result.closingCost)).toBeCloseTo(0.05 * last.price * rate, 7);
  });
});

describe('runs on disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await nodeFiles.temporaryDirectory('tickwright-runs-');
  });
  afterAll(() => nodeFiles.remove(folder));
  let made = 0;
  const registry = () => join(folder, String(++made));
  const recipe = (result: BacktestResult): RunRecipe => ({
    schemaVersion: 1,
    runId: result.runId,
    engine: 'test',
    strategy: { file: '/s.ts', sha256: result.strategyHash, params: {} },
    data: { paths: ['/data'], pair: result.pair, from: null, to: null, hash: result.data.hash },
    options: {
      capital: CAPITAL,
      fill: 'all',
      latencyMs: null,
      jitterMs: null,
      slippageTicks: null,
      poll: null,
      seed: 1,
      limits: {},
    },
  });

  it('have another id, and name the cause, wherever something that they depend on is another', async () => {
    const tape = walk(1);
    const ticker = (markPrice: number) => marked(START + 1_000, markPrice);
    const knowing = (...facts: readonly WorldFact[]): Recording => ({
      ...inMemory(tape),
      async *facts() {
        yield facts;
      },
    });
    const gap = (hour: number): TradeGap => {
      const from = START + hour * HOUR;
      return { from, to: from + 60_000, missing: undefined };
    };
    const dearer: Market = { ...BTC, fees: { ...BTC.fees, taker: rateOf('0.002') } };
    const [plain, ...others] = await Promise.all(
      [
        inMemory(tape),
        knowing(ticker(60_000)),
        knowing(ticker(60_001)),
        knowing({ kind: 'funding', time: START + 8 * HOUR, rate: rateOf('0.0001') }),
        knowing({ kind: 'depth', time: START + HOUR, bids: [[59_999, 1]], asks: [] }),
        { ...inMemory(tape), market: dearer },
        inMemory(tape, { gaps: [gap(1)] }),
        inMemory(tape, { gaps: [gap(2)] }),
      ].map(async (recording) => (await run(recording, { fill: 'queue' })).result),
    );
    expect(new Set([plain, ...others].map((result) => result?.runId)).size).toBe(8);
    expect(others.map((result) => causesFirst(differences(plain, result))[0]?.key)).toEqual([
      ...Array.from({ length: 4 }, () => 'data.factsHash'),
      'data.marketHash',
      'data.gaps',
      'data.gaps',
    ]);
    expect(causesFirst(differences(others[5], others[6]))[0]?.key).toBe('data.gapsHash');
    expect((await run(inMemory(tape, { size: 7 }), { fill: 'queue' })).result.runId).toBe(plain?.runId);
  });

  it('are found by the beginning of their id, and their bytes are those of the result', async () => {
    const files = nodeFiles;
    const runs = registry();
    const { result, runs: models, headline } = await run(inMemory(walk(1)));
    const series = runSeries(result.runId, models, headline, Number(CAPITAL));
    await saveRun(files, runs, { recipe: recipe(result), result, series });
    const found = await findRun(files, runs, result.runId.slice(0, 5));
    expect(found.resultText).toBe(documentText(result));
    expect(found.recipe.runId).toBe(result.runId);
    await expect(findRun(files, runs, 'ffffffff')).rejects.toThrow('a run must be the id of one in ');
    await saveRun(files, runs, {
      recipe: { ...recipe(result), runId: 'fedcba9876543210' },
      result: { ...result, runId: 'fedcba9876543210' },
      series,
    });
    await expect(findRun(files, runs, 'fe')).resolves.toBeDefined();
    await expect(findRun(files, runs, '../../etc')).rejects.toThrow('received ../../etc');
  });

  it.each<[string, (recipe: RunRecipe) => unknown, string]>([
    ['run.json', () => ({ schemaVersion: 1 }), 'run.json.runId must be a text, received nothing'],
    [
      'run.json',
      (whole) => ({ ...whole, strategy: undefined }),
      'run.json.strategy must be an object, received nothing',
    ],
    [
      'run.json',
      (whole) => ({ ...whole, data: { ...whole.data, paths: ['a', 7] } }),
      'run.json.data.paths.1 must be a text, received 7',
    ],
    [
      'run.json',
      (whole) => ({ ...whole, options: { ...whole.options, fill: 'none' } }),
      'run.json.options.fill must be',
    ],
    ['run.json', (whole) => ({ ...whole, strategies: [{}] }), 'run.json.strategies.0.file must be a text'],
    ['result.json', () => ({ schemaVersion: 1 }), 'result.json.runId must be a text, received nothing'],
    ['result.json', () => [], 'result.json must be a JSON document with "schemaVersion": 1, received []'],
  ])('are refused with what is wrong where %s was changed', async (name, changed, message) => {
    const files = nodeFiles;
    const runs = registry();
    const { result, runs: models, headline } = await run(inMemory(walk(1)));
    const series = runSeries(result.runId, models, headline, Number(CAPITAL));
    const folder = await saveRun(files, runs, { recipe: recipe(result), result, series });
    await files.writeAtomic(join(folder, name), JSON.stringify(changed(recipe(result))));
    await expect(findRun(files, runs, result.runId)).rejects.toThrow(message);
  });

  it('are refused with where they end to be JSON', async () => {
    const files = nodeFiles;
    const runs = registry();
    const { result, runs: models, headline } = await run(inMemory(walk(1)));
    const series = runSeries(result.runId, models, headline, Number(CAPITAL));
    const folder = await saveRun(files, runs, { recipe: recipe(result), result, series });
    const path = join(folder, 'result.json');
    await files.writeAtomic(path, `${await files.readText(path)}]`);
    await expect(findRun(files, runs, result.runId)).rejects.toThrow(
      /result\.json must be a JSON document, received one that is none: Unexpected .*position \d+/,
    );
  });

  it('differ first in what was given, then in what came of it', async () => {
    const [one, other] = [
      (await run(inMemory(walk(1)))).result,
      (await run(inMemory(walk(1)), { capital: '20000' })).result,
    ];
    const found = causesFirst(differences(one, other));
    expect(found[0]).toEqual({ key: 'options.capital', left: '10000', right: '20000' });
    expect(found.map(({ key }) => key)).toContain('metrics.totalReturn');
    expect(differences(one, structuredClone(one))).toEqual([]);
  });

  it('count as trials on their data, each id once, and deflate the Sharpe ratio', async () => {
    const files = nodeFiles;
    const runs = registry();
    const { result } = await run(inMemory(walk(45)));
    expect(await readTrials(files, runs)).toEqual([]);
    await addTrial(files, runs, trialOf(result));
    await addTrial(files, runs, trialOf(result));
    expect(await readTrials(files, runs)).toHaveLength(1);
    const alone = trialVerdict(result, await readTrials(files, runs));
    expect(alone.trials).toBe(1);
    expect(alone.deflatedSharpe).toBeCloseTo(Number(result.metrics.probabilisticSharpe), 6);
    for (let i = 0; i < 20; i++) {
      const dailySharpe = (i - 10) / 50;
      await addTrial(files, runs, { ...trialOf(result), runId: `other-${i}`, dailySharpe });
    }
    await addTrial(files, runs, { ...trialOf(result), runId: 'elsewhere', data: 'other data' });
    const many = trialVerdict(result, await readTrials(files, runs));
    expect(many.trials).toBe(21);
    expect(many.deflatedSharpe).toBeLessThan(alone.deflatedSharpe as number);
  });

  it('deflate by all of them, those without a Sharpe ratio or over other days too', async () => {
    const made = await run(inMemory(walk(45)));
    const { result } = made;
    const series = runSeries(result.runId, made.runs, made.headline, Number(CAPITAL));
    const own = trialOf(result);
    const other = (runId: string, facts: Partial<Trial>): Trial => ({ ...own, runId, ...facts });
    const without = Array.from({ length: 17 }, (_, i) => other(`none-${i}`, { dailySharpe: null }));
    const shorter = other('shorter', { days: 31, dailySharpe: 9 });
    const sharpes = [own.dailySharpe as number, 0.3, -0.2];
    const [, ...compared] = sharpes.map((dailySharpe, i) => other(`other-${i}`, { dailySharpe }));
    const sample = {
      sharpe: own.dailySharpe as number,
      count: own.days,
      skewness: Number(result.metrics.skewness),
      kurtosis: Number(result.metrics.kurtosis),
    };
    const many = trialVerdict(result, [own, ...without, shorter, ...compared]);
    expect(many).toEqual({
      trials: 21,
      comparedTrials: 3,
      overlappingTrials: 0,
      deflatedSharpe: deflatedSharpe(sample, 21, variance(sharpes)),
    });
    expect(trialCount(many)).toBe('21 trials (3 with a Sharpe over as many days)');
    expect(reportHtml(result, series, many)).toContain('of 21 trials (3 with a Sharpe over as many days)');
    expect(backtestText(result, { trials: many, folder: undefined, report: undefined })).toContain(
      'after 21 trials (3 with a Sharpe over as many days) on this data so far',
    );

    // Nobody knows how they vary: as much as those without any skill would.
    const alone = trialVerdict(result, [own, ...without]);
    expect(alone).toEqual({
      trials: 18,
      comparedTrials: 1,
      overlappingTrials: 0,
      deflatedSharpe: deflatedSharpe(sample, 18, 1 / (own.days - 1)),
    });
    expect(trialCount(alone)).toBe(
      '18 trials (1 with a Sharpe over as many days: they vary as those without skill)',
    );
    expect(trialCount(trialVerdict(result, []))).toBe('1 trial');
  });

  it('on data that overlaps are told of, and not counted', async () => {
    const made = await run(inMemory(walk(45)));
    const { result } = made;
    const series = runSeries(result.runId, made.runs, made.headline, Number(CAPITAL));
    const own = trialOf(result);
    const { from, to } = result;
    let others = 0;
    const other = (facts: Partial<Trial>): Trial => ({
      ...own,
      runId: `o-${others++}`,
      data: 'other',
      ...facts,
    });
    const verdict = trialVerdict(result, [
      own,
      other({ from: from + 1 }),
      other({ from: to, to: to + 5 }),
      other({ pairs: ['USD_ETH_PERP', result.pair] }),
      // Before, after, of another pair, and of a ledger that does not say.
      other({ from: from - 5, to: from - 1 }),
      other({ from: to + 1, to: to + 5 }),
      other({ pairs: ['USD_ETH_PERP'] }),
      other({ pairs: undefined, from: undefined, to: undefined }),
    ]);
    expect(verdict).toMatchObject({ trials: 1, comparedTrials: 1, overlappingTrials: 3 });
    expect(backtestText(result, { trials: verdict, folder: undefined, report: undefined })).toContain(
      'after 1 trial on this data so far, and 3 on data that overlaps it',
    );
    expect(reportHtml(result, series, verdict)).toContain('of 1 trial, and 3 on data that overlaps it');
  });

  it('are counted although a crash tore the newest line of the ledger', async () => {
    const files = nodeFiles;
    const runs = registry();
    const trial = { runId: 'a', data: 'd', strategy: 's', days: 40, dailySharpe: 0.1 };
    await files.makeDirectory(runs);
    await files.writeAtomic(join(runs, 'trials.ndjson'), `${JSON.stringify(trial)}\n{"runId":"b","da`);
    await addTrial(files, runs, { ...trial, runId: 'c' });
    expect((await readTrials(files, runs)).map(({ runId }) => runId)).toEqual(['a', 'c']);
  });
});

describe('an account that stays as it is', () => {
  it('has no ratio of its returns, and no probability of one', async () => {
    const idle = defineStrategy({ name: 'idle', create: () => ({}) });
    const { result } = await runBacktest({
      strategy: bindStrategy(idle),
      strategyHash: '',
      recording: inMemory(walk(45)),
      capital: CAPITAL,
      engineVersion: 'test',
    });
    expect(result.metrics.days).toBe(45);
    for (const ratio of ['sharpe', 'sortino', 'probabilisticSharpe', 'skewness'] as const)
      expect(result.metrics[ratio]).toBeNull();
  });
});

describe('the report', () => {
  it('tells the shortfall of the normal distribution from that of the returns', async () => {
    const { result, runs, headline } = await run(inMemory(walk(45)));
    const metrics = {
      ...result.metrics,
      expectedShortfall: '-0.021',
      historicalExpectedShortfall: '-0.032',
    };
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const html = reportHtml({ ...result, metrics }, series, trialVerdict(result, []));
    expect(html).toContain('<dt>Expected shortfall, normal</dt><dd>−2.10 %</dd>');
    expect(html).toContain('<dt>Expected shortfall, historical</dt><dd>−3.20 %</dd>');
    expect(html).not.toContain('<dt>Expected shortfall</dt>');
  });

  it('says which of the days at either end count as whole', async () => {
    const { result, runs, headline } = await run(inMemory(walk(3)));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    expect(reportHtml(result, series, trialVerdict(result, []))).toContain(
      'The first day counts as whole with a print before 01:00, the last one with a print from 23:00 on.',
    );
  });

  it('is a pure function of the run, asks for nothing, runs nothing, and shows what a strategy is called as text', async () => {
    const { result, runs, headline } = await run(inMemory(walk(45)));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const trials = trialVerdict(result, []);
    const html = reportHtml(result, series, trials);
    expect(reportHtml(structuredClone(result), structuredClone(series), trials) === html).toBe(true);
    const forbidden = /<script|<link|<img|<iframe|\son\w+=|javascript:|https?:|url\(|@import|\sstyle=/i;
    expect(forbidden.exec(html)?.[0]).toBeUndefined();
    const canceled = [{ reason: 'self-trade', count: 3, first: 'self-trade <script>' }];
    const undone = reportHtml({ ...result, reasons: { ...result.reasons, canceled } }, series, trials);
    expect(undone).toContain('cancelled by the venue');
    expect(undone).toContain('self-trade &lt;script&gt;');
    expect(html).not.toContain('cancelled by the venue');
    const named = reportHtml({ ...result, strategy: '"><img src=x>' }, series, trials);
    expect(named.includes('<img')).toBe(false);
    expect(named.includes('<h1>&quot;&gt;&lt;img src=x&gt; on')).toBe(true);
    const style = html.slice(html.indexOf('<style>') + 7, html.indexOf('</style>'));
    const digest = Buffer.from(sha256(style), 'hex').toString('base64');
    expect(html.includes(`default-src 'none'; style-src 'sha256-${digest}'`)).toBe(true);
    expect(/NaN|Infinity|undefined/.exec(html)?.[0]).toBeUndefined();
  });

  it('shows entries, exits and fees of a market at 0.001234 with the digits that they have', async () => {
    const { result, runs, headline } = await run(inMemory(walk(1)));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const trip = { entryPrice: 0.001234, exitPrice: 0.0012351, pnl: '0.0011', fees: '0.00321' };
    const roundTrips = series.roundTrips.map((each) => ({ ...each, ...trip }));
    const html = reportHtml(result, { ...series, roundTrips }, trialVerdict(result, []));
    for (const text of ['<td>0.001234</td>', '<td>0.0012351</td>', '>+0.0011<', '<td>0.00321</td>']) {
      expect(html).toContain(text);
    }
    expect(html).toContain(', at 0.001234<');
  });

  it('warns where recorded marks grew too old', async () => {
    const { result, runs, headline } = await run(inMemory(walk(1).slice(0, 60)));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const html = (mark: BacktestResult['mark']) =>
      reportHtml({ ...result, mark }, series, trialVerdict(result, []));
    expect(html('mixed')).toContain('Tickers are missing');
    expect(html('recorded')).not.toContain('Tickers are missing');
  });

  it('warns of gaps, of models that disagree, of a liquidation and of a ruin, and says in the certificate what lies inside of gaps', async () => {
    const { result, runs, headline } = await run(inMemory(walk(1)));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const html = (more: Partial<BacktestResult>) =>
      reportHtml({ ...result, ...more }, series, trialVerdict(result, []));
    const gaps = 'The recording has 2 gaps: +12.50 USD of the P&amp;L and 3 round trips lie inside.';
    const undecided = 'The fill models disagree on the sign';
    const ruined = 'The account was ruined';
    const liquidated = 'The venue liquidated the position, or a part of it, at ';
    const plain = html({ verdict: 'profit' });
    for (const warning of ['The recording has', undecided, liquidated, ruined])
      expect(plain).not.toContain(warning);
    const withGaps = html({
      data: { ...result.data, gaps: 2 },
      insideGaps: { pnl: '12.5', roundTrips: 3 },
    });
    expect(withGaps).toContain(gaps);
    expect(withGaps).toContain(
      '<dt>Gaps in the data</dt><dd>2 <small>+12.50 USD, 3 round trips inside</small>',
    );
    expect(html({ verdict: 'undecided' })).toContain(undecided);
    expect(html({ ruinedAt: START })).toContain(ruined);
    expect(html({ liquidatedAt: START })).toContain(liquidated);
  });

  it('shows what each month earned, and how often each daily return came', async () => {
    const { result, runs, headline } = await run(inMemory(walk(45)));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const html = reportHtml(result, series, trialVerdict(result, []));
    const sectionOf = (id: string) =>
      new RegExp(`<section id="${id}".*?</section>`, 's').exec(html)?.[0] ?? '';
    const { times, equity } = series.daily;
    const atEndOf = (month: number) => equity[times.indexOf(Date.UTC(2026, month + 1, 1))] as number;
    const january = atEndOf(0) / Number(CAPITAL) - 1;
    const february = (equity.at(-1) as number) / atEndOf(0) - 1;
    const year = (equity.at(-1) as number) / Number(CAPITAL) - 1;
    const cells = [...sectionOf('months').matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text = '']) =>
      text.replaceAll(/<[^>]*>/g, ''),
    );
    expect(cells).toEqual(
      [january, february, ...Array(10), year].map((each) => (each === undefined ? '' : percent(each))),
    );
    const days = [...sectionOf('histogram').matchAll(/: (\d+) days</g)].map(([, count]) => Number(count));
    expect(days.reduce((sum, each) => sum + each, 0)).toBe(result.metrics.days);
    expect(days.length).toBeGreaterThan(5);
    expect(sectionOf('rolling')).toContain('n/a: 45 whole UTC days, 181 are needed');
  });

  it('can be made of a run without a trade', async () => {
    const { result, runs, headline } = await run(inMemory([]));
    const series = runSeries(result.runId, runs, headline, Number(CAPITAL));
    const html = reportHtml(result, series, trialVerdict(result, []));
    expect(html).toContain('The recording holds no trades in this stretch.');
    expect(/NaN|Infinity|undefined/.exec(html)?.[0]).toBeUndefined();
  });
});
