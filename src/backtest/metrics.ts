import type { Market } from '../model/market.js';
import type { AccountWatch } from './account-watch.js';
import type { Drawdown } from './drawdown.js';
import type { EquityCloses } from './equity-closes.js';
import type { ExposureWatch } from './exposure-watch.js';
import { type DailySeries, dailySeries, returnsOf } from './daily.js';
import { MOST_KEPT } from './round-trips.js';
import { benchmarkFit } from './statistics/benchmark.js';
import { underwater } from './statistics/drawdowns.js';
import { probabilisticSharpe } from './statistics/luck.js';
import { kurtosis, median, skewness } from './statistics/moments.js';
import * as ratios from './statistics/ratios.js';
import { tripFigures } from './statistics/trip-figures.js';
import { type Money, rateNumber } from '../model/money.js';
import { DAY_MS } from '../model/calendar.js';

/** Days per year of a market that never closes. */
export const PERIODS = 365;
/** With fewer daily returns, figures of them are meaningless. */
export const LEAST_DAYS = 30;

const OPTIONS = { periods: PERIODS, riskFree: 0 };

/**
 * Figures of one run as plain decimal text; ratios are fractions (0.1 is 10 %), money is in quote units. `null` means
 * that there is too little data.
 */
export type Figures<Name extends string> = { readonly [name in Name]: string | null };

type DailyName =
  | 'cagr'
  | 'volatility'
  | 'sharpe'
  | 'sortino'
  | 'smartSharpe'
  | 'smartSortino'
  | 'calmar'
  | 'omega'
  | 'gainToPain'
  | 'tailRatio'
  | 'ulcerIndex'
  | 'ulcerPerformance'
  | 'skewness'
  | 'kurtosis'
  | 'valueAtRisk'
  | 'expectedShortfall'
  | 'historicalValueAtRisk'
  | 'historicalExpectedShortfall'
  | 'probabilisticSharpe'
  | 'winningDays'
  | 'bestDay'
  | 'worstDay';
type TripName =
  | 'winRate'
  | 'payoff'
  | 'profitFactor'
  | 'expectancy'
  | 'averageWin'
  | 'averageLoss'
  | 'largestWin'
  | 'largestLoss'
  | 'kelly'
  | 'systemQuality';
type ExposureName = 'timeInMarket' | 'meanLeverage' | 'maxLeverage' | 'volume' | 'turnover' | 'costBps';
type BenchmarkName =
  | 'totalReturn'
  | 'cagr'
  | 'sharpe'
  | 'maxDrawdownDaily'
  | 'alpha'
  | 'beta'
  | 'informationRatio';

/** Figures of the equity of an account, by the formulas of the report; all from marks, net of fees and funding. */
export interface EquityMetrics extends Figures<DailyName> {
  /** Number of daily returns, not counting days without a print. */
  readonly days: number;
  /** Why figures of daily returns are `null`; absent if they are not. */
  readonly unavailable?: string;
  readonly totalReturn: string;
  readonly maxDrawdownDaily: string;
  /**
   * Times of the peak and the valley of the worst drawdown, ms. `null` for a peak at the start, and without a drawdown.
   */
  readonly drawdownFrom: number | null;
  readonly drawdownTo: number | null;
  /** Total return / |max drawdown|. Other programs divide the net profit by the largest fall in money. */
  readonly recovery: string | null;
}

/** Figures of how much was held and traded. */
export type ExposureMetrics = Figures<ExposureName>;

/** All figures of a session. */
export interface Metrics extends EquityMetrics, ExposureMetrics, Figures<TripName> {
  readonly averageHoldingMs: number | null;
  /** `null` without round trips, and with more than 65 536 of them. */
  readonly medianHoldingMs: number | null;
  readonly longestWinningStreak: number;
  readonly longestLosingStreak: number;
  readonly longRoundTrips: number;
  /** The alternative of buying at the first print with all of the capital, at the taker fee, and holding. */
  readonly benchmark: Figures<BenchmarkName>;
}

/** The equity from the first print to the last. */
export interface EquityInputs {
  readonly capital: number;
  readonly watch: {
    /** Equity at the end, quote units. */
    readonly equity: number;
    readonly closes: EquityCloses;
    readonly drawdown: Drawdown;
    /** When the account was ruined, ms; `undefined`: it was not. */
    readonly ruinedAt: number | undefined;
    /** Whether the equity was once 0 or below, although an account of several markets continued. */
    readonly isUnder?: boolean;
    /** First price, and value of one unit at the end; for runs on one market. */
    readonly firstPrice?: number;
    readonly worthOfOne?: number;
  };
  /** Times of the first and the last print, ms. */
  readonly from: number;
  readonly to: number;
}

export interface MetricsInputs extends EquityInputs {
  /** The market as of the start of the run. */
  readonly market: Market;
  readonly watch: AccountWatch;
}

export function metricsOf(inputs: MetricsInputs): Metrics {
  const { watch } = inputs;
  const { metrics, returns, daily, years } = equityFigures(inputs);
  return {
    ...metrics,
    ...tripFields(watch),
    ...exposureMetrics(watch, years),
    benchmark: benchmarkFields(inputs, returns, daily),
  };
}

/** The figures of the equity. With too few days for annual figures, `years` is NaN and `returns` is empty. */
export function equityFigures(inputs: EquityInputs): {
  readonly metrics: EquityMetrics;
  readonly years: number;
  readonly returns: readonly number[];
  /** The series that `returns` were computed from. */
  readonly daily: DailySeries;
} {
  const { watch, capital, from, to } = inputs;
  const { firstPrice = Number.NaN, worthOfOne: lastPrice = Number.NaN, equity: finalEquity } = watch;
  const daily = dailySeries(watch.closes, { from, to, capital, firstPrice, finalEquity, lastPrice });
  const all = returnsOf(daily.equity);
  const isEnough = daily.recorded >= LEAST_DAYS && watch.ruinedAt === undefined && watch.isUnder !== true;
  const returns = isEnough ? all : [];
  const curve = [capital, ...daily.equity, finalEquity];
  const totalReturn = finalEquity / capital - 1;
  const metrics = {
    days: daily.recorded,
    ...(isEnough
      ? {}
      : { unavailable: whyUnavailable(watch, { days: all.length, recorded: daily.recorded }) }),
    totalReturn: figure(totalReturn) ?? longText(totalReturn),
    ...dailyFigures(returns, { ...inputs, daily, totalReturn }),
    maxDrawdownDaily: figure(Math.min(0, ...underwater(curve))) ?? '0',
    drawdownFrom: timeOf(watch.drawdown.peakTime),
    drawdownTo: timeOf(watch.drawdown.valleyTime),
    recovery: figure(ratios.ratio(totalReturn, Math.abs(watch.drawdown.worst))),
  };
  const years = isEnough ? Math.max(to - from, 1) / DAY_MS / PERIODS : Number.NaN;
  return { metrics, returns, daily, years };
}

function whyUnavailable(
  { ruinedAt, isUnder }: EquityInputs['watch'],
  { days, recorded }: { readonly days: number; readonly recorded: number },
): string {
  if (ruinedAt !== undefined) return 'n/a: the account was ruined';
  if (isUnder === true) return 'n/a: it lost more than the capital, and others of the account had it';
  const full = `${days} full ${days === 1 ? 'day' : 'days'}`;
  const seen =
    recorded === days ? full : `${full} of which ${recorded} ${recorded === 1 ? 'has' : 'have'} a print`;
  return `n/a: ${seen}, ${LEAST_DAYS} are needed`;
}

/** `returns` must be empty if there are too few of them. */
function dailyFigures(
  returns: readonly number[],
  {
    capital,
    watch,
    from,
    to,
    daily,
    totalReturn,
  }: EquityInputs & { daily: DailySeries; totalReturn: number },
): Figures<DailyName> {
  const isEnough = returns.length > 0;
  const of = (value: () => number) => (isEnough ? figure(value()) : null);
  const growth = ratios.annualGrowth(capital, watch.equity, (to - from) / DAY_MS);
  const sharpe = ratios.sharpe(returns, OPTIONS);
  const sortino = ratios.sortino(returns, OPTIONS);
  const penalty = () => ratios.autocorrelationPenalty(returns);
  // Skips the capital, which is a peak but not a close, and the begin of the first whole day.
  const ulcer = ratios.ulcerIndex(underwater([capital, ...daily.equity]).slice(2));
  const valueAtRisk = () => ratios.normalVar(returns);
  const historical = () => ratios.historicalVar(returns);
  return {
    cagr: of(() => growth),
    volatility: of(() => ratios.volatility(returns, OPTIONS)),
    sharpe: of(() => sharpe),
    sortino: of(() => sortino),
    smartSharpe: of(() => sharpe / penalty()),
    smartSortino: of(() => sortino / penalty()),
    calmar: of(() => ratios.calmar(growth, watch.drawdown.worst)),
    omega: of(() => ratios.omega(returns)),
    gainToPain: of(() => ratios.gainToPain(returns)),
    tailRatio: of(() => ratios.tailRatio(returns)),
    ulcerIndex: of(() => ulcer),
    ulcerPerformance: of(() => ratios.ratio(totalReturn, ulcer)),
    skewness: of(() => skewness(returns)),
    kurtosis: of(() => kurtosis(returns)),
    valueAtRisk: of(valueAtRisk),
    expectedShortfall: of(() => ratios.expectedShortfall(returns, valueAtRisk())),
    historicalValueAtRisk: of(historical),
    historicalExpectedShortfall: of(() => ratios.expectedShortfall(returns, historical())),
    probabilisticSharpe: of(() => probabilisticSharpe(sharpeSample(returns, daily.recorded))),
    winningDays: of(() => returns.filter((each) => each > 0).length / returns.length),
    bestDay: of(() => Math.max(...returns)),
    worstDay: of(() => Math.min(...returns)),
  };
}

/**
 * Days without a print have a return of 0, because the capital stood still. They are no evidence of skill or luck, so
 * they do not count.
 */
function sharpeSample(returns: readonly number[], recorded: number) {
  return {
    sharpe: ratios.periodSharpe(returns),
    count: recorded,
    skewness: skewness(returns),
    kurtosis: kurtosis(returns),
  };
}

function tripFields({ roundTrips }: AccountWatch) {
  const { totals } = roundTrips;
  const trips = tripFigures(totals);
  const isMedian = totals.count > 0 && totals.count <= MOST_KEPT;
  return {
    winRate: figure(trips.winRate),
    payoff: figure(trips.payoff),
    profitFactor: figure(trips.profitFactor),
    expectancy: figure(trips.expectancy),
    averageWin: figure(trips.averageWin),
    averageLoss: figure(trips.averageLoss),
    largestWin: totals.winners.count === 0 ? null : figure(totals.winners.largest),
    largestLoss: totals.losers.count === 0 ? null : figure(totals.losers.largest),
    kelly: figure(trips.kelly),
    systemQuality: figure(trips.systemQuality),
    averageHoldingMs: Number.isNaN(trips.averageHoldingMs) ? null : Math.round(trips.averageHoldingMs),
    medianHoldingMs: isMedian
      ? median(roundTrips.done.map(({ entryTime, exitTime }) => exitTime - entryTime))
      : null,
    longestWinningStreak: totals.winners.longestStreak,
    longestLosingStreak: totals.losers.longestStreak,
    longRoundTrips: totals.long,
  };
}

/**
 * What was traded, counting both sides of a round trip. `volume` is in quote units, `fees` in units of the quote
 * asset's money.
 */
interface Turnover {
  readonly volume: number;
  readonly fees: Money;
}

/** `years` is NaN if there are too few days for annual figures. */
export function exposureMetrics(
  watch: {
    readonly exposure: ExposureWatch;
    readonly maker: Turnover;
    readonly taker: Turnover;
    readonly unitsPerQuote: number;
  },
  years: number,
): ExposureMetrics {
  const { exposure, maker, taker } = watch;
  const volume = maker.volume + taker.volume;
  const costs = Number(maker.fees + taker.fees) / watch.unitsPerQuote;
  return {
    timeInMarket: figure(ratios.ratio(exposure.heldMs, exposure.totalMs)),
    meanLeverage: figure(exposure.meanLeverage),
    maxLeverage: figure(exposure.maxLeverage),
    volume: figure(volume),
    turnover: figure(volume / exposure.meanEquity / years),
    costBps: figure(ratios.ratio(costs, volume) * 10_000),
  };
}

function benchmarkFields(
  { market, watch, from, to }: MetricsInputs,
  returns: readonly number[],
  { times, prices }: DailySeries,
): Figures<BenchmarkName> {
  const { firstPrice, worthOfOne: last } = watch;
  const entry = firstPrice * (1 + rateNumber(market.fees.taker));
  // If the series begins with the first print, the return of the first day includes the fee.
  const held = returnsOf((times[0] as number) <= from ? [entry, ...prices.slice(1)] : prices);
  const isEnough = returns.length > 0;
  const fit = isEnough ? benchmarkFit(returns, held, PERIODS) : undefined;
  const curve = [entry, ...prices, last];
  return {
    totalReturn: figure(last / entry - 1),
    cagr: isEnough ? figure(ratios.annualGrowth(entry, last, (to - from) / DAY_MS)) : null,
    sharpe: isEnough ? figure(ratios.sharpe(held, OPTIONS)) : null,
    maxDrawdownDaily: figure(Math.min(0, ...underwater(curve))),
    alpha: fit === undefined ? null : figure(fit.alpha),
    beta: fit === undefined ? null : figure(fit.beta),
    informationRatio: fit === undefined ? null : figure(fit.informationRatio),
  };
}

/** From this size on, `toFixed` writes an exponent. */
const NO_PLAIN_TEXT = 1e21;

/** A number with at most eight decimals, without trailing zeros; `null` if it is NaN or too large for plain text. */
export function figure(value: number): string | null {
  if (!(Math.abs(value) < NO_PLAIN_TEXT)) return null;
  const text = value.toFixed(8).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

/** All digits of a number that is too large for `figure`; 0 for NaN and the infinities. */
function longText(value: number): string {
  return Number.isFinite(value) ? BigInt(value).toString() : '0';
}

function timeOf(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}
