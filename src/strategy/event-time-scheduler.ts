import type { SchedulerAction, SchedulerLike } from 'rxjs';
import { StrategyError } from '../model/errors.js';
import { Subscription } from './rxjs-core.js';
import { guarded } from './rxjs-guard.js';

/** Name of the timer that wakes the scheduler: no strategy hears of it. */
export const SCHEDULER_TIMER = 'tickwright:scheduler';

/** Actions at one moment of event time, after which that moment would never be over. */
const MOST_AT_ONCE = 100_000;

/** 2000-01-01, ms: what waits so long before the first event waits for a date. */
const FIRST_DATE = 946_684_800_000;

/**
 * An RxJS scheduler whose clock is event time: the same in a backtest, live and in a replay. What is due runs in order of
 * time, then of being scheduled. Not RxJS's VirtualTimeScheduler, which hangs every action on the one that it was before
 * it was rescheduled: a timer that repeats would hold all of its past, and end in a stack that is too deep.
 */
export class EventTimeScheduler implements SchedulerLike {
  readonly #eventTime: () => number;
  readonly #wakeAt: (time: number) => void;
  /** Ascending. */
  readonly #actions: EventTimeAction<unknown>[] = [];
  /** Scheduled before the first event, in this order: what they are due at is counted from it. `undefined` once it came. */
  #early: EventTimeAction<unknown>[] | undefined = [];
  #time = 0;
  #count = 0;
  /** Operators ask for the time between actions too: it is the event's, not that of the last action. */
  readonly now = (): number => Math.max(this.#time, this.#eventTime());

  /** `wakeAt` asks the owner to call `advanceTo` when event time gets there. */
  constructor(eventTime: () => number, wakeAt: (time: number) => void) {
    this.#eventTime = eventTime;
    this.#wakeAt = wakeAt;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return new EventTimeAction(this, work).schedule(state, delay);
  }

  /** Something was scheduled before the first event, and waits for `begin`. */
  get waitsForFirst(): boolean {
    return this.#early !== undefined && this.#early.length > 0;
  }

  /** The first event has come: from its time on waits what was scheduled before. */
  begin(time: number): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const action of early) {
      // `timer(new Date(…))` takes from its date what the clock says, and before the first event that is 0.
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

  /** The action is due after `delay` from now on, and at no other time; never, if that is no number that is finite. */
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

  /** Where it stands, or would. */
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

/** Work that waits for its time. It stays the same action when it is scheduled anew, as RxJS's own on a real clock. */
class EventTimeAction<T> extends Subscription implements SchedulerAction<T> {
  /** Event time, ms; of an action that waits. */
  due = 0;
  /** Number among all that were scheduled, from 1; 0 for one that does not wait. */
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
