import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Supervisor } from '../ports/supervisor.js';

export interface ProgressOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly supervisor: Pick<Supervisor, 'alive'>;
  /** How often the supervisor must hear of it, ms. */
  readonly watchdogMs: number;
  /** What moves while all goes well, by name; a loop that is not running is not in it. */
  readonly progress: () => Readonly<Record<string, number>>;
  /** How long a loop may stand still, ms; longer than any pause that it makes by itself. Default 5 min. */
  readonly patienceMs?: number | undefined;
}

interface Seen {
  readonly count: number;
  /** Monotonic ms. */
  readonly since: number;
}

/** Three tries for each time that it must be heard. */
const SHARE = 3;
/** With a loop whose pauses are short. */
export const PATIENCE_MS = 300_000;

/**
 * Says that the process is alive only while every loop moves on: a heart that beats beside a stuck loop would keep the
 * supervisor from starting it anew.
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
