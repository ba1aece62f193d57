import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { askDaemon } from './daemon-call.js';

/** What a daemon that is not ready waits for. */
export interface DaemonWait {
  /** Each pair has a session, or had one that failed. */
  readonly isReady: boolean;
  /** A pair does not start before somebody has looked at it. */
  readonly needsPerson: boolean;
  readonly problems: readonly string[];
}

const ANSWER_MS = 500;

/** By its own word; one that does not answer has no problems yet. */
export async function daemonWait(state: string): Promise<DaemonWait> {
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: ANSWER_MS });
  if (answer?.status !== 200) return { isReady: false, needsPerson: false, problems: [] };
  const { pairs, problems } = answer.document as DaemonStatus;
  return {
    isReady: pairs.every(({ running, failure }) => running || failure !== undefined),
    needsPerson: pairs.some((pair) => pair.state === 'QUARANTINED'),
    problems,
  };
}

/** A daemon whose file there was no room for: by its own word it is this process, and every session was tried. */
export async function isReadyWithoutFile(state: string, pid: number): Promise<boolean> {
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: ANSWER_MS });
  if (answer?.status !== 200) return false;
  const said = answer.document as DaemonStatus;
  return said.pid === pid && said.state !== 'starting';
}
