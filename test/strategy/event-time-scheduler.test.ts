import fc from 'fast-check';
import {
  auditTime,
  bufferTime,
  concat,
  debounceTime,
  delay,
  interval,
  map,
  mergeMap,
  type Observable,
  of,
  retry,
  sampleTime,
  type SchedulerAction,
  type SchedulerLike,
  Subject,
  type Subscription,
  switchMap,
  take,
  throttleTime,
  throwError,
  timeout,
  timer,
  VirtualTimeScheduler,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { EventTimeScheduler } from '../../src/strategy/event-time-scheduler.js';

interface Driven extends SchedulerLike {
  advanceTo(time: number): void;
}

/** What RxJS has for it. It keeps every action that a rescheduled one ever was, so it is no use for a session. */
class Reference extends VirtualTimeScheduler implements Driven {
  readonly #eventTime: () => number;
  readonly #wakeAt: (time: number) => void;

  constructor(eventTime: () => number, wakeAt: (time: number) => void) {
    super();
    this.#eventTime = eventTime;
    this.#wakeAt = wakeAt;
    this.now = () => Math.max(this.frame, eventTime());
  }

  override schedule<T>(
    work: (this: SchedulerAction<T>, state?: T) => void,
    wait = 0,
    state?: T,
  ): Subscription {
    this.frame = Math.max(this.frame, this.#eventTime());
    const subscription = super.schedule(work, wait, state);
    this.#wake();
    return subscription;
  }

  advanceTo(time: number): void {
    this.maxFrames = time;
    this.flush();
    this.frame = Math.max(this.frame, time);
    this.#wake();
  }

  #wake(): void {
    const due = (this.actions as readonly { delay: number }[])[0]?.delay;
    if (due !== undefined) this.#wakeAt(due);
  }
}

const START = 1_000_000;

/** Event time with a scheduler on it: whatever is due comes before the event that reaches it. */
function clockWith(make: typeof EventTimeScheduler | typeof Reference) {
  let now = START;
  let wake = Number.POSITIVE_INFINITY;
  const scheduler: Driven = new make(
    () => now,
    (time) => {
      wake = time;
    },
  );
  return {
    scheduler,
    now: () => now,
    reach: (time: number) => {
      while (wake <= time) {
        now = Math.max(now, wake);
        const due = wake;
        wake = Number.POSITIVE_INFINITY;
        scheduler.advanceTo(due);
      }
      now = time;
    },
  };
}

type Chain = (source$: Observable<number>, scheduler: SchedulerLike) => Observable<unknown>;

const CHAINS: readonly (readonly [string, Chain])[] = [
  ['debounceTime', (source$, s) => source$.pipe(debounceTime(70, s))],
  ['bufferTime', (source$, s) => source$.pipe(bufferTime(100, s))],
  ['bufferTime that overlaps', (source$, s) => source$.pipe(bufferTime(100, 30, s))],
  ['auditTime', (source$, s) => source$.pipe(auditTime(60, s))],
  ['throttleTime', (source$, s) => source$.pipe(throttleTime(60, s, { leading: true, trailing: true }))],
  ['delay', (source$, s) => source$.pipe(delay(45, s))],
  ['timer', (source$, s) => source$.pipe(mergeMap((value) => timer(20, 40, s).pipe(take(1 + (value % 4)))))],
  ['interval', (source$, s) => source$.pipe(mergeMap((value) => interval(50, s).pipe(take(value % 5))))],
  ['sampleTime', (source$, s) => source$.pipe(sampleTime(80, s))],
  [
    'timeout',
    (source$, s) =>
      source$.pipe(
        timeout({
          each: 90,
          scheduler: s,
          with: () =>
            concat(
              of('late'),
              throwError(() => 'late'),
            ),
        }),
        retry({ delay: () => timer(10, s) }),
      ),
  ],
  ['switchMap', (source$, s) => source$.pipe(switchMap((value) => interval(15, s).pipe(map(() => value))))],
  [
    'switchMap of sampleTime',
    (source$, s) =>
      source$.pipe(
        switchMap((value) => (value % 3 === 0 ? source$.pipe(sampleTime(25, s)) : timer(0, 33, s))),
      ),
  ],
];

function heard(chain: Chain, waits: readonly number[], make: typeof EventTimeScheduler | typeof Reference) {
  const clock = clockWith(make);
  const source$ = new Subject<number>();
  const log: string[] = [];
  const subscription = chain(source$, clock.scheduler).subscribe((value) =>
    log.push(`${clock.now()} ${clock.scheduler.now()} ${JSON.stringify(value)}`),
  );
  let time = START;
  waits.forEach((wait, value) => {
    time += wait;
    clock.reach(time);
    source$.next(value);
  });
  clock.reach(time + 1_000);
  subscription.unsubscribe();
  clock.reach(time + 2_000);
  return log;
}

const tapes = fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 200 })), {
  minLength: 10,
  maxLength: 60,
});

describe('the scheduler on event time', () => {
  it.each(CHAINS)('says what the virtual time of RxJS says: %s', (_, chain) => {
    let said = 0;
    fc.assert(
      fc.property(tapes, (waits) => {
        const log = heard(chain, waits, EventTimeScheduler);
        expect(log).toEqual(heard(chain, waits, Reference));
        said += log.length;
      }),
      { numRuns: 50 },
    );
    // The property says nothing if nothing was said.
    expect(said).toBeGreaterThan(200);
  });

  it('runs actions by the time they are due at, then by the order they were scheduled in', () => {
    const { scheduler, reach, now } = clockWith(EventTimeScheduler);
    const log: string[] = [];
    const say = (name: string) => () => void log.push(`${name} ${now() - START}`);
    scheduler.schedule(say('late'), 20);
    scheduler.schedule(say('first'), 10);
    scheduler.schedule(say('second'), 10);
    const third = scheduler.schedule(say('never'), 10);
    scheduler.schedule(say('before'), -5);
    third.unsubscribe();
    let turns = 0;
    scheduler.schedule(function () {
      log.push(`again ${now() - START}`);
      if (++turns < 3) this.schedule(undefined, 5);
    }, 10);
    reach(START + 100);
    expect(log).toEqual(['before 0', 'first 10', 'second 10', 'again 10', 'again 15', 'late 20', 'again 20']);
  });

  it('runs an action that is armed anew only at its new time, and one without end never', () => {
    const { scheduler, reach, now } = clockWith(EventTimeScheduler);
    const log: number[] = [];
    const action = scheduler.schedule(() => log.push(now() - START), 50) as SchedulerAction<unknown>;
    action.schedule(undefined, 80);
    scheduler.schedule(() => log.push(Number.NaN), Number.POSITIVE_INFINITY);
    reach(START + 200);
    expect(log).toEqual([80]);
    action.schedule(undefined, 10);
    reach(START + 300);
    expect(log).toEqual([80, 210]);
    action.unsubscribe();
    action.schedule(undefined, 10);
    reach(START + 400);
    expect(log).toEqual([80, 210]);
  });

  it('rings at a date that was asked for before the first event, and at that event where the date is over', () => {
    const first = Date.UTC(2026, 0, 5, 6);
    let now = 0;
    const scheduler = new EventTimeScheduler(
      () => now,
      () => undefined,
    );
    const rang: string[] = [];
    const ring = (name: string, wait: Observable<number>) =>
      wait.subscribe(() => rang.push(`${name} ${new Date(scheduler.now()).toISOString().slice(11, 19)}`));
    ring('date', timer(new Date(first + 60_000), scheduler));
    ring('over', timer(new Date(first - 60_000), scheduler));
    ring('each', timer(new Date(first + 30_000), 60_000, scheduler).pipe(take(2)));
    ring('wait', timer(45_000, scheduler));
    now = first;
    scheduler.begin(now);
    for (now = first; now <= first + 120_000; now += 15_000) scheduler.advanceTo(now);
    expect(rang).toEqual([
      'over 06:00:00',
      'each 06:00:30',
      'wait 06:00:45',
      'date 06:01:00',
      'each 06:01:30',
    ]);
  });

  it('runs nothing more once an action threw', () => {
    const { scheduler, reach } = clockWith(EventTimeScheduler);
    let ran = 0;
    scheduler.schedule(() => {
      throw new Error('broken');
    }, 10);
    scheduler.schedule(() => ran++, 10);
    expect(() => reach(START + 20)).toThrow('broken');
    reach(START + 40);
    expect(ran).toBe(0);
  });

  it('arms the same action again and again, and so ends what ran for long', () => {
    const { scheduler, reach } = clockWith(EventTimeScheduler);
    const actions = new Set<Subscription>();
    let turns = 0;
    const subscription = scheduler.schedule(function () {
      turns++;
      actions.add(this.schedule(undefined, 10));
    }, 10);
    reach(START + 200_000);
    expect([turns, actions.size]).toEqual([20_000, 1]);
    subscription.unsubscribe();
    reach(START + 200_100);
    expect(turns).toBe(20_000);
  });

  it('ends an operator that ran for long', () => {
    const { scheduler, reach } = clockWith(EventTimeScheduler);
    const trades$ = new Subject<number>();
    let said = 0;
    const subscription = trades$.pipe(sampleTime(10, scheduler)).subscribe(() => said++);
    for (let turn = 1; turn <= 20_000; turn++) {
      trades$.next(turn);
      reach(START + turn * 10);
    }
    expect(said).toBe(20_000);
    expect(() => subscription.unsubscribe()).not.toThrow();
  });
});
