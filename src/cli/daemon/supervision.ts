/** Tells systemd, if it supervises this process, that the daemon is ready and that its loops make progress. */
import type { Daemon } from '../../daemon/daemon.js';
import type { DaemonEntry } from '../../daemon/daemon-entry.js';
import { PATIENCE_MS, ProgressWatch } from '../../daemon/progress-watch.js';
import { longestSilence } from '../../daemon/silence.js';
import { processFacts } from '../../platform/process.js';
import { systemdSupervisor } from '../../platform/systemd.js';
import type { Machine } from '../machine.js';

export interface Supervision {
  ready(status: string): void;
  stopping(): void;
  stop(): void;
}

/** Does nothing without a supervisor. */
export function supervise(
  { clock, timers, log, environment }: Machine,
  daemon: Pick<Daemon, 'progress'>,
  entries: readonly Pick<DaemonEntry, 'pollMs'>[],
): Supervision {
  let hasFailed = false;
  const supervisor = systemdSupervisor({
    environment,
    pid: processFacts().pid,
    onFailed(reason) {
      if (!hasFailed) log.warn('systemd cannot be told', { reason });
      hasFailed = true;
    },
  });
  const watchdogMs = supervisor?.watchdogMs;
  const watch =
    supervisor === undefined || watchdogMs === undefined
      ? undefined
      : new ProgressWatch({
          clock,
          timers,
          log,
          supervisor,
          watchdogMs,
          // Between two polls no counter moves: rare polls must not look like a stuck loop.
          patienceMs: longestSilence(PATIENCE_MS, Math.max(0, ...entries.map(({ pollMs = 0 }) => pollMs))),
          progress: () => daemon.progress(),
        });
  return {
    ready(status) {
      supervisor?.ready(status);
      watch?.start();
    },
    stopping: () => supervisor?.stopping(),
    stop: () => watch?.stop(),
  };
}
