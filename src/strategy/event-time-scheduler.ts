import { type SchedulerAction, type SchedulerLike, type Subscription, VirtualTimeScheduler } from 'rxjs';
import { guarded } from './machine-clock.js';

/** An RxJS scheduler whose clock is event time: the same in a backtest, live and in a replay. */
export class EventTimeScheduler extends VirtualTimeScheduler implements SchedulerLike {
  readonly #eventTime: () => number;
  readonly #wakeAt: (time: number) => void;

  /** `wakeAt` asks the owner to call `advanceTo` when event time gets there. */
  constructor(eventTime: () => number, wakeAt: (time: number) => void) {
    super();
    this.#eventTime = eventTime;
    this.#wakeAt = wakeAt;
    // Operators ask for the time between actions too: it is the event's, not that of the last action.
    this.now = () => Math.max(this.frame, eventTime());
  }

  override schedule<T>(
    work: (this: SchedulerAction<T>, state?: T) => void,
    delay = 0,
    state?: T,
  ): Subscription {
    this.frame = Math.max(this.frame, this.#eventTime());
    const subscription = super.schedule(work, delay, state);
    this.#wake();
    return subscription;
  }

  /** Runs everything due at or before `time`. */
  advanceTo(time: number): void {
    this.maxFrames = time;
    guarded(() => this.flush(), undefined);
    this.frame = Math.max(this.frame, time);
    this.#wake();
  }

  #wake(): void {
    const due = (this.actions as readonly { delay: number }[])[0]?.delay;
    if (due !== undefined) this.#wakeAt(due);
  }
}
