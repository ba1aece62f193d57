import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { failureText, haltText } from '../../daemon/problems.js';
import { askDaemon, STATUS_MS } from './daemon-call.js';

/** How far the start of a daemon has come. */
export interface DaemonWait {
  /** Each pair has a session, or had one whose strategy failed. */
  readonly hasBegun: boolean;
  /** In addition, each session has received what its state is judged by, so the status is final. */
  readonly isReady: boolean;
  /** At least one strategy runs. */
  readonly runs: boolean;
  /** A pair does not start before a person has looked at it. */
  readonly needsPerson: boolean;
  readonly problems: readonly string[];
  /**
   * Those problems that time does not cure: failed strategies, and halts of an earlier life. A ready daemon has no other
   * problems.
   */
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

/** Asks the daemon. One that does not answer has no problems yet. */
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

/**
 * Whether this process is ready although a full disk kept it from writing its file: it answers as `pid`, and every
 * session was tried.
 */
export async function isReadyWithoutFile(state: string, pid: number): Promise<boolean> {
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
  if (answer?.status !== 200) return false;
  const said = answer.document as DaemonStatus;
  return said.pid === pid && said.state !== 'starting';
}
