import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { Trade } from '../../model/trade.js';
import { VenueCore } from '../core/venue-core.js';
import type { SyntheticProfile } from './profile.js';
import { SyntheticMarket } from './synthetic-market.js';

/** Simulated time before the tape begins, so that it begins in ongoing trading. */
const WARM_UP_MS = 60_000;
const BATCH = 1_024;
/** How far the simulation advances per step. */
const STRIDE_MS = 10_000;

export interface TapeOptions {
  readonly market: Market;
  readonly seed: string | number;
  /** Venue time from which trades are taken, inclusive, ms. */
  readonly from: number;
  /**
   * The number of trades. `trades` or `durationMs` must be given; with both, the tape ends at whichever is reached
   * first.
   */
  readonly trades?: number | undefined;
  /** Takes the trades with from <= time < from + durationMs. */
  readonly durationMs?: number | undefined;
  readonly intensity?: number | undefined;
  readonly profile?: SyntheticProfile | undefined;
  /** Id of the first trade; the ids have no gaps. Default 1. */
  readonly firstId?: number | undefined;
}

/** Generates the trades of a synthetic market without clients, in (time, id) order, in batches of some thousand. */
export function* generateTape(options: TapeOptions): Generator<readonly Trade[], void, undefined> {
  const { market, from } = options;
  const wanted = options.trades ?? Number.POSITIVE_INFINITY;
  const end = from + (options.durationMs ?? Number.POSITIVE_INFINITY);
  if (wanted === Number.POSITIVE_INFINITY && end === Number.POSITIVE_INFINITY) {
    throw new UsageError(
      'TICKWRIGHT_E_SYNTHETIC',
      'a synthetic tape must have a length, received neither trades nor durationMs',
    );
  }
  const core = new VenueCore({ markets: [{ market, keepTrades: 0 }] });
  const firstId = options.firstId ?? 1;
  let batch: Trade[] = [];
  let count = 0;
  core.onTrade((_pair, { time, price, quantity, isBuyerMaker }) => {
    if (time < from || time >= end || count >= wanted) return;
    batch.push({ id: String(firstId + count++), time, price, quantity, isBuyerMaker });
  });
  const driver = new SyntheticMarket({
    core,
    market,
    seed: options.seed,
    startTime: from - WARM_UP_MS,
    intensity: options.intensity,
    profile: options.profile,
    history: false,
  });
  driver.advanceTo(from);
  for (let now = from; now < end && count < wanted; ) {
    now += STRIDE_MS;
    driver.advanceTo(now);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
