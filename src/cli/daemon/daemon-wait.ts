import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { failureText, haltText } from '../../daemon/problems.js';
import { askDaemon, STATUS_MS } from './daemon-call.js';

/** What a daemon that is not ready waits for. */
export interface DaemonWait {
  /** Each pair has a session, or had one that failed. */
  readonly hasBegun: boolean;
  /** And each session has seen what it is judged by: it is as the status of it says. */
  readonly isReady: boolean;
  /** A strategy of it runs. */
  readonly runs: boolean;
  /** A pair does not start before somebody has looked at it. */
  readonly needsPerson: boolean;
  readonly problems: readonly string[];
  /** Those of them that last: strategies that failed, and a halt of an earlier life. A daemon that is ready is well but for these. */
  readonly lasting: readonly string[];
}

export const NOTHING_KNOWN: DaemonWait = {
  hasBegun: false,
  isReady: false,
  runs: false,
  needsPerson: false,
  problems: [],
  lasting: [],
};

/** By its own word; one that does not answer has no problems yet. */
export async function daemonWait(state: string): Promise<DaemonWait> {
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
  if (answer?.status !== 200) return NOTHING_KNOWN;
  const { pairs, problems, halted } = answer.document as DaemonStatus;
  return {
    hasBegun: pairs.every(({ running, failure }) => running || failure !== undefined),
    isReady: pairs.every(
      ({ running, failure, awaits }) => failure !== undefined || (running && awaits === undefined),
    ),
    runs: pairs.some(({ running }) => running),
    needsPerson: pairs.some((pair) => pair.state === 'QUARANTINED'),
    problems,
    lasting: [
      ...(halted === undefined ? [] : [haltText(halted)]),
      ...pairs.flatMap(({ pair, failure }) => (failure === undefined ? [] : [failureText(pair, failure)])),
    ],
  };
}

/** A daemon whose file there was no room for: by its own word it is this process, and every session was tried. */
export async function isReadyWithoutFile(state: string, pid: number): Promise<boolean> {
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
  if (answer?.status !== 200) return false;
  const said = answer.document as DaemonStatus;
  return said.pid === pid && said.state !== 'starting';
}
