import { type Observable, ReplaySubject } from 'rxjs';
import type { PairReport } from '../execution/pair-watch.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { PermitEvent } from './session-gateway.js';

export interface RiskGuardOptions {
  /** Where the pair stands with the venue, now. */
  readonly state: () => PairReport;
  /** The last monotonic ms at which that is not too old, if only time goes by; `undefined` when it is nothing yet. */
  readonly freshUntil: () => number | undefined;
  /** What else stops risk now: data, clocks, connections, money that nobody explains. Cheap; asked at every event. */
  readonly stops: readonly (() => string | undefined)[];
  /** Venue ms. */
  readonly now: () => number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timers: Timers;
}

/** The longest time without a look, ms. What changes is told as it does; a clock that jumps tells nobody. */
const LOOK_MS = 5_000;
/** What is fresh up to a moment is stale this much later, ms. */
const STEP_MS = 1;

/**
 * Everything that says whether an order may add risk, as one word for the engine and one for the last look. The last
 * look is at everything, in the moment an order leaves. The engine is told when something says that it has changed,
 * when what was agreed with the venue grows too old, and whatever else it may be within five seconds.
 */
export class RiskGuard {
  /** What holds now to whoever comes, and then every change. */
  readonly permits$: Observable<PermitEvent>;
  readonly #options: RiskGuardOptions;
  readonly #permits = new ReplaySubject<PermitEvent>(1);
  #told: PermitEvent | undefined;
  #cancelLook: CancelTimer | undefined;

  constructor(options: RiskGuardOptions) {
    this.#options = options;
    this.permits$ = this.#permits.asObservable();
  }

  /** Tells what holds now, and from then on every change. */
  start(): void {
    this.#lookIn(this.#nextLookIn());
    this.refresh();
  }

  /** Something may have changed. The engine hears of it in a turn of its own. */
  lookSoon(): void {
    if (this.#cancelLook !== undefined) this.#lookIn(0);
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
    // What was agreed may have been asked for long ago.
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

  /** Agreeing anew only moves the moment away: whoever looks at it or before it misses nothing. */
  #nextLookIn(): number {
    const { freshUntil, clock } = this.#options;
    const leftMs = (freshUntil() ?? Number.POSITIVE_INFINITY) - clock.monotonic();
    return leftMs >= 0 ? Math.min(LOOK_MS, leftMs + STEP_MS) : LOOK_MS;
  }
}
