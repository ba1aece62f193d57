import { NO_RATES } from '../../src/storage/facts/recorded-rates.js';
import { describe, expect, it } from 'vitest';
import { runAccountBacktest } from '../../src/backtest/account-backtest.js';
import type { BacktestOptions } from '../../src/backtest/backtest-options.js';
import { runBacktest } from '../../src/backtest/backtest.js';
import { accountReportHtml } from '../../src/backtest/report/account-report.js';
import type { PartResult } from '../../src/backtest/account-result.js';
import { trialOf, trialVerdict } from '../../src/backtest/trials.js';
import { accountBacktestText } from '../../src/cli/view/account-backtest-view.js';
import { defineMarket } from '../../src/model/market.js';
import { seededRandom } from '../../src/model/random.js';
import type { Trade } from '../../src/model/trade.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { quote } from '../../src/strategy/want.js';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const CAPITAL = '500000';

/** A print every ten minutes on average; `chunk`: how many at a time. */
function recording(pair: string, days: number, chunk: number): Recording {
  const random = seededRandom(pair);
  const trades: Trade[] = [];
  let price = 1_000;
  for (let time = START; time < START + days * DAY; time += Math.ceil(random.next() * 1_200_000)) {
    price *= 1 + (random.next() - 0.5) / 100;
    const isBuyerMaker = random.next() < 0.5;
    trades.push({
      id: String(trades.length + 1),
      time,
      price: Math.round(price * 10) / 10,
      quantity: 5,
      isBuyerMaker,
    });
  }
  return {
    pair,
    kind: 'trades',
    folders: [],
    days: [],
    market: defineMarket({
      pair,
      base: pair.slice(4, 7),
      quote: 'USD',
      price: { min: '0.1', max: '1000000', step: '0.1' },
      quantity: { min: '0.001', max: '100', step: '0.001' },
      fees: { maker: '0.0002', taker: '0.0006' },
    }),
    marketSource: 'inferred',
    rates: NO_RATES,
    marginChangedAt: undefined,
    gaps: [{ from: START + DAY, to: START + DAY + 3_600_000, missing: undefined }],
    barMs: undefined,
    async *chunks() {
      for (let at = 0; at < trades.length; at += chunk) yield TradeColumns.of(trades.slice(at, at + chunk));
    },
    async *bars() {},
    async *facts() {},
  };
}

/** Quotes around the newest print, anew every so many of them. */
const quoter = (every: number, size: number) =>
  bindStrategy(
    defineStrategy({
      name: `quoter-${every}`,
      create: () => {
        let seen = 0;
        return {
          onTrade: ({ price }) =>
            seen++ % every === 0
              ? quote({
                  bid: { price: price * 0.998, quantity: size },
                  ask: { price: price * 1.002, quantity: size },
                })
              : undefined,
        };
      },
    }),
    {},
  );

const PAIRS = ['USD_AAA_PERP', 'USD_BBB_PERP', 'USD_CCC_PERP'];

function run(days: number, chunk = 1_000, pairs = PAIRS, fill: BacktestOptions['fill'] = 'all') {
  return runAccountBacktest({
    parts: pairs.map((pair, at) => ({
      strategy: quoter(7 + at, 0.4 + at / 10),
      strategyHash: pair,
      recording: recording(pair, days + PAIRS.indexOf(pair), chunk),
    })),
    capital: CAPITAL,
    fill,
    engineVersion: 'test',
  });
}

const judged = ({ result, headlineId }: Pick<Awaited<ReturnType<typeof run>>, 'result' | 'headlineId'>) => ({
  ...result,
  headlineId,
  strategy: 'all',
});

describe('a backtest on one account', () => {
  it('is the sum of its strategies, and a pure function of what is given', async () => {
    const { result, series } = await run(40);
    expect(await run(40, 17)).toMatchObject({ result, series });
    const parts = Object.values(result.strategies);
    expect(parts.map(({ pair }) => pair)).toEqual(PAIRS);
    const sum = (of: (part: (typeof parts)[number]) => number) =>
      parts.reduce((total, part) => total + of(part), 0);
    for (const key of ['trades', 'orders', 'fills', 'refusals', 'roundTrips'] as const) {
      expect([key, result[key]]).toEqual([key, sum((part) => part[key])]);
    }
    expect(result.fills).toBeGreaterThan(700);
    for (const model of ['through', 'queue', 'touch'] as const) {
      expect(Number(result.pnl[model])).toBeCloseTo(
        sum((part) => Number(part.pnl[model])),
        8,
      );
      expect(series.equity[model]?.at(-1)).toBeCloseTo(Number(CAPITAL) + Number(result.pnl[model]), 6);
    }
    for (const { pair, pnl } of parts) expect(series.pnl[pair]?.at(-1)).toBeCloseTo(Number(pnl.queue), 6);
    expect(result.metrics.days).toBe(42);
    expect(series.daily.equity).toHaveLength(43);
    expect(result.metrics.sharpe).not.toBeNull();
    // At each point what the pairs brought is what the account has.
    for (const [at, equity] of (series.equity.queue ?? []).entries()) {
      const brought = PAIRS.reduce((total, pair) => total + (series.pnl[pair]?.[at] as number), 0);
      expect(Math.abs(Number(CAPITAL) + brought - equity)).toBeLessThan(25);
    }
    const lastHour = series.byHour.reduce((total, each) => total + each, 0);
    expect(lastHour).toBeCloseTo(Number(result.pnl.queue), 5);
  });

  it('of one strategy is the backtest of that strategy', async () => {
    const part = {
      strategy: quoter(5, 1),
      strategyHash: 'x',
      recording: recording('USD_AAA_PERP', 35, 300),
    };
    const { result } = await runAccountBacktest({ parts: [part], capital: CAPITAL, engineVersion: 'test' });
    const alone = await runBacktest({ ...part, capital: CAPITAL, engineVersion: 'test' });
    const { runId: _, schemaVersion: _version, engine: _engine, ...rest } = alone.result;
    const { options: _options, capital: _capital, quote: _quote, ...expected } = rest;
    expect(result.strategies['USD_AAA_PERP']).toEqual(expected);
    const { pnl, maxDrawdown, sharpe, fees, verdict, insideGaps } = result;
    expect({ pnl, maxDrawdown, sharpe, fees, verdict, insideGaps }).toEqual({
      pnl: alone.result.pnl,
      maxDrawdown: alone.result.maxDrawdown,
      sharpe: alone.result.sharpe,
      fees: alone.result.fees,
      verdict: alone.result.verdict,
      insideGaps: alone.result.insideGaps,
    });
  });
});

describe('its data', () => {
  it('are the same in whatever order the strategies are given, and their trials count together', async () => {
    const [given, turned] = [await run(3), await run(3, 1_000, [...PAIRS].reverse())];
    expect(turned.result.runId).not.toBe(given.result.runId);
    expect(turned.result.data).toEqual(given.result.data);
    expect(trialVerdict(judged(turned), [trialOf(judged(given))]).trials).toBe(2);
    expect((await run(4)).result.data.hash).not.toBe(given.result.data.hash);
  });
});

describe('its trial', () => {
  it('is one by all fill models and by the headline model alone, and another by another model', async () => {
    const [all, alone, other] = [
      await run(3),
      await run(3, 1_000, PAIRS, 'queue'),
      await run(3, 1_000, PAIRS, 'touch'),
    ];
    expect(alone.result.runId).not.toBe(all.result.runId);
    expect(trialVerdict(judged(all), [trialOf(judged(alone))]).trials).toBe(1);
    expect(trialVerdict(judged(alone), [trialOf(judged(all))]).trials).toBe(1);
    expect(trialVerdict(judged(other), [trialOf(judged(all))]).trials).toBe(2);
  });
});

describe('its report', () => {
  it('asks for nothing, runs nothing, and shows what a strategy is called as text', async () => {
    const made = await run(40);
    const html = accountReportHtml(made.result, made.series, trialVerdict(judged(made), []));
    const forbidden = /<script|<link|<img|<iframe|\son\w+=|javascript:|https?:|url\(|@import|\sstyle=/i;
    expect(forbidden.exec(html)?.[0]).toBeUndefined();
    expect(/NaN|Infinity|undefined/.exec(html)?.[0]).toBeUndefined();
    for (const pair of PAIRS) {
      expect(html).toContain(`Filters and fees of ${pair} are inferred`);
      expect(html).toContain(`${pair}</span>`);
    }
    const [pair = ''] = PAIRS;
    const part = made.result.strategies[pair];
    const strategies = { ...made.result.strategies, [pair]: { ...part, strategy: '<img src=x>' } };
    const named = accountReportHtml(
      { ...made.result, strategies: strategies as typeof made.result.strategies },
      made.series,
      trialVerdict(judged(made), []),
    );
    expect(named.includes('<img')).toBe(false);
    expect(named).toContain('&lt;img src=x&gt;');
  });

  it('shows what a pair and its assets are called as text, in the page and in a terminal', async () => {
    const { result, series, headlineId } = await run(3);
    const name = '<img src=x>\u001b[2J\n';
    const [pair = ''] = PAIRS;
    const part = result.strategies[pair] as PartResult;
    const protection = { heldMs: 60_000, bareMs: 15_000, longestBareMs: 10_000, bareNotionalSeconds: '1.00' };
    const odd = {
      ...result,
      quote: name,
      pairs: [name],
      strategies: { [pair]: { ...part, pair: name, base: name, quote: name, protection } },
    };
    const trials = trialVerdict(judged({ result, headlineId }), []);
    const html = accountReportHtml(odd, { ...series, pnl: { [name]: [0, 1] } }, trials);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x&gt;');
    const text = accountBacktestText(odd, { trials, folder: undefined, report: undefined });
    expect(/[^\P{Cc}\n]/u.exec(text)?.[0]).toBeUndefined();
    expect(text).toContain('<img src=x>\uFFFD[2J\uFFFD');
  });

  it('says what too few days say nothing of', async () => {
    const made = await run(3);
    const html = accountReportHtml(made.result, made.series, trialVerdict(judged(made), []));
    expect(html).toContain('Annual figures are n/a: 5 full days, 30 are needed.');
    expect(/NaN|Infinity|undefined/.exec(html)?.[0]).toBeUndefined();
  });

  it('says of which pairs positions had no stop at the venue, and for how long', async () => {
    const { result, series, headlineId } = await run(3);
    const [pair = '', other = ''] = PAIRS;
    const protection = { heldMs: 60_000, bareMs: 15_000, longestBareMs: 10_000, bareNotionalSeconds: '1.00' };
    const part = { ...(result.strategies[pair] as PartResult), protection };
    const stopped = { ...result, strategies: { ...result.strategies, [pair]: part } };
    const html = accountReportHtml(stopped, series, trialVerdict(judged({ result, headlineId }), []));
    expect(html.replaceAll('\u00a0', ' ')).toContain(
      `<dt>${pair} without a stop at the venue</dt><dd>25.00 % of the time held, 10 s at the longest</dd>`,
    );
    expect(html).not.toContain(`${other} without a stop`);
  });

  it('says, as the text does, on which pair funding is charged from later on only, and margin rates changed', async () => {
    const { result, series, headlineId } = await run(3);
    const [pair = ''] = PAIRS;
    const part = result.strategies[pair] as PartResult;
    const late = {
      ...part,
      data: { ...part.data, unfundedUntil: START + DAY, missingRates: 2, marginChangedAt: START },
    };
    const partly = { ...result, strategies: { ...result.strategies, [pair]: late } };
    const trials = trialVerdict(judged({ result, headlineId }), []);
    expect(accountReportHtml(partly, series, trials)).toContain(
      `Recorded funding rates of ${pair} begin at 2026-01-02 00:00:00: what was due before is not charged.`,
    );
    expect(accountReportHtml(partly, series, trials)).toContain(
      `Later on 2 funding rates of ${pair} are missing in the recording: what was due then is not charged.`,
    );
    expect(accountReportHtml(partly, series, trials)).toContain(
      `Margin rates of ${pair} changed at 2026-01-01 00:00:00: the run keeps those of its beginning.`,
    );
    expect(accountBacktestText(partly, { trials, folder: undefined, report: undefined })).toContain(
      `  ${pair.padEnd(13)} funding none before 2026-01-02T00:00:00.000Z, where recorded rates begin\n` +
        `  ${pair.padEnd(13)} funding without 2 later rates that nobody recorded\n` +
        `  ${pair.padEnd(13)} margin as of the beginning, though its rates changed at 2026-01-01T00:00:00.000Z\n`,
    );
  });
});
