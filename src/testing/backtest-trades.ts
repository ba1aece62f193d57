import { NO_RATES } from '../storage/facts/recorded-rates.js';
import { runBacktest } from '../backtest/backtest.js';
import type { BacktestResult } from '../backtest/result.js';
import { sha256 } from '../model/digest.js';
import type { Fill } from '../model/fill.js';
import { numberOf } from '../model/grid.js';
import { parseDecimal } from '../model/decimal.js';
import { defineMarket, type Market, type MarketSpec } from '../model/market.js';
import type { Side } from '../model/side.js';
import type { Trade } from '../model/trade.js';
import type { Recording } from '../storage/recording/recording.js';
import { TradeColumns } from '../storage/rows/trade-columns.js';
import { importingOthers, isStrategyDefinition, type StrategyDefinition } from '../strategy/definition.js';
import { bindStrategy } from '../strategy/instance.js';
import { receivedText } from '../strategy/mistake.js';
import type { ParamSpecs } from '../strategy/params.js';
import { catalogueMarket } from '../venue/catalogue.js';
import { FILL_MODELS, type FillModelName } from '../venue/tape/fill-model.js';
import { checkTrades, DEFAULT_PAIR, optionsOf, usage } from './trades.js';

/** At most so many are handed over at once, as from a recording. */
const CHUNK = 65_536;

export interface BacktestTradesOptions<P extends ParamSpecs> {
  /**
   * In order of time. A price or quantity between two steps of the market is handed to the strategy as it is; what trades
   * against it does so at a step beside it, the worse one for a market order.
   */
  readonly trades: readonly Trade[];
  /** As `--set` takes them: `{ fast: 5, quantity: '0.01', bars: '1m' }`. */
  readonly params?: { readonly [K in keyof P]?: string | number | boolean };
  /** One of the markets that `tickwright venue` lists, or its rules. Default: USD_BTC_PERP. */
  readonly market?: string | MarketSpec;
  /** What fills the orders: one model, since each has fills of its own. Default: `queue`. */
  readonly fill?: FillModelName;
  /** From sending an order to its effect, way back included, ms. Default 50. */
  readonly latencyMs?: number;
  /** How much worse than the print market orders trade, ticks. Default 0. */
  readonly slippageTicks?: number;
  /** Quote units at the start, as decimal text, above 0. Default: 100000. */
  readonly capital?: string;
  /** Of `context.random`. Default: 1. */
  readonly seed?: string;
}

/** An execution. Quote and base units. */
export interface TestFill {
  readonly time: number;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly liquidity: 'maker' | 'taker';
}

export interface TradesBacktest {
  /** In the order in which they came about. */
  readonly fills: readonly TestFill[];
  /** Held at the end: base units, signed. */
  readonly position: number;
  /** What `tickwright backtest --json` says (docs/result.md), but for what names a run. */
  readonly result: Omit<BacktestResult, 'runId' | 'strategyHash' | 'engine'>;
}

const OPTIONS: readonly (keyof BacktestTradesOptions<ParamSpecs>)[] = [
  'trades',
  'params',
  'market',
  'fill',
  'latencyMs',
  'slippageTicks',
  'capital',
  'seed',
];

/**
 * Runs a strategy over trades: the engine, gate and venue of `tickwright backtest`, without files. Equal arguments give an
 * equal answer, as long as the strategy asks nothing but its `context`: that it reads no clock and no chance is checked where its
 * file is loaded (`tickwright check`, `tickwright backtest`), not here. What the strategy throws is thrown on.
 *
 * @throws UsageError for arguments that are not what they must be: trades that could not have been, parameters that are not
 * the strategy's.
 */
export async function backtestTrades<P extends ParamSpecs>(
  strategy: StrategyDefinition<P>,
  options: BacktestTradesOptions<P>,
): Promise<TradesBacktest> {
  if (!isStrategyDefinition(strategy))
    throw usage(`the strategy must be made by defineStrategy, received ${receivedText(strategy)}`);
  const {
    trades,
    params = {},
    fill = 'queue',
    capital = '100000',
    latencyMs,
    slippageTicks,
    seed,
  } = optionsOf('backtestTrades', options, OPTIONS);
  checkTrades(trades);
  if (!FILL_MODELS.some(({ name }) => name === fill)) {
    const names = FILL_MODELS.map(({ name }) => name).join(', ');
    throw usage(`fill must be one of ${names}, received ${receivedText(fill)}`);
  }
  if (parseDecimal(capital)?.gt(0) !== true)
    throw usage(`capital must be a decimal above 0, like '100000', received ${receivedText(capital)}`);
  checkWhole('latencyMs', 'whole ms', latencyMs);
  checkWhole('slippageTicks', 'whole ticks', slippageTicks);
  const market = marketOf(options.market ?? DEFAULT_PAIR);
  checkSizes(trades, market);
  const fills: Fill[] = [];
  const run = await runBacktest({
    // Which packages its file imports is not known here.
    strategy: bindStrategy(importingOthers(strategy), params),
    strategyHash: sha256(strategy.name),
    recording: inMemory(market, trades),
    capital,
    fill,
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(slippageTicks === undefined ? {} : { slippageTicks }),
    ...(seed === undefined ? {} : { seed }),
    engineVersion: '',
    onFill: (each) => fills.push(each),
  });
  const { runId: _runId, strategyHash: _strategyHash, engine: _engine, ...result } = run.result;
  return {
    fills: fills.map(({ time, side, ticks, lots, liquidity }) => ({
      time,
      side,
      price: numberOf(market.priceGrid, ticks),
      quantity: numberOf(market.quantityGrid, lots),
      liquidity,
    })),
    position: Number(result.finalPosition),
    result,
  };
}

function checkWhole(name: string, unit: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return;
  throw usage(`${name} must be ${unit} of 0 or above, received ${receivedText(value)}`);
}

/** Of less than a tick or a lot no order could have its share. */
function checkSizes(trades: readonly Trade[], market: Market): void {
  const [tick, lot] = [1 / market.priceGrid.scale, 1 / market.quantityGrid.scale];
  const index = trades.findIndex(({ price, quantity }) => price < tick || quantity < lot);
  if (index < 0) return;
  const { price, quantity } = trades[index] as Trade;
  throw usage(
    `trade ${index} must be of at least ${lot} ${market.base} at ${tick} ${market.quote}, as ${market.pair} is counted, received ${quantity} at ${price}`,
  );
}

function marketOf(given: string | MarketSpec): Market {
  if (typeof given === 'string') return catalogueMarket(given);
  const spec: Partial<MarketSpec> | undefined = given;
  if (spec?.pair === undefined || spec.price?.step === undefined || spec.quantity?.step === undefined) {
    throw usage(
      `market must be the name of a pair or its rules, at least pair, price and quantity, received ${receivedText(given)}`,
    );
  }
  return defineMarket(given);
}

function inMemory(market: Market, trades: readonly Trade[]): Recording {
  return {
    pair: market.pair,
    kind: 'trades',
    folders: [],
    days: [],
    market,
    marketSource: 'given',
    rates: NO_RATES,
    marginChangedAt: undefined,
    gaps: [],
    barMs: undefined,
    async *chunks() {
      for (let from = 0; from < trades.length; from += CHUNK) {
        yield TradeColumns.of(trades.slice(from, from + CHUNK));
      }
    },
    async *bars() {},
    async *facts() {},
  };
}
