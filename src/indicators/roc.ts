import type { Indicator } from './indicator.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

/** Rate of change: by how many percent a value is above the one `period` values before. */
export function roc(period = 10): Indicator {
  checkPeriod('a roc', period);
  const window = new Window(period);
  return {
    next(value) {
      return 100 * (value / window.push(value) - 1);
    },
  };
}
