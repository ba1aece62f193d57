/** Signals of the operating system to a daemon, from before it takes its lock. */
import type { ControlRequest } from '../../daemon/daemon-api.js';
import type { Daemon } from '../../daemon/daemon.js';
import { LOG_FILE_VARIABLE } from '../../platform/detached.js';
import { onPauseSignal, processSignals } from '../../platform/signals.js';
import type { Machine } from '../machine.js';

const REASON = 'asked by the operating system';

/**
 * SIGINT, SIGTERM and SIGHUP end the daemon in order; SIGUSR2 pauses it. Signals before the daemon exists are kept for
 * it, and it then ends in order with the orders that an earlier life left. Without this, a process that has its lock and
 * dies of a signal would look like a daemon that was killed while it held a position.
 */
export class DaemonSignals {
  readonly #log: Machine['log'];
  readonly #releases: readonly (() => void)[];
  #daemon: Pick<Daemon, 'stop' | 'pause'> | undefined;
  #stop: ControlRequest | undefined;
  #pause: ControlRequest | undefined;

  constructor({ log, environment }: Pick<Machine, 'log' | 'environment'>) {
    this.#log = log;
    this.#releases = [
      processSignals.onStop((signal) => {
        if (signal === 'SIGHUP' && environment[LOG_FILE_VARIABLE] !== undefined) {
          log.warn('SIGHUP is ignored: this daemon has no terminal; SIGTERM ends it', {});
          return;
        }
        this.#stop ??= { by: `signal ${signal}`, reason: REASON };
        this.#tell();
      }),
      onPauseSignal(() => {
        this.#pause = { by: 'signal SIGUSR2', reason: REASON };
        this.#tell();
      }),
    ];
  }

  /** From now on the daemon gets the signals, including those that came before. */
  attach(daemon: Pick<Daemon, 'stop' | 'pause'>): void {
    this.#daemon = daemon;
    this.#tell();
  }

  release(): void {
    for (const release of this.#releases) release();
  }

  #tell(): void {
    const daemon = this.#daemon;
    if (daemon === undefined) return;
    const pause = this.#pause;
    this.#pause = undefined;
    if (pause !== undefined)
      daemon
        .pause(pause)
        .catch((error: unknown) => this.#log.error('cannot pause', { error: String(error) }));
    if (this.#stop !== undefined) daemon.stop('cancel', this.#stop);
  }
}
