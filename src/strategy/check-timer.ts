import { mistake } from './mistake.js';

const OURS = 'tickwright:';

/** @throws StrategyError unless the name is a text without our prefix and the time is a number. Infinity means never. */
export function checkTimer(name: unknown, time: unknown): void {
  if (typeof name !== 'string' || name.startsWith(OURS))
    throw mistake(`the name of a timer must be a text that does not begin with ${OURS}`, name);
  if (typeof time !== 'number' || Number.isNaN(time))
    throw mistake('the time of a timer must be a number (venue ms)', time);
}
