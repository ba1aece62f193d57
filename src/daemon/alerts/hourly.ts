import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import type { Alert } from './alert.js';

export interface HourlyOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly perHour: number;
  readonly pass: (alert: Alert) => void;
}

const HOUR_MS = 3_600_000;
const MOST_TITLES = 12;

/** Limits the alerts per hour. What was held back follows as one digest when the limit allows it. */
export class Hourly {
  readonly #options: HourlyOptions;
  /** Monotonic ms. */
  #sent: number[] = [];
  readonly #held = new Map<string, number>();
  #heldCount = 0;
  #severity: Alert['severity'] = 'info';
  #cancel: CancelTimer | undefined;

  constructor(options: HourlyOptions) {
    this.#options = options;
  }

  take(alert: Alert): void {
    const { clock, perHour, pass } = this.#options;
    const now = clock.monotonic();
    this.#sent = this.#sent.filter((time) => time > now - HOUR_MS);
    if (this.#cancel === undefined && this.#sent.length < perHour) {
      this.#sent.push(now);
      pass(alert);
    } else this.#hold(alert, now);
  }

  /** Passes what is held back, since there is no later. */
  close(): void {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.#digest();
  }

  #hold(alert: Alert, now: number): void {
    const { timers } = this.#options;
    const { title, severity } = alert;
    if (this.#held.has(title) || this.#held.size < MOST_TITLES) {
      this.#held.set(title, (this.#held.get(title) ?? 0) + 1);
    }
    this.#heldCount++;
    if (severity === 'critical' || this.#severity === 'info') this.#severity = severity;
    const oldest = this.#sent[0] ?? now;
    this.#cancel ??= timers.after(Math.max(0, oldest + HOUR_MS - now), () => this.#digest());
  }

  #digest(): void {
    const { clock, perHour, pass } = this.#options;
    const now = clock.monotonic();
    this.#cancel = undefined;
    this.#sent = [...this.#sent.filter((time) => time > now - HOUR_MS), now];
    const listed = [...this.#held].map(([title, count]) => (count === 1 ? title : `${count} × ${title}`));
    const rest = this.#heldCount - [...this.#held.values()].reduce((sum, count) => sum + count, 0);
    pass({
      kind: 'problem',
      severity: this.#severity,
      key: undefined,
      phase: 'event',
      title: `${this.#heldCount} alerts were held back: there were more than ${perHour} in an hour`,
      lines: rest === 0 ? listed : [...listed, `and ${rest} others`],
      time: clock.wall(),
    });
    this.#held.clear();
    this.#heldCount = 0;
    this.#severity = 'info';
  }
}
