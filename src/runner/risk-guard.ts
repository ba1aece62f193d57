import { type Observable, ReplaySubject } from 'rxjs';
import type { PairReport } from '../execution/pair-watch.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { PermitEvent } from './session-gateway.js';

export interface RiskGuardOptions {
  /** The pair's state and what it permits, as of now. */
  readonly state: () => PairReport;
  /** The last monotonic ms at which the newest agreement with the venue is recent enough; `undefined`: there is none. */
  readonly freshUntil: () => number | undefined;
  /** Further reasons against risk: data, clocks, connections, unexplained balances. Must be cheap: called at every event. */
  readonly stops: readonly (() => string | undefined)[];
  /** Venue ms. */
  readonly now: () => number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timers: Timers;
}

/** The longest time between two looks, ms. Most changes call `refresh`, but a jump of the clock calls nothing. */
const LOOK_MS = 5_000;
/** `freshUntil` is inclusive: the agreement is stale from this much later on, ms. */
const STEP_MS = 1;

/**
 * Combines everything that decides whether an order may add risk: into permits for the engine and the gate, and into
 * `reason` for the last check when an order leaves, which is always as of now. A new permit is emitted when a part reports a
 * change, when the agreement with the venue grows stale, and for any other change within five seconds.
 */
export class RiskGuard {
  /** Emits the present permit to each new subscriber, and then every change. */
  readonly permits$: Observable<PermitEvent>;
  readonly #options: RiskGuardOptions;
  readonly #permits = new ReplaySubject<PermitEvent>(1);
  #told: PermitEvent | undefined;
  #cancelLook: CancelTimer | undefined;

  constructor(options: RiskGuardOptions) {
    this.#options = options;
    this.permits$ = this.#permits.asObservable();
  }

  /** Emits the first permit, and from then on every change. */
  start(): void {
    this.#lookIn(this.#nextLookIn());
    this.refresh();
  }

  /** Something may have changed: looks in a turn of its own, so that the caller's event ends first. */
  lookSoon(): void {
    if (this.#cancelLook !== undefined) this.#lookIn(0);
  }

  stop(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#permits.complete();
  }

  /** Why no order that adds risk may leave now, apart from the pair's state; `undefined`: there is no such reason. */
  reason(): string | undefined {
    for (const stop of this.#options.stops) {
      const reason = stop();
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Looks now, and emits a permit if anything changed. */
  refresh(): void {
    const { state: look, now } = this.#options;
    const { state, permission, reason } = look();
    const other = permission === 'all' ? this.reason() : undefined;
    const permit = other === undefined ? permission : 'reduce-only';
    const why = other ?? reason;
    const told = this.#told;
    if (told?.state === state && told.permission === permit && told.reason === why) return;
    const news: PermitEvent = {
      kind: 'permit',
      time: Math.floor(now()),
      permission: permit,
      state,
      reason: why,
    };
    this.#told = news;
    // A new agreement counts from its request, which may be long ago, so the next look may be due earlier.
    if (this.#cancelLook !== undefined) this.#lookIn(this.#nextLookIn());
    this.#permits.next(news);
  }

  #lookIn(ms: number): void {
    this.#cancelLook?.();
    this.#cancelLook = this.#options.timers.after(ms, () => {
      this.#lookIn(this.#nextLookIn());
      this.refresh();
    });
  }

  /**
   * Time until the next look, ms. A new agreement only moves the
   * stale moment further away, so a look at it is early enough.
   */
  #nextLookIn(): number {
    const { freshUntil, clock } = this.#options;
    const leftMs = (freshUntil() ?? Number.POSITIVE_INFINITY) - clock.monotonic();
    return leftMs >= 0 ? Math.min(LOOK_MS, leftMs + STEP_MS) : LOOK_MS;
  }
}
