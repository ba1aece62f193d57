import { sha256 } from '../model/digest.js';
import { textOf } from '../model/grid.js';
import { type Market, worthAt } from '../model/market.js';
import { feeOf, type Money, moneyText } from '../model/money.js';
import { totalPnlAt } from '../model/position.js';
import type { SessionCore } from '../session/session-core.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import type { BacktestSession, ModelRun } from './model-run.js';
import type { RunData } from './run-data.js';
import { type Metrics, metricsOf } from './metrics.js';
import { type Protection, protectionOf } from '../session/protection.js';

/** What the numbers of a result depend on. */
export interface RunInputs {
  /** SHA-256 of the strategy's code. */
  readonly strategyHash: string;
  readonly strategy: string;
  /** Parameters as text, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Everything else that the numbers depend on: latency, slippage, capital, limits, seed. */
  readonly options: Readonly<Record<string, string>>;
  readonly engineVersion: string;
  readonly data: RunData;
  /** The market as of the start of the run. */
  readonly market: Market;
}

/** `undecided`: the P&L of the fill models differs in sign. */
export type Verdict = 'profit' | 'loss' | 'flat' | 'undecided';

/** The result of a strategy under one fill model. */
export interface ModelSummary {
  readonly pnl: string;
  readonly orders: number;
  readonly fills: number;
  readonly roundTrips: number;
  readonly fees: string;
  readonly funding: string;
  readonly maxDrawdown: string;
  readonly finalPosition: string;
  /** The taker fee for closing the open position at the last print. */
  readonly closingCost: string;
  readonly wantsHash: string;
  readonly decisionHash: string;
}

/**
 * The output of `backtest --json` (`cli.md`). Counts and times (epoch ms) are numbers, everything else is plain decimal
 * text; `null` means that there is too little data. Equal inputs give equal bytes.
 */
export interface BacktestResult {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly strategy: string;
  readonly pair: string;
  readonly from: number;
  readonly to: number;
  readonly trades: number;
  readonly bars: number;
  readonly orders: number;
  readonly fills: number;
  readonly refusals: number;
  readonly rejections: number;
  /** Orders that were on their way or working when the recording ended, so that their outcome is unknown. */
  readonly openOrders: number;
  /**
   * Why orders were not carried out: each rule with its count and its first case, verbatim. `canceled`: by the venue,
   * without a request.
   */
  readonly reasons: SessionCore['reasons'];
  readonly roundTrips: number;
  /** Fees paid, positive. They include what a take-over of the position took from the account. */
  readonly pnl: Readonly<Partial<Record<FillModelName, string>>>;
  readonly verdict: Verdict;
  /** Fees paid, positive. They include the loss that a take-over of the position left with the account. */
  readonly fees: string;
  readonly funding: string;
  /** ≤ 0, a fraction of the highest equity so far, measured at every print. */
  readonly maxDrawdown: string;
  /** Annual Sharpe ratio of daily returns; `null` with fewer than 30 of them. */
  readonly sharpe: string | null;
  readonly finalPosition: string;
  /** The taker fee for closing the final position at the last print. */
  readonly closingCost: string;
  readonly wantsHash: string;
  readonly decisionHash: string;
  /** When the equity reached 0, which ended the run; absent if it did not. */
  readonly ruinedAt?: number;
  /** When the venue first liquidated the position or a part of it; absent if it never did. The run goes on. */
  readonly liquidatedAt?: number;
  /**
   * The price at which the venue values open positions. `mixed`: recorded marks, and the last print before the first of
   * them and where they were too old.
   */
  readonly mark: 'last' | 'recorded' | 'mixed';
  /** The source of the street's volume ahead of our resting orders. */
  readonly queueAhead: 'estimated' | 'recorded';
  readonly data: RunInputs['data'];
  /** P&L and round trips from times in which prints are missing in the recording. */
  readonly insideGaps: { readonly pnl: string; readonly roundTrips: number };
  /** The fill model that all figures but `pnl`, `verdict` and `models` belong to. */
  readonly headline: FillModelName;
  readonly models: Readonly<Partial<Record<FillModelName, ModelSummary>>>;
  readonly costs: { readonly makerFees: string; readonly takerFees: string; readonly funding: string };
  readonly metrics: Metrics;
  /**
   * For how long positions had no stop at the venue. Times in ms, counted from the first want with a stop on, and absent
   * where the strategy wanted none; where `limits.maxBareTime` is set, from the start and always there.
   */
  readonly protection?: Protection;
  readonly capital: string;
  readonly quote: string;
  readonly base: string;
  readonly strategyHash: string;
  readonly engine: string;
  readonly params: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/** `runs`: from the most pessimistic to the most optimistic model. `headline` must be one of them. */
export function backtestResult(
  runs: readonly ModelRun[],
  headline: ModelRun,
  inputs: RunInputs,
): BacktestResult {
  const { session } = headline;
  const { core, watch } = session;
  const { engine, counts } = core;
  const protection = protectionOf(engine);
  const { market } = engine;
  const money = (amount: Money) => moneyText(amount, market.quotePrecision);
  const capital = inputs.options['capital'] ?? '0';
  const metrics = metricsOf({
    market: inputs.market,
    watch,
    capital: Number(capital),
    from: session.from,
    to: session.to,
  });
  const models = Object.fromEntries(runs.map((run) => [run.model, summaryOf(run)]));
  const { orders, fills, roundTrips, fees, funding, maxDrawdown, finalPosition, closingCost } =
    summaryOf(headline);
  return {
    schemaVersion: 1,
    runId: runId(inputs),
    strategy: inputs.strategy,
    pair: market.pair,
    from: session.from,
    to: session.to,
    trades: counts.trades,
    bars: engine.bars,
    orders,
    fills,
    refusals: counts.refusals,
    rejections: counts.rejections,
    openOrders: engine.workingOrders.length,
    reasons: core.reasons,
    roundTrips,
    pnl: Object.fromEntries(runs.map(({ model, session: each }) => [model, money(pnlOf(each))])),
    verdict: verdictOf(runs.map((run) => pnlOf(run.session))),
    fees,
    funding,
    maxDrawdown,
    sharpe: metrics.sharpe,
    finalPosition,
    closingCost,
    wantsHash: engine.wantsHash(),
    decisionHash: core.decisionHash(),
    ...(watch.ruinedAt === undefined ? {} : { ruinedAt: watch.ruinedAt }),
    ...(watch.liquidatedAt === undefined ? {} : { liquidatedAt: watch.liquidatedAt }),
    mark: session.mark,
    queueAhead: session.queueAhead,
    data: inputs.data,
    insideGaps: { pnl: money(watch.gapPnl), roundTrips: watch.roundTrips.totals.inGaps },
    headline: headline.model,
    models,
    costs: { makerFees: money(watch.maker.fees), takerFees: money(watch.taker.fees), funding },
    metrics,
    ...(protection === undefined ? {} : { protection }),
    capital,
    quote: market.quote,
    base: market.base,
    strategyHash: inputs.strategyHash,
    engine: inputs.engineVersion,
    params: sorted(inputs.params),
    options: sorted(inputs.options),
  };
}

export function verdictOf(pnls: readonly Money[]): Verdict {
  if (pnls.every((pnl) => pnl > 0n)) return 'profit';
  if (pnls.every((pnl) => pnl < 0n)) return 'loss';
  return pnls.every((pnl) => pnl === 0n) ? 'flat' : 'undecided';
}

function summaryOf({ session }: ModelRun): ModelSummary {
  const { core, watch, position } = session;
  const { market } = core.engine;
  const money = (amount: Money) => moneyText(amount, market.quotePrecision);
  const worst = watch.drawdown.worst;
  return {
    pnl: money(pnlOf(session)),
    orders: core.counts.orders,
    fills: watch.maker.fills + watch.taker.fills,
    roundTrips: watch.roundTrips.count,
    fees: money(-position.fees),
    funding: money(position.funding),
    maxDrawdown: worst === 0 ? '0' : worst.toFixed(8),
    finalPosition: textOf(market.quantityGrid, position.lots),
    closingCost: money(closingCostOf(market, session)),
    wantsHash: core.engine.wantsHash(),
    decisionHash: core.decisionHash(),
  };
}

/** P&L net of fees and funding, with the open position valued at the last print. */
export function pnlOf(session: BacktestSession): Money {
  const { market } = session.core.engine;
  return totalPnlAt(market, session.position, lastPrice(session));
}

function closingCostOf(market: Market, session: BacktestSession): Money {
  const { lots } = session.position;
  const value = worthAt(market, lots, lastPrice(session));
  return feeOf(market.fees.taker, value < 0n ? -value : value);
}

function lastPrice({ watch }: BacktestSession): number {
  return Number.isNaN(watch.lastPrice) ? 0 : watch.lastPrice;
}

/**
 * The id of a run: a hash of strategy code, data, configuration and engine. The same id always means the same result.
 */
export function runId(inputs: Omit<RunInputs, 'market'>): string {
  const { strategyHash, strategy, params, options, engineVersion, data } = inputs;
  const entries = (record: Readonly<Record<string, string>>) => Object.entries(sorted(record));
  const text = JSON.stringify([
    strategyHash,
    strategy,
    entries(params),
    entries(options),
    engineVersion,
    data,
  ]);
  return sha256(text).slice(0, 16);
}

/** The id of the run with its headline model only. It does not depend on which other models were run. */
export function headlineIdOf(result: BacktestResult): string {
  const { strategyHash, strategy, params, data, engine: engineVersion, headline } = result;
  return runId({
    strategyHash,
    strategy,
    params,
    options: { ...result.options, fill: headline },
    engineVersion,
    data,
  });
}

function sorted(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
