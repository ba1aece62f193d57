import { FAULT_SETS } from './fault-set.js';
import type { RuleName } from './rule.js';
import type { RunEnd } from './run-scenario.js';
import { type Scenario, SCENARIOS } from './scenario.js';

/** One run of all. */
export interface CertifyJob {
  readonly scenario: Scenario;
  readonly seed: number;
}

/** The first time that a rule was broken in one run. */
export interface Violation {
  readonly rule: RuleName;
  readonly scenario: string;
  readonly seed: number;
  /** What went wrong besides. */
  readonly faults: string;
  /** Virtual ms from the start of the strategy. */
  readonly timeMs: number;
  readonly what: string;
}

/** What all runs came to. Equal for equal terms, on every machine. */
export interface CertifyResult {
  /** How many scenarios, seeds and runs of one with the other. */
  readonly scenarios: number;
  readonly seeds: number;
  readonly runs: number;
  readonly orders: number;
  readonly fills: number;
  readonly refusals: Readonly<Record<string, number>>;
  /** Largest |position| over what is allowed. */
  readonly worstPosition: number;
  readonly worstNakedMs: number;
  readonly worstOrdersPerMinute: number;
  readonly worstRequestsPerMinute: number;
  readonly violations: readonly Violation[];
}

/** Each set of faults once: fewer are no certificate. */
export const LEAST_SEEDS = FAULT_SETS.length;

/** Every scenario with every seed from 1. */
export function certifyJobs(seeds: number): readonly CertifyJob[] {
  return SCENARIOS.flatMap((scenario) =>
    Array.from({ length: seeds }, (_, index) => ({ scenario, seed: index + 1 })),
  );
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
  return {
    scenarios: new Set(runs.map(({ scenario }) => scenario)).size,
    seeds: new Set(runs.map(({ seed }) => seed)).size,
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
