import type { HaltLevel } from './journal-record.js';

/** From the weakest to the strongest. */
export const HALT_LEVELS = ['pause', 'cancel', 'flatten', 'stop'] satisfies readonly HaltLevel[];

/** An order to stop trading, in force until somebody resumes. `by` names who or what gave it. */
export interface Halt {
  readonly level: HaltLevel;
  readonly reason: string;
  readonly by: string;
}

/** `by` of a halt that the venue brought about when it reduced a position by itself. */
export const LIQUIDATION = 'liquidation';

/** The strongest halt, and the first of several equally strong ones; `undefined`: nothing is halted. */
export function strongestOf(halts: readonly Halt[]): Halt | undefined {
  return halts.reduce<Halt | undefined>(
    (most, each) => (isStronger(each.level, most?.level) ? each : most),
    undefined,
  );
}

/** The reasons of all halts, each once, the strongest first; `undefined`: nothing is halted. */
export function haltReasonOf(halts: readonly Halt[]): string | undefined {
  const strongest = strongestOf(halts);
  if (strongest === undefined) return undefined;
  return [...new Set([strongest, ...halts].map(({ reason }) => reason))].join('; ');
}

/** Largest number of halts that are kept apart: a list of reasons without a bound would fill messages and memory. */
const MOST_HALTS = 32;

export function sameHalt(a: Halt, b: Halt): boolean {
  return a.level === b.level && a.reason === b.reason && a.by === b.by;
}

/**
 * Adds a halt to the list: no halt replaces another, and the same halt is not added twice. A full list drops its oldest
 * halt other than the strongest.
 */
export function withHalt(halts: readonly Halt[], { level, reason, by }: Halt): readonly Halt[] {
  const halt = { level, reason, by };
  if (halts.some((each) => sameHalt(each, halt))) return halts;
  const strongest = strongestOf(halts);
  const dropped = halts.length < MOST_HALTS ? undefined : halts.find((each) => each !== strongest);
  return [...halts.filter((each) => each !== dropped), halt];
}

/** Whether `level` halts more than the latched level. An equal level is not stronger, so the first reason stays. */
export function isStronger(level: HaltLevel, latched: HaltLevel | undefined): boolean {
  return latched === undefined || HALT_LEVELS.indexOf(level) > HALT_LEVELS.indexOf(latched);
}
