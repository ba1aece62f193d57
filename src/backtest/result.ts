import { sha256 } from '../model/digest.js';
import { textOf, type Ticks } from '../model/grid.js';
import { moneyText } from '../model/money.js';
import { totalPnl } from '../model/position.js';
import type { SessionCore } from '../session/session-core.js';
import type { TapeSession } from './tape-session.js';

/** Where the numbers of a result come from. */
export interface RunInputs {
  /** SHA-256 of the strategy's code. */
  readonly strategyHash: string;
  readonly strategy: string;
  /** Parameters as text, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Everything else that the numbers depend on: latency, slippage, capital, limits, seed. */
  readonly options: Readonly<Record<string, string>>;
  readonly engineVersion: string;
  readonly data: {
    readonly hash: string;
    readonly gaps: number;
    readonly market: 'given' | 'catalogue' | 'inferred';
  };
}

/** `backtest --json` (`cli.md`): money and quantities as plain decimal text, times in epoch ms. */
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
  /** Why: each rule with its count and its first case, word for word. */
  readonly reasons: SessionCore['reasons'];
  readonly roundTrips: number;
  /** Net of fees and funding, the open position at the last print; by fill model. */
  readonly pnl: { readonly queue: string };
  /** Paid, positive. */
  readonly fees: string;
  readonly funding: string;
  /** ≤ 0, a fraction of the highest equity so far. */
  readonly maxDrawdown: string;
  readonly finalPosition: string;
  readonly wantsHash: string;
  readonly decisionHash: string;
  /** What open positions are valued at: the last print. */
  readonly mark: 'last';
  /** Where the street's volume ahead of our resting orders comes from. */
  readonly queueAhead: 'estimated';
  readonly data: RunInputs['data'];
}

export function backtestResult(session: TapeSession, inputs: RunInputs): BacktestResult {
  const { core } = session;
  const { engine, counts } = core;
  const { market, position } = engine;
  const mark = Math.round((core.lastPrice ?? 0) * market.priceGrid.scale) as Ticks;
  const money = (amount: bigint) => moneyText(amount, market.quotePrecision);
  return {
    schemaVersion: 1,
    runId: runId(inputs),
    strategy: inputs.strategy,
    pair: market.pair,
    from: session.from,
    to: session.to,
    trades: counts.trades,
    bars: engine.bars,
    orders: counts.orders,
    fills: counts.fills,
    refusals: counts.refusals,
    rejections: counts.rejections,
    reasons: core.reasons,
    roundTrips: session.roundTrips.count,
    pnl: { queue: money(totalPnl(market, position, mark)) },
    fees: money(-position.fees),
    funding: money(position.funding),
    maxDrawdown: session.drawdown.worst === 0 ? '0' : session.drawdown.worst.toFixed(8),
    finalPosition: textOf(market.quantityGrid, position.lots),
    wantsHash: engine.wantsHash(),
    decisionHash: core.decisionHash(),
    mark: 'last',
    queueAhead: 'estimated',
    data: inputs.data,
  };
}

/** A run is its hash: strategy code, data, configuration, engine. The same id always means the same result. */
export function runId({ strategyHash, strategy, params, options, engineVersion, data }: RunInputs): string {
  const sorted = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([strategyHash, strategy, sorted(params), sorted(options), engineVersion, data]);
  return sha256(text).slice(0, 16);
}
