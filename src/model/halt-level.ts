import type { HaltLevel } from './journal-record.js';

/** From the weakest to the strongest. */
export const HALT_LEVELS = ['pause', 'cancel', 'flatten', 'stop'] satisfies readonly HaltLevel[];

/** Whether a level halts more than what is latched; what is latched and as strong stays as it is. */
export function isStronger(level: HaltLevel, latched: HaltLevel | undefined): boolean {
  return latched === undefined || HALT_LEVELS.indexOf(level) > HALT_LEVELS.indexOf(latched);
}
