import { runBacktest } from '../../src/backtest/backtest.js';
import { pollsAt } from '../../src/backtest/poll-schedule.js';
import type { Trade } from '../../src/model/trade.js';
import type { Recording } from '../../src/storage/recording.js';
import { TradeColumns } from '../../src/storage/trade-columns.js';
import type { BoundStrategy } from '../../src/strategy/instance.js';
import { CAPITAL, MARKET } from './coverage-world.js';
import { type RecordedTape, recordTape } from './record-tape.js';
import { runBot, type Truth } from './run-bot.js';

/** One seed of protocol T. Money in quote units. */
export interface Covered {
  readonly seed: string;
  readonly truth: number;
  readonly through: number;
  readonly queue: number;
  readonly touch: number;
  readonly fills: number;
  /** Of the `queue` model. */
  readonly queueFills: number;
  /** Prints of the tape without the bot, and how many of the tape with it are not among them. */
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

/** Run A (or what it recorded), run B, and the backtest on A's tape with B's measured latencies and polls. */
export async function cover(
  seed: string,
  durationMs: number,
  strategy: BoundStrategy,
  options: CoverOptions = {},
): Promise<Covered> {
  const { tape, world: without } = options.alone ?? (await recordTape(seed, durationMs));
  const truth = await runBot(seed, durationMs, strategy);
  const { result } = await runBacktest({
    strategy,
    strategyHash: '',
    recording: recordingOf(tape),
    capital: CAPITAL,
    ...measured(truth),
    slippageTicks: options.slippageTicks ?? 0,
    engineVersion: 'coverage',
  });
  const facts = (trade: Trade) => `${trade.time}/${trade.price}/${trade.quantity}/${trade.isBuyerMaker}`;
  const known = new Set(tape.map(facts));
  const withBot = truth.tape.map(facts);
  return {
    seed,
    truth: truth.pnl,
    through: Number(result.pnl.through),
    queue: Number(result.pnl.queue),
    touch: Number(result.pnl.touch),
    fills: truth.fills.length,
    queueFills: result.fills,
    prints: tape.length,
    changed: withBot.filter((print) => !known.has(print)).length,
    moved: truth.world.lastPrice - without.lastPrice,
  };
}

/** What the backtest is told of the way to the venue: the shortest that was measured, and twice the mean above it. */
function measured({ latencies, polls }: Truth) {
  const least = Math.floor(Math.min(...latencies, 60));
  const mean = latencies.reduce((sum, each) => sum + each, 0) / Math.max(1, latencies.length);
  return {
    latencyMs: least,
    jitterMs: latencies.length === 0 ? 0 : Math.round(2 * (mean - least)),
    polls: { name: 'measured', schedule: pollsAt(polls) },
  };
}

export function recordingOf(tape: readonly Trade[]): Recording {
  return {
    pair: MARKET.pair,
    kind: 'trades',
    folders: [],
    days: [],
    market: MARKET,
    marketSource: 'given',
    gaps: [],
    barMs: undefined,
    async *chunks() {
      yield TradeColumns.of(tape);
    },
    async *bars() {},
    async *facts() {},
  };
}
