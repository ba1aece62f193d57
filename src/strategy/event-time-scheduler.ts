import type { SchedulerAction, SchedulerLike } from 'rxjs';
import { StrategyError } from '../model/errors.js';
import { Subscription } from './rxjs-core.js';
import { guarded } from './rxjs-guard.js';

/** Name of the timer that wakes the scheduler. The engine does not pass this timer on to the strategy. */
export const SCHEDULER_TIMER = 'tickwright:scheduler';

/**
 * Largest number of actions at one moment of event time. More are an endless loop, in which event time would never go on.
 */
const MOST_AT_ONCE = 100_000;

/** 2000-01-01, ms. An earlier `due` before the first event is a delay, a later one is a date. */
const FIRST_DATE = 946_684_800_000;

/**
 * An RxJS scheduler whose clock is event time, so that it acts alike in a backtest, live and in a replay. Due actions run
 * in the order of their times, and equal times in the order of scheduling. RxJS's own VirtualTimeScheduler does not fit:
 * it links every rescheduled action to its predecessor, so a repeating timer keeps all of its past and overflows the
 * stack.
 */
export class EventTimeScheduler implements SchedulerLike {
  readonly #eventTime: () => number;
  readonly #wakeAt: (time: number) => void;
  /** Actions that wait, ascending by (due, order). */
  readonly #actions: EventTimeAction<unknown>[] = [];
  /**
   * Actions scheduled before the first event, in this order: their delays count from that event. `undefined` after it.
   */
  #early: EventTimeAction<unknown>[] | undefined = [];
  #time = 0;
  #count = 0;
  /**
   * Event time also between actions. Operators such as `timestamp` ask for it at any time, not only while an action runs.
   */
  readonly now = (): number => Math.max(this.#time, this.#eventTime());

  /** `wakeAt` must make the owner call `advanceTo` once event time reaches the given time. */
  constructor(eventTime: () => number, wakeAt: (time: number) => void) {
    this.#eventTime = eventTime;
    this.#wakeAt = wakeAt;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return new EventTimeAction(this, work).schedule(state, delay);
  }

  /** Whether actions that were scheduled before the first event wait for `begin`. */
  get waitsForFirst(): boolean {
    return this.#early !== undefined && this.#early.length > 0;
  }

  /** Must be called at the first event: the delays of actions that were scheduled before it count from `time`. */
  begin(time: number): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const action of early) {
      // `timer(new Date(…))` computes its delay as the date minus `now()`, which is 0 before the first event.
      action.due = action.due < FIRST_DATE ? action.due + time : Math.max(action.due, time);
      this.#actions.splice(this.#placeOf(action), 0, action);
    }
    this.#wake();
  }

  /** Runs everything due at or before `time`. */
  advanceTo(time: number): void {
    guarded(() => this.#run(time), undefined);
    this.#time = Math.max(this.#time, time);
    this.#wake();
  }

  /**
   * Schedules the action once, `delay` after now, and cancels its earlier schedule. A delay that is not finite means
   * never.
   */
  arm(action: EventTimeAction<unknown>, delay: number): void {
    this.disarm(action);
    if (!Number.isFinite(delay)) return;
    this.#time = this.now();
    action.due = this.#time + Math.max(0, delay);
    action.order = ++this.#count;
    if (this.#early !== undefined && this.#time === 0) {
      this.#early.push(action);
      return;
    }
    this.#actions.splice(this.#placeOf(action), 0, action);
    this.#wake();
  }

  disarm(action: EventTimeAction<unknown>): void {
    if (action.order === 0) return;
    const early = this.#early?.indexOf(action) ?? -1;
    if (early >= 0) this.#early?.splice(early, 1);
    else this.#actions.splice(this.#placeOf(action), 1);
    action.order = 0;
  }

  #run(time: number): void {
    let atOnce = 0;
    for (let next = this.#actions[0]; next !== undefined && next.due <= time; next = this.#actions[0]) {
      this.disarm(next);
      atOnce = next.due === this.#time ? atOnce + 1 : 1;
      this.#time = next.due;
      if (atOnce > MOST_AT_ONCE) throw tooMany(this.#time);
      try {
        next.run();
      } catch (error) {
        next.unsubscribe();
        while (this.#actions.length > 0) (this.#actions[0] as EventTimeAction<unknown>).unsubscribe();
        throw error;
      }
    }
  }

  #wake(): void {
    const [first] = this.#actions;
    if (first !== undefined) this.#wakeAt(first.due);
  }

  /** Index of the action in `#actions`, or the index at which to insert it. */
  #placeOf({ due, order }: EventTimeAction<unknown>): number {
    let from = 0;
    let to = this.#actions.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#actions[middle] as EventTimeAction<unknown>;
      if (other.due < due || (other.due === due && other.order < order)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** A scheduled piece of work. Rescheduling keeps the same object, as RxJS does for its actions on a real clock. */
class EventTimeAction<T> extends Subscription implements SchedulerAction<T> {
  /** Event time at which the action is due, ms; valid only while it waits. */
  due = 0;
  /** Ordinal number of the scheduling, from 1; 0 while the action does not wait. */
  order = 0;
  readonly #scheduler: EventTimeScheduler;
  #work: ((this: SchedulerAction<T>, state?: T) => void) | undefined;
  #state: T | undefined;

  constructor(scheduler: EventTimeScheduler, work: (this: SchedulerAction<T>, state?: T) => void) {
    super();
    this.#scheduler = scheduler;
    this.#work = work;
  }

  schedule(state?: T, delay = 0): Subscription {
    if (this.closed) return this;
    this.#state = state;
    this.#scheduler.arm(this as EventTimeAction<unknown>, delay);
    return this;
  }

  run(): void {
    this.#work?.call(this, this.#state);
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.#scheduler.disarm(this as EventTimeAction<unknown>);
    this.#work = undefined;
    this.#state = undefined;
    super.unsubscribe();
  }
}

function tooMany(time: number): StrategyError {
  return new StrategyError(
    'TICKWRIGHT_E_SCHEDULER',
    `what waits by context.scheduler must come to an end at one moment of event time, received ${MOST_AT_ONCE} actions at ${time} (venue ms)`,
  );
}
