import type { Clock, Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { type Alert, type AlertFilter, isWanted } from './alert.js';
import { cleanLines, cleanTitle } from './clean-text.js';
import { Hourly } from './hourly.js';
import type { Notice, Notifier } from './notifier.js';
import { Outbox, type Trouble } from './outbox.js';
import { Repeats } from './repeats.js';

/** One receiver, and what it wants. */
export interface LineOptions extends AlertFilter {
  readonly notifier: Notifier;
  /** The same cause is told once in this time, ms. */
  readonly repeatMs: number;
  /** Limit for critical alerts, and the same limit for all others. */
  readonly perHour: number;
}

export interface LineParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly source: string;
  readonly scrub: (text: string) => string;
}

/**
 * Kinds without an hourly limit. They are rare, and each decides what a person does next: an incident of many pairs must
 * not hold them back.
 */
const NEVER_HELD: ReadonlySet<Alert['kind']> = new Set(['halt', 'resume', 'venue', 'stop']);

/**
 * The way of an alert to one receiver: filtered, without repetitions, limited per hour, cleaned, and sent until it
 * arrives.
 */
export class AlertLine {
  readonly #options: LineOptions;
  readonly #parts: LineParts;
  readonly #outbox: Outbox;
  readonly #critical: Hourly;
  readonly #others: Hourly;
  readonly #repeats: Repeats;

  constructor(options: LineOptions, parts: LineParts) {
    this.#options = options;
    this.#parts = parts;
    const { notifier, repeatMs, perHour } = options;
    const { clock, timers, log } = parts;
    this.#outbox = new Outbox({ notifier, clock, timers, log });
    const hourly = () => new Hourly({ clock, timers, perHour, pass: (alert) => this.#post(alert) });
    // Separate limits, so that a flood of fills cannot hold back the one alert that matters.
    this.#critical = hourly();
    this.#others = hourly();
    this.#repeats = new Repeats({ timers, windowMs: repeatMs, pass: (alert) => this.#passHourly(alert) });
  }

  /** As that of `Notifier`. */
  get name(): string {
    return this.#options.notifier.name;
  }

  /** As that of `Outbox`. */
  get trouble(): Trouble | undefined {
    return this.#outbox.trouble;
  }

  tell(alert: Alert): void {
    if (isWanted(alert, this.#options)) this.#repeats.take(alert);
  }

  async close(graceMs: number): Promise<void> {
    this.#repeats.close();
    this.#critical.close();
    this.#others.close();
    await this.#outbox.close(graceMs);
  }

  #passHourly(alert: Alert): void {
    if (NEVER_HELD.has(alert.kind)) this.#post(alert);
    else (alert.severity === 'critical' ? this.#critical : this.#others).take(alert);
  }

  #post(alert: Alert): void {
    this.#outbox.post(noticeOf(alert, this.#parts));
  }
}

export function noticeOf(alert: Alert, { source, scrub }: Pick<LineParts, 'source' | 'scrub'>): Notice {
  const { kind, severity, phase, time } = alert;
  return {
    kind,
    severity,
    phase,
    title: cleanTitle(alert.title, scrub),
    lines: cleanLines(alert.lines, scrub),
    time,
    source,
  };
}
