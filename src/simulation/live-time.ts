import { profileOf } from './subject-config.js';
import type { SwarmPlan } from './swarm-plan.js';

/** Time for a scan of all lists, including reads that were already under way. */
const SCAN_MS = 60_000;
/** A circuit breaker may have opened this long just before (`reliability.md` c.5). */
const BREAKER_MS = 30_000;

/** The reads of a scan by a client that has been slowed down: two looks of eight reads, and as many reads of prices between. */
const SCAN_READS = 32;
/** What a client does about throttling (`reliability.md` c.5): it halves its pace, to this share at least. */
const SLOWEST = 1 / 50;
/** As long as this after the newest throttling a client has its whole pace again, at 5 % a minute. */
const REGAIN_MS = 20 * 60_000;

export interface Throttling {
  /** When the faults ended, and when the venue throttled requests before, venue ms. */
  readonly endedAt: number;
  readonly times: readonly number[];
}

const NONE: Throttling = { endedAt: 0, times: [] };

/**
 * T_live of `reliability.md` b.6, ms: the time after the last fault within which everything in doubt must be proven. A scan
 * takes longer where the venue has throttled the client shortly before.
 */
export function liveMs(plan: SwarmPlan, throttling: Throttling = NONE): number {
  const { pollMs, bounds } = plan;
  return BREAKER_MS + bounds.lateMs + 2 * bounds.visibilityMs + 4 * pollMs + scanMs(plan, throttling);
}

function scanMs(plan: SwarmPlan, { endedAt, times }: Throttling): number {
  const halvings = times.filter((time) => endedAt - time < REGAIN_MS).length;
  if (halvings === 0) return SCAN_MS;
  const pace = profileOf(plan).budget.perSecond * Math.max(SLOWEST, 2 ** -halvings);
  return Math.max(SCAN_MS, (SCAN_READS / pace) * 1_000);
}
