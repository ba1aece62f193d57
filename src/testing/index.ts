/** What the test of a strategy is written with: `import { backtestTrades, tradesAt } from 'tickwright/testing'`. */
export type { Metrics } from '../backtest/metrics.js';
export type { BacktestResult, ModelSummary } from '../backtest/result.js';
export type { RunData } from '../backtest/run-data.js';
export type { MarketSpec, StepRange } from '../model/market.js';
export type { FillModelName } from '../venue/tape/fill-model.js';
export {
  backtestTrades,
  type BacktestTradesOptions,
  type TestFill,
  type TradesBacktest,
} from './backtest-trades.js';
export {
  type SyntheticTradesOptions,
  syntheticTrades,
  type TradesAtOptions,
  tradesAt,
  type TradeSketch,
} from './trades.js';
