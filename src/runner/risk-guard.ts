import { type Observable, ReplaySubject } from 'rxjs';
import type { PairReport } from '../execution/pair-watch.js';
import type { CancelTimer, Timers } from '../ports/clock.js';
import type { PermitEvent } from './session-gateway.js';

export interface RiskGuardOptions {
  /** Where the pair stands with the venue, now. */
  readonly state: () => PairReport;
  /** What else stops risk now: data, clocks, connections, money that nobody explains. Cheap; asked at every event. */
  readonly stops: readonly (() => string | undefined)[];
  /** Venue ms. */
  readonly now: () => number;
  readonly timers: Timers;
}

const LOOK_MS = 1_000;

/** Everything that says whether an order may add risk, as one word for the engine and one for the last look. */
export class RiskGuard {
  /** What holds now to whoever comes, and then every change. */
  readonly permits$: Observable<PermitEvent>;
  readonly #options: RiskGuardOptions;
  readonly #permits = new ReplaySubject<PermitEvent>(1);
  #told = '';
  #cancelLook: CancelTimer | undefined;

  constructor(options: RiskGuardOptions) {
    this.#options = options;
    this.permits$ = this.#permits.asObservable();
  }

  /** Tells what holds now, and from then on every change. */
  start(): void {
    this.refresh();
    this.#lookLater();
  }

  stop(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#permits.complete();
  }

  /** Why no order that adds risk may leave now, besides the state of the pair. */
  reason(): string | undefined {
    for (const stop of this.#options.stops) {
      const reason = stop();
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Looks now, and tells if anything changed. */
  refresh(): void {
    const { state: look, now } = this.#options;
    const { state, permission, reason } = look();
    const other = permission === 'all' ? this.reason() : undefined;
    const permit = other === undefined ? permission : 'reduce-only';
    const why = other ?? reason;
    const told = `${state} ${permit} ${why}`;
    if (told === this.#told) return;
    this.#told = told;
    this.#permits.next({ kind: 'permit', time: Math.floor(now()), permission: permit, state, reason: why });
  }

  #lookLater(): void {
    this.#cancelLook = this.#options.timers.after(LOOK_MS, () => {
      this.refresh();
      this.#lookLater();
    });
  }
}
