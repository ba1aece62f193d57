import { FAULT_SETS } from './fault-set.js';
import type { RuleName } from './rule.js';
import type { RunEnd } from './run-scenario.js';
import { type Scenario, SCENARIOS } from './scenario.js';

/** One of all runs. */
export interface CertifyJob {
  readonly scenario: Scenario;
  readonly seed: number;
}

/** The first time that a rule was broken in one run. */
export interface Violation {
  readonly rule: RuleName;
  readonly scenario: string;
  readonly seed: number;
  /** The faults that were injected in this run. */
  readonly faults: string;
  /** Virtual ms from the start of the strategy. */
  readonly timeMs: number;
  readonly what: string;
}

/** The result of all runs. Equal terms give an equal result on every machine. */
export interface CertifyResult {
  readonly scenarios: number;
  /** Smallest number of seeds that each scenario ran with. */
  readonly seeds: number;
  readonly runs: number;
  readonly orders: number;
  readonly fills: number;
  readonly refusals: Readonly<Record<string, number>>;
  /** Largest |position| divided by the allowed one. */
  readonly worstPosition: number;
  readonly worstNakedMs: number;
  readonly worstOrdersPerMinute: number;
  readonly worstRequestsPerMinute: number;
  readonly violations: readonly Violation[];
}

/** So that each set of faults occurs once; fewer seeds give no certificate. */
export const LEAST_SEEDS = FAULT_SETS.length;

/** Every scenario with every seed from 1. */
export function certifyJobs(seeds: number): readonly CertifyJob[] {
  return SCENARIOS.flatMap((scenario) =>
    Array.from({ length: seeds }, (_, index) => ({ scenario, seed: index + 1 })),
  );
}

type RunName = Pick<Violation, 'scenario' | 'seed'>;

/** The violations that none of these runs repeats. */
export function unrepeated(violations: readonly Violation[], runs: readonly RunName[]): readonly Violation[] {
  return violations.filter(
    ({ scenario, seed }) => !runs.some((run) => run.scenario === scenario && run.seed === seed),
  );
}

/**
 * Puts the runs of known violations before these jobs: a violation that voided a certificate must be tested again even if
 * its seed is not among the requested ones.
 */
export function withRunsOf(
  jobs: readonly CertifyJob[],
  violations: readonly Violation[],
): readonly CertifyJob[] {
  const more: CertifyJob[] = [];
  const named = () => [...more, ...jobs].map(({ scenario: { name }, seed }) => ({ scenario: name, seed }));
  for (const violation of violations) {
    const scenario = SCENARIOS.find(({ name }) => name === violation.scenario);
    if (scenario === undefined || unrepeated([violation], named()).length === 0) continue;
    more.push({ scenario, seed: violation.seed });
  }
  return [...more, ...jobs];
}

export function certifyResult(runs: readonly RunEnd[]): CertifyResult {
  const sum = (of: (run: RunEnd) => number) => runs.reduce((total, run) => total + of(run), 0);
  const worst = (of: (run: RunEnd) => number) => Math.max(0, ...runs.map(of));
  const refusals = new Map<string, number>();
  for (const { figures } of runs) {
    for (const [rule, count] of Object.entries(figures.refusals)) {
      refusals.set(rule, (refusals.get(rule) ?? 0) + count);
    }
  }
  const seeds = new Map<string, Set<number>>();
  for (const { scenario, seed } of runs)
    seeds.set(scenario, (seeds.get(scenario) ?? new Set<number>()).add(seed));
  return {
    scenarios: seeds.size,
    seeds: seeds.size === 0 ? 0 : Math.min(...[...seeds.values()].map(({ size }) => size)),
    runs: runs.length,
    orders: sum(({ figures }) => figures.orders),
    fills: sum(({ figures }) => figures.fills),
    refusals: Object.fromEntries([...refusals].sort(([a], [b]) => (a < b ? -1 : 1))),
    worstPosition: worst(({ figures }) => figures.position),
    worstNakedMs: worst(({ figures }) => figures.nakedMs),
    worstOrdersPerMinute: worst(({ figures }) => figures.ordersPerMinute),
    worstRequestsPerMinute: worst(({ figures }) => figures.requestsPerMinute),
    violations: runs.flatMap(({ scenario, seed, faults, breaches }) =>
      breaches.map(({ rule, timeMs, what }) => ({ rule, scenario, seed, faults, timeMs, what })),
    ),
  };
}
