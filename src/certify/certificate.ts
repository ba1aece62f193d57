import { join } from 'node:path';
import { sha256 } from '../model/digest.js';
import { type CertifyResult, LEAST_SEEDS, type Violation } from './certify.js';
import { SCENARIOS } from './scenario.js';

/** Everything that a certificate is valid for; it is void as soon as any of these changes. */
export interface CertifiedThing {
  /** Hash of the strategy's bundled code. */
  readonly strategy: string;
  readonly pair: string;
  /** Every parameter, as a person would write it. */
  readonly params: Readonly<Record<string, string>>;
  /** The limits that are set, as a person would write them. */
  readonly limits: Readonly<Record<string, string>>;
  readonly onDoubt: string;
  /** Version of this package. */
  readonly engine: string;
}

export interface Certificate extends CertifiedThing {
  readonly formatVersion: 1;
  readonly hash: string;
  /** The strategy's name and file, for people. */
  readonly name: string;
  readonly file: string;
  readonly scenarios: number;
  readonly seeds: number;
  readonly runs: number;
  /** Number of orders placed in all runs. */
  readonly orders: number;
  readonly violations: readonly Violation[];
}

export function certificateHash({ strategy, pair, params, limits, onDoubt, engine }: CertifiedThing): string {
  const sorted = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([1, strategy, pair, sorted(params), sorted(limits), onDoubt, engine]));
}

export function certificateOf(
  thing: CertifiedThing,
  { name, file }: Pick<Certificate, 'name' | 'file'>,
  { scenarios, seeds, runs, orders, violations }: CertifyResult,
): Certificate {
  const hash = certificateHash(thing);
  return { formatVersion: 1, hash, name, file, ...thing, scenarios, seeds, runs, orders, violations };
}

/** A strategy that places no order breaks no rule, but nothing was tested. */
export const NOTHING_TESTED = 'it placed no order in any scenario: nothing was tested';

/** Path of the certificate, within the state folder of a bot. */
export function certificatePath(state: string, hash: string): string {
  return join(state, 'certificates', `${hash}.json`);
}

/**
 * Why this text is not a valid certificate for this hash; `undefined`: it is. Whoever can write the file can forge it: it
 * guards against forgetting, not against lying.
 */
export function certificateProblem(
  text: string | undefined,
  hash: string,
  scenarios: number,
): string | undefined {
  if (text === undefined)
    return 'there is none for this code, with these parameters and limits, by this version';
  const found = parsed(text);
  if (found === undefined) return 'it cannot be read';
  const { hash: said, violations, seeds = 0, scenarios: known = 0, orders = 0 } = found;
  if (said !== hash) return 'it is of another strategy';
  if (violations === undefined) return 'it does not say what was found';
  const [first] = violations;
  if (first !== undefined) {
    const { rule, scenario, seed, what } = first;
    return `it says ${violations.length} violations, the first one ${rule} in ${scenario} with seed ${seed}: ${what}`;
  }
  if (known < scenarios) return `it is of ${known} scenarios, there are ${scenarios}`;
  if (seeds < LEAST_SEEDS) return `it is of ${seeds} seeds, ${LEAST_SEEDS} are needed`;
  if (orders === 0) return NOTHING_TESTED;
  return undefined;
}

/**
 * The violations that this text records for this hash. They count until the same run finds none any more. Violations of
 * scenarios that do not exist any more cannot be repeated and are left out.
 */
export function refutations(text: string | undefined, hash: string): readonly Violation[] {
  const { hash: said, violations } = parsed(text ?? '') ?? {};
  if (said !== hash || !Array.isArray(violations)) return [];
  return (violations as Certificate['violations']).filter(({ scenario }) =>
    SCENARIOS.some(({ name }) => name === scenario),
  );
}

function parsed(text: string): Partial<Certificate> | undefined {
  try {
    return (JSON.parse(text) as Partial<Certificate> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
