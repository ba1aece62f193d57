/** What a strategy file is written with. Everything else of the package is internal. */
import './strategy/strategy-console.js';

export { type Crossover, crossover } from './indicators/crossover.js';
export { ema } from './indicators/ema.js';
export { type MovingAverage, sma } from './indicators/sma.js';
export type { Bar } from './model/bar.js';
export type { DecimalSource } from './model/decimal.js';
export { StrategyError, TickwrightError, UsageError } from './model/errors.js';
export type { Grid, Lots, Ticks } from './model/grid.js';
export type {
  Contract,
  FeeRates,
  FundingRules,
  LiquidationRules,
  MarginRates,
  Market,
  PairFilters,
  PriceFilter,
  PricingRules,
  QuantityFilter,
} from './model/market.js';
export type { Money, Rate } from './model/money.js';
export type { IntentId, OrderState, OrderType, TimeInForce } from './model/order.js';
export type { Random } from './model/random.js';
export type { Side } from './model/side.js';
export type { Ticker } from './model/ticker.js';
export type { Trade, TradeGap } from './model/trade.js';
export type { FillView, PositionView, StrategyContext, TimerView, WorkingOrder } from './strategy/context.js';
export {
  type Answer,
  defineStrategy,
  type HandlerForm,
  type Handlers,
  type Sources,
  snapshot,
  type StrategyDefinition,
  type StreamForm,
} from './strategy/definition.js';
export {
  barInterval,
  boolean,
  choice,
  decimal,
  integer,
  number,
  type ParamSpec,
  type ParamSpecs,
  type ParamValues,
} from './strategy/params.js';
export { Decimal, type DecimalConstructor } from './strategy/strategy-decimal.js';
export {
  type FlatWant,
  flat,
  holdPosition,
  type OrderRequest,
  type OrdersWant,
  orders,
  type PositionWant,
  type QuoteSide,
  type QuoteWant,
  quote,
  type Want,
} from './strategy/want.js';
