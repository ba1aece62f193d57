/** How much of what is too much, where no limit of the user's says it. */
import type { RefusalRule } from '../model/command.js';

export const MINUTE_MS = 60_000;
export const TEN_MINUTES_MS = 10 * MINUTE_MS;
/** Where no limit says how many. */
export const MOST_ORDERS_PER_MINUTE = 120;
export const MOST_OPEN_ORDERS = 50;
/** Within ten minutes, of a rule that bounds what the strategy asks for: more is a loop, not a coincidence. */
export const MOST_REFUSALS = 40;
/** Of rules that come and go with the market: each change of mind meets them once. */
export const MOST_REFUSALS_OF_THE_TIMES = 1_000;
/** Of rules that slow it down, likewise. */
export const MOST_REFUSALS_OF_PACE = 100;
/** By a venue that has no reason to but the order itself. */
export const MOST_REJECTIONS = 20;
/** Orders for one want that never changes, within ten minutes and without a fill. */
export const MOST_PER_WANT = 30;
/** Within ten minutes, judged from so many orders on: more orders for one fill. */
export const MOST_ORDERS_PER_FILL = 50;
export const LEAST_ORDERS = 100;
/** Stops within ten minutes and without a fill: enough to trail at each bar of five seconds, and not at each trade. */
export const MOST_STOPS = 200;
/** Orders within ten minutes that only move another one by a tick or two. */
export const MOST_NUDGES = 30;
export const NUDGE_TICKS = 2;
/** The gate counts a minute by the times of its events, which may lie a poll apart from those of sending. */
export const PACE_SLACK = 1.1;
/** Downtime and an outage, and all that has to be proven after them. */
export const MOST_NAKED_MS = 6 * MINUTE_MS;

/** An order that cannot be one: it says that the strategy does not know its market. */
export const FILTER_RULES: ReadonlySet<RefusalRule> = new Set<RefusalRule>([
  'tick',
  'lot',
  'min-price',
  'max-price',
  'min-quantity',
  'max-quantity',
  'iceberg',
  'interest',
  'not-a-number',
  'target-below-lot',
]);
/** No strategy can know of these beforehand. */
export const OF_THE_TIMES: ReadonlySet<RefusalRule> = new Set<RefusalRule>([
  'not-synced',
  'halted',
  'warming-up',
  'price-collar',
  'max-daily-loss',
  'max-drawdown',
  'max-consecutive-losses',
  'reject-ratio',
  'liquidation-distance',
  'market-inactive',
  'stop-hit',
]);
export const OF_PACE: ReadonlySet<RefusalRule> = new Set<RefusalRule>([
  'max-orders-per-minute',
  'max-orders-per-hour',
  'max-cancels-per-minute',
  'same-side-repeat',
]);
