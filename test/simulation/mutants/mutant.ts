import type { SwarmMode } from '../../../src/simulation/swarm-plan.js';
import type { Theme } from '../../../src/simulation/theme.js';

/** One exact text of a file, and what stands there instead. */
export interface Patch {
  /** From the root of the repository. */
  readonly file: string;
  /** Must occur once: more or less, and the list is out of date. */
  readonly find: string;
  readonly replace: string;
}

/** Where a mutant is looked for. */
export interface Hunt {
  readonly mode: SwarmMode;
  /** Of the faulty phase. */
  readonly hours: number;
  /** Default: as the seed draws it. */
  readonly theme?: Theme | undefined;
  /** The program that the mutant is in; default `runner`. */
  readonly subject?: 'stops' | undefined;
}

/** A wrong version of the protocol: the source with one rule broken. */
export interface Mutant {
  readonly id: string;
  /** What it does, or does not do. */
  readonly meaning: string;
  readonly patches: readonly Patch[];
  /** Tried one after the other, until one shows it. */
  readonly hunts: readonly Hunt[];
  /** Why nothing that it does can be told from what the right version does. */
  readonly equivalent?: string;
}

/** @throws Error when the text does not occur exactly once. */
export function patched(text: string, { file, find, replace }: Patch): string {
  const found = text.split(find).length - 1;
  if (found !== 1) {
    throw new Error(
      `the list of mutants is out of date: ${file} must hold once, received ${found} times: ${find}`,
    );
  }
  return text.replace(find, () => replace);
}
