import { animationFrameScheduler, asapScheduler, asyncScheduler } from 'rxjs';
import { StrategyError } from '../model/errors.js';

let inside = 0;
let installed = false;

/**
 * Runs strategy code. RxJS's default schedulers, which run on the machine's clock, throw while it runs: a strategy
 * that used them would decide differently in a backtest than live.
 */
export function insideStrategy(run: () => void): void {
  passInside(run, undefined);
}

/** The same for a function that takes a value, so that no closure is made for each event. */
export function passInside<T>(run: (value: T) => void, value: T): void {
  install();
  inside++;
  try {
    run(value);
  } finally {
    inside--;
  }
}

function install(): void {
  if (installed) return;
  installed = true;
  for (const [name, scheduler] of Object.entries({
    animationFrameScheduler,
    asapScheduler,
    asyncScheduler,
  })) {
    const original = scheduler.schedule.bind(scheduler) as (...args: readonly unknown[]) => unknown;
    const guarded = (...args: readonly unknown[]) => {
      if (inside > 0) {
        throw new StrategyError(
          'TICKWRIGHT_E_SCHEDULER',
          `a strategy must pass context.scheduler to operators that wait, received RxJS's ${name}, which runs on the machine's clock`,
        );
      }
      return original(...args);
    };
    Object.assign(scheduler, { schedule: guarded });
  }
}
