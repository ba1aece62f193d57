import { NO_RATES } from '../../src/storage/facts/recorded-rates.js';
import { type BacktestOptions, type BacktestRun, runBacktest } from '../../src/backtest/backtest.js';
import { pollsAt } from '../../src/backtest/poll-schedule.js';
import type { Ticks } from '../../src/model/grid.js';
import { moneyNumber } from '../../src/model/money.js';
import { totalPnl } from '../../src/model/position.js';
import type { Trade } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import type { BoundStrategy } from '../../src/strategy/instance.js';
import type { CommandDelay } from '../../src/venue/tape/command-delay.js';
import type { FillModelName } from '../../src/venue/tape/fill-model.js';
import { CAPITAL, MARKET } from './coverage-world.js';
import { type RecordedTape, recordTape } from './record-tape.js';
import { runBot, type Truth } from './run-bot.js';

/**
 * What the backtest is given: the tape without the bot, alone, with the tickers or with tickers and depth as they were
 * recorded beside it; or the tape of the very session, which calibrates and validates nothing.
 */
export const DATA_NAMES = ['trades', 'ticker', 'depth', 'replay'] as const;
export type DataName = (typeof DATA_NAMES)[number];

/** P&L by each model, quote units, and its fills. */
export interface ModelRange {
  readonly through: number;
  readonly queue: number;
  readonly touch: number;
  readonly fills: Readonly<Record<FillModelName, number>>;
  readonly queueAhead: 'recorded' | 'estimated';
  /** The strategy wanted the same things at the same times as in the true run. */
  readonly sameWants: boolean;
}

/** One seed of protocol T. Money in quote units. */
export interface Covered {
  readonly seed: string;
  readonly truth: number;
  readonly fills: number;
  readonly ranges: Readonly<Record<DataName, ModelRange>>;
  /** Prints of the tape with the bot, and how many of them are not on the tape without it. */
  readonly prints: number;
  readonly changed: number;
  /** The last price with the bot less that without it. */
  readonly moved: number;
}

export interface CoverOptions {
  /** Run A, when it was made already. */
  readonly alone?: RecordedTape;
  /** Of the `queue` model, ticks; default 0. */
  readonly slippageTicks?: number;
}

/** Run A (or what it recorded), run B, and the backtests, all with B's measured latencies and polls. */
export async function cover(
  seed: string,
  durationMs: number,
  strategy: BoundStrategy,
  options: CoverOptions = {},
): Promise<Covered> {
  const { tape, facts, world: without } = options.alone ?? (await recordTape(seed, durationMs));
  const truth = await runBot(seed, durationMs, strategy);
  const backtest = (recording: Recording) => rangeOf(recording, strategy, truth, options.slippageTicks ?? 0);
  const seen = TradeColumns.of(tape.filter(({ time }) => time >= truth.since));
  const textOf = (trade: Trade) => `${trade.time}/${trade.price}/${trade.quantity}/${trade.isBuyerMaker}`;
  const known = new Set(tape.map(textOf));
  return {
    seed,
    truth: truth.pnl,
    fills: truth.fills.length,
    ranges: {
      trades: await backtest(recordingOf(seen)),
      ticker: await backtest(
        recordingOf(
          seen,
          facts.filter(({ kind }) => kind === 'ticker'),
        ),
      ),
      depth: await backtest(recordingOf(seen, facts)),
      replay: await backtest(recordingOf(ownTape(truth))),
    },
    prints: truth.tape.length,
    changed: truth.tape.filter((trade) => !known.has(textOf(trade))).length,
    moved: truth.world.lastPrice - without.lastPrice,
  };
}

async function rangeOf(
  recording: Recording,
  strategy: BoundStrategy,
  truth: Truth,
  slippageTicks: number,
): Promise<ModelRange> {
  const { runs, headline, result } = await backtestOf(recording, strategy, truth, { slippageTicks });
  const mark = Math.round(truth.mark * MARKET.priceGrid.scale) as Ticks;
  const each = (model: FillModelName) => {
    const session = runs.find((run) => run.model === model)?.session;
    if (session === undefined) throw new Error(`a backtest must have the model ${model}`);
    return {
      pnl: moneyNumber(totalPnl(MARKET, session.position, mark), MARKET.quotePrecision),
      fills: session.watch.maker.fills + session.watch.taker.fills,
    };
  };
  const [through, queue, touch] = [each('through'), each('queue'), each('touch')];
  return {
    through: through.pnl,
    queue: queue.pnl,
    touch: touch.pnl,
    fills: { through: through.fills, queue: queue.fills, touch: touch.fills },
    queueAhead: result.queueAhead,
    sameWants: headline.session.core.engine.wantsHash() === truth.wantsHash,
  };
}

/** With the polls and the latencies of the true run. */
export function backtestOf(
  recording: Recording | TradeColumns,
  strategy: BoundStrategy,
  truth: Truth,
  options: Pick<BacktestOptions, 'slippageTicks' | 'onFill'>,
): Promise<BacktestRun> {
  return runBacktest({
    strategy,
    strategyHash: '',
    recording: recording instanceof TradeColumns ? recordingOf(recording) : recording,
    capital: CAPITAL,
    delays: { name: 'measured', of: measuredDelays(truth) },
    polls: { name: 'measured', schedule: pollsAt(truth.polls), news: pollsAt(truth.newsPolls) },
    engineVersion: 'coverage',
    ...options,
  });
}

/** The n-th order is on its way as long as the n-th of the true run was; when those are used up, from the first again. */
export function measuredDelays({ latencies }: Pick<Truth, 'latencies'>): CommandDelay {
  const of = (measured: readonly number[], intentId: number) =>
    measured.length === 0 ? undefined : measured[(intentId - 1) % measured.length];
  return ({ kind, intentId }) => {
    const ms = of(latencies[kind], intentId) ?? of(latencies.place, intentId) ?? 0;
    return Math.max(0, Math.round(ms));
  };
}

/** The tape of the true run; what the bot's own orders took is marked, since nobody else came to buy or sell it. */
export function ownTape({ tape, fills, since }: Truth): TradeColumns {
  const columns = TradeColumns.of(tape.filter(({ time }) => time >= since));
  columns.markOwn(new Set(fills.filter(({ liquidity }) => liquidity === 'taker').map(({ id }) => id)));
  return columns;
}

export function recordingOf(columns: TradeColumns, facts: readonly WorldFact[] = []): Recording {
  return {
    pair: MARKET.pair,
    kind: 'trades',
    folders: [],
    days: [],
    market: MARKET,
    marketSource: 'given',
    rates: NO_RATES,
    marginChangedAt: undefined,
    gaps: [],
    barMs: undefined,
    async *chunks() {
      yield columns;
    },
    async *bars() {},
    async *facts() {
      yield facts;
    },
  };
}
