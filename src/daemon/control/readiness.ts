import type { DaemonStatus } from '../daemon-api.js';
import { SILENT_MS, STANDS_STILL } from '../problems.js';
import { longestSilence } from '../silence.js';

/** A pair whose polls are all older is not watched, unless they are rare; ms. */
const STALE_MS = 15_000;

/** Why the daemon is not to be relied on now; from what it says at this moment. */
export function notReady({ state, pairs }: DaemonStatus): readonly string[] {
  return [
    ...(state === 'running' ? [] : [`the daemon is ${state}`]),
    ...pairs.flatMap(
      ({
        pair,
        running,
        state: where,
        permission,
        reason,
        pollAgeMs = Infinity,
        timeAgeMs = 0,
        pollMs,
        noRiskBefore,
        riskPause,
        ordersWait,
        bare,
      }) => [
        ...(running ? [] : [`${pair} does not run`]),
        ...(running && where !== 'SYNCED' ? [`${pair} is ${where}: ${reason}`] : []),
        ...(running && where === 'SYNCED' && permission !== 'all' ? [`${pair} adds no risk: ${reason}`] : []),
        ...(running && bare !== undefined ? [`${pair}: ${bare}`] : []),
        ...(running && ordersWait !== undefined ? [`${pair} lets no order out: ${ordersWait}`] : []),
        ...(running && riskPause !== undefined ? [`${pair}: ${riskPause}`] : []),
        ...(running && noRiskBefore !== undefined ? [`${pair} adds no risk before ${noRiskBefore}`] : []),
        ...(running && pollAgeMs > longestSilence(STALE_MS, pollMs)
          ? [`${pair} has no fresh data`]
          : running && timeAgeMs > longestSilence(SILENT_MS, pollMs)
            ? [`${pair}: ${STANDS_STILL}`]
            : []),
      ],
    ),
  ];
}
