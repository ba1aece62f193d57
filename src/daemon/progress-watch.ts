import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Supervisor } from '../ports/supervisor.js';

export interface ProgressOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly supervisor: Pick<Supervisor, 'alive'>;
  /** Longest time that the supervisor accepts without a sign of life, ms. */
  readonly watchdogMs: number;
  /** A counter for each running loop, by name; a counter that stands still shows a stuck loop. */
  readonly progress: () => Readonly<Record<string, number>>;
  /** How long a counter may stand still, ms; must be longer than any pause of a loop. Default 5 min. */
  readonly patienceMs?: number | undefined;
}

interface Seen {
  readonly count: number;
  /** Monotonic ms. */
  readonly since: number;
}

/** Signs of life per `watchdogMs`, so that one late sign does no harm. */
const SHARE = 3;
/** For loops whose own pauses are short. */
export const PATIENCE_MS = 300_000;

/**
 * Tells the supervisor that the process is alive, but only while every loop makes progress. A heartbeat that is
 * independent of the loops would keep the supervisor from restarting a process whose loop is stuck.
 */
export class ProgressWatch {
  readonly #options: ProgressOptions;
  readonly #seen = new Map<string, Seen>();
  #cancel: CancelTimer | undefined;
  #told = '';

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look();
    this.#cancel = this.#options.timers.after(this.#options.watchdogMs / SHARE, () => this.start());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #look(): void {
    const { supervisor, log } = this.#options;
    const stuck = this.#stuck().join(', ');
    if (stuck === '') supervisor.alive();
    else if (stuck !== this.#told)
      log.error('a loop stands still: the supervisor is told nothing more', { stuck });
    this.#told = stuck;
  }

  #stuck(): readonly string[] {
    const { clock, progress, patienceMs = PATIENCE_MS } = this.#options;
    const now = clock.monotonic();
    const counts = new Map(Object.entries(progress()));
    for (const name of this.#seen.keys()) if (!counts.has(name)) this.#seen.delete(name);
    for (const [name, count] of counts) {
      if (this.#seen.get(name)?.count !== count) this.#seen.set(name, { count, since: now });
    }
    return [...this.#seen].filter(([, { since }]) => now - since > patienceMs).map(([name]) => name);
  }
}
