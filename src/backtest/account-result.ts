import { sha256 } from '../model/digest.js';
import { type Money, moneyText } from '../model/money.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import { type EquityMetrics, equityFigures, type ExposureMetrics, exposureMetrics } from './metrics.js';
import type { ModelRun } from './model-run.js';
import {
  type BacktestResult,
  backtestResult,
  pnlOf,
  type RunInputs,
  runId,
  type Verdict,
  verdictOf,
} from './result.js';
import { type AccountRun, endOf, type SharedAccount } from './shared-account.js';

/**
 * What one strategy brought to the account. Figures of equity, such as `maxDrawdown` and those of `metrics`, are of the
 * account's capital with this strategy's P&L alone.
 */
export type PartResult = Omit<
  BacktestResult,
  'schemaVersion' | 'runId' | 'ruinedAt' | 'engine' | 'options' | 'capital' | 'quote'
>;

/** What one fill model makes of the account. */
export interface AccountSummary {
  readonly pnl: string;
  readonly orders: number;
  readonly fills: number;
  readonly roundTrips: number;
  readonly fees: string;
  readonly funding: string;
  readonly maxDrawdown: string;
  readonly ruinedAt?: number;
}

/** `backtest --json` of all strategies of a configuration on one account; names and forms as of `BacktestResult`. */
export interface AccountResult {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly pairs: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly trades: number;
  readonly orders: number;
  readonly fills: number;
  readonly refusals: number;
  readonly rejections: number;
  readonly roundTrips: number;
  readonly pnl: Readonly<Partial<Record<FillModelName, string>>>;
  readonly verdict: Verdict;
  readonly fees: string;
  readonly funding: string;
  /** Of the account's equity, marked at every print of every pair. */
  readonly maxDrawdown: string;
  readonly sharpe: string | null;
  /** Over those of the parts, in order. */
  readonly wantsHash: string;
  readonly decisionHash: string;
  readonly ruinedAt?: number;
  /** Over those of the parts by pair, in whatever order they were given; gaps of all of them. */
  readonly data: { readonly hash: string; readonly gaps: number };
  readonly insideGaps: { readonly pnl: string; readonly roundTrips: number };
  /** The fill model that everything but `pnl` and `verdict` is of. */
  readonly headline: FillModelName;
  readonly models: Readonly<Partial<Record<FillModelName, AccountSummary>>>;
  readonly costs: { readonly makerFees: string; readonly takerFees: string; readonly funding: string };
  /** Leverage is gross: a long and a short do not make up for each other. */
  readonly metrics: EquityMetrics & ExposureMetrics;
  readonly capital: string;
  readonly quote: string;
  readonly engine: string;
  readonly options: Readonly<Record<string, string>>;
  /** By pair, in the order in which they were given. */
  readonly strategies: Readonly<Record<string, PartResult>>;
}

/** `runs` from the least to the most optimistic model, `inputs` of each part; the headline is one of the runs. */
export function accountResult(
  runs: readonly AccountRun[],
  headline: AccountRun,
  inputs: readonly RunInputs[],
): AccountResult {
  const parts = inputs.map((input, at) => partResult(runs, headline, { input, at }));
  const { account } = headline;
  const [first] = inputs as readonly [RunInputs];
  const { quote, quotePrecision } = first.market;
  const money = (amount: Money) => moneyText(amount, quotePrecision);
  const capital = first.options['capital'] ?? '0';
  const begun = account.sessions.filter(({ from }) => !Number.isNaN(from));
  const from = Math.min(...begun.map((session) => session.from));
  const to = endOf(account);
  const watches = account.sessions.map(({ watch }) => watch);
  const ruinedAt = account.ruinedAt;
  const { metrics, years } = equityFigures({
    capital: Number(capital),
    from,
    to,
    watch: {
      equity: account.watch.equity,
      closes: account.watch.closes,
      drawdown: account.watch.drawdown,
      ruinedAt,
    },
  });
  const maker = totalOf(watches.map((watch) => watch.maker));
  const taker = totalOf(watches.map((watch) => watch.taker));
  const { exposure } = account.watch;
  const traded = { exposure, maker, taker, unitsPerQuote: 10 ** quotePrecision };
  const pnls = runs.map(({ model, account: each }) => [model, sum(each.sessions.map(pnlOf))] as const);
  const count = (name: 'trades' | 'refusals' | 'rejections') =>
    parts.reduce((total, part) => total + part[name], 0);
  const summary = summaryOf(account);
  const { options, engineVersion } = first;
  return {
    schemaVersion: 1,
    runId: accountRunId(inputs),
    pairs: parts.map(({ pair }) => pair),
    from,
    to,
    trades: count('trades'),
    orders: summary.orders,
    fills: summary.fills,
    refusals: count('refusals'),
    rejections: count('rejections'),
    roundTrips: summary.roundTrips,
    pnl: Object.fromEntries(pnls.map(([name, pnl]) => [name, money(pnl)])),
    verdict: verdictOf(pnls.map(([, pnl]) => pnl)),
    fees: summary.fees,
    funding: summary.funding,
    maxDrawdown: summary.maxDrawdown,
    sharpe: metrics.sharpe,
    wantsHash: digestOf(parts.map((part) => part.wantsHash)),
    decisionHash: digestOf(parts.map((part) => part.decisionHash)),
    ...(ruinedAt === undefined ? {} : { ruinedAt }),
    data: {
      hash: dataHash(parts),
      gaps: inputs.reduce((total, { data }) => total + data.gaps, 0),
    },
    insideGaps: {
      pnl: money(sum(watches.map(({ gapPnl }) => gapPnl))),
      roundTrips: watches.reduce((total, { roundTrips }) => total + roundTrips.totals.inGaps, 0),
    },
    headline: headline.model,
    models: Object.fromEntries(runs.map(({ model, account: each }) => [model, summaryOf(each)])),
    costs: { makerFees: money(maker.fees), takerFees: money(taker.fees), funding: summary.funding },
    metrics: { ...metrics, ...exposureMetrics(traded, years) },
    capital,
    quote,
    engine: engineVersion,
    options: Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'limits')),
    strategies: Object.fromEntries(parts.map((part) => [part.pair, part])),
  };
}

/** The id of a run on one account; `inputs`: those of its parts, in order. */
function accountRunId(inputs: readonly RunInputs[]): string {
  return digestOf(['account', ...inputs.map(runId)]).slice(0, 16);
}

/** The id of the run with its headline model only. It does not depend on which other models were run. */
export function accountHeadlineId(inputs: readonly RunInputs[], fill: FillModelName): string {
  return accountRunId(inputs.map((input) => ({ ...input, options: { ...input.options, fill } })));
}

function partResult(
  runs: readonly AccountRun[],
  headline: AccountRun,
  { input, at }: { readonly input: RunInputs; readonly at: number },
): PartResult {
  const ofPart = runs.map(({ model, account }) => ({ model, session: account.sessions[at] }));
  const own = ofPart.find(({ model }) => model === headline.model);
  const whole = backtestResult(ofPart as readonly ModelRun[], own as ModelRun, input);
  const { schemaVersion: _, runId: _id, ruinedAt: _at, engine: _engine, ...rest } = whole;
  const { options: _options, capital: _capital, quote: _quote, ...part } = rest;
  return part;
}

function summaryOf({ sessions, watch, ruinedAt }: SharedAccount): AccountSummary {
  const { quotePrecision } = (sessions[0] as (typeof sessions)[number]).core.engine.market;
  const money = (amount: Money) => moneyText(amount, quotePrecision);
  const count = (of: (session: (typeof sessions)[number]) => number) =>
    sessions.reduce((total, session) => total + of(session), 0);
  const { worst } = watch.drawdown;
  return {
    pnl: money(sum(sessions.map(pnlOf))),
    orders: count(({ core }) => core.counts.orders),
    fills: count((session) => session.watch.maker.fills + session.watch.taker.fills),
    roundTrips: count((session) => session.watch.roundTrips.count),
    fees: money(-sum(sessions.map(({ position }) => position.fees))),
    funding: money(sum(sessions.map(({ position }) => position.funding))),
    maxDrawdown: worst === 0 ? '0' : worst.toFixed(8),
    ...(ruinedAt === undefined ? {} : { ruinedAt }),
  };
}

interface Total {
  readonly volume: number;
  readonly fees: Money;
}

function totalOf(parts: readonly Total[]): Total {
  return {
    volume: parts.reduce((total, { volume }) => total + volume, 0),
    fees: sum(parts.map(({ fees }) => fees)),
  };
}

function sum(amounts: readonly Money[]): Money {
  return amounts.reduce((total, amount) => total + amount, 0n as Money);
}

function dataHash(parts: readonly PartResult[]): string {
  const byPair = [...parts].sort((a, b) => (a.pair < b.pair ? -1 : 1));
  return digestOf(byPair.flatMap(({ pair, data }) => [pair, data.hash]));
}

function digestOf(texts: readonly string[]): string {
  return sha256(JSON.stringify(texts));
}
