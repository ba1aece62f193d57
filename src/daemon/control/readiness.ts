import type { DaemonStatus } from '../daemon-api.js';

/** A pair whose polls are all older is not watched. */
const STALE_MS = 15_000;

/** Why the daemon is not to be relied on now; from what it says at this moment. */
export function notReady({ state, pairs }: DaemonStatus): readonly string[] {
  return [
    ...(state === 'running' ? [] : [`the daemon is ${state}`]),
    ...pairs.flatMap(({ pair, running, state: where, reason, pollAgeMs, noRiskBefore }) => [
      ...(running ? [] : [`${pair} does not run`]),
      ...(running && where !== 'SYNCED' ? [`${pair} is ${where}: ${reason}`] : []),
      ...(running && noRiskBefore !== undefined ? [`${pair} adds no risk before ${noRiskBefore}`] : []),
      ...(running && (pollAgeMs === undefined || pollAgeMs > STALE_MS) ? [`${pair} has no fresh data`] : []),
    ]),
  ];
}
