import type { HaltLevel } from './journal-record.js';

/** From the weakest to the strongest. */
export const HALT_LEVELS = ['pause', 'cancel', 'flatten', 'stop'] satisfies readonly HaltLevel[];

/** What stops trading until somebody resumes. */
export interface Halt {
  readonly level: HaltLevel;
  readonly reason: string;
  readonly by: string;
}

/** `undefined`: nothing is halted. Of equals the first. */
export function strongestOf(halts: readonly Halt[]): Halt | undefined {
  return halts.reduce<Halt | undefined>(
    (most, each) => (isStronger(each.level, most?.level) ? each : most),
    undefined,
  );
}

/** Why, the strongest first, each reason once; `undefined`: nothing is halted. */
export function haltReasonOf(halts: readonly Halt[]): string | undefined {
  const strongest = strongestOf(halts);
  if (strongest === undefined) return undefined;
  return [...new Set([strongest, ...halts].map(({ reason }) => reason))].join('; ');
}

/** So many are told apart; more than a person reads. */
const MOST_HALTS = 32;

export function sameHalt(a: Halt, b: Halt): boolean {
  return a.level === b.level && a.reason === b.reason && a.by === b.by;
}

/** One more beside the others: a weaker one ends none, and the same one again is none. */
export function withHalt(halts: readonly Halt[], { level, reason, by }: Halt): readonly Halt[] {
  const halt = { level, reason, by };
  if (halts.some((each) => sameHalt(each, halt))) return halts;
  const strongest = strongestOf(halts);
  const dropped = halts.length < MOST_HALTS ? undefined : halts.find((each) => each !== strongest);
  return [...halts.filter((each) => each !== dropped), halt];
}

/** Whether a level halts more than what is latched; what is latched and as strong stays as it is. */
export function isStronger(level: HaltLevel, latched: HaltLevel | undefined): boolean {
  return latched === undefined || HALT_LEVELS.indexOf(level) > HALT_LEVELS.indexOf(latched);
}
