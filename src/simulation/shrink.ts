import type { FaultPlanTerms, FaultRule } from '../model/fault-rule.js';
import type { FaultDecision } from '../venue/faults/fault-plan.js';
import { ddmin } from './ddmin.js';
import type { InvariantName } from './invariant-name.js';
import type { Violation } from './oracle.js';
import { type DetailedRun, runPlan } from './run-plan.js';
import type { Subject } from './subject.js';
import type { SwarmPlan } from './swarm-plan.js';
import type { Drain } from './world/scheduler.js';

/** A minimized failure as plain data, to be kept as a regression test. */
export interface SimulationCase {
  readonly subject: string;
  /** The violation that it had when it was found. */
  readonly invariant: InvariantName;
  readonly what: string;
  /** The expected result: no violation; or this violation, for a subject that is known to be wrong. */
  readonly expect: 'holds' | InvariantName;
  readonly plan: SwarmPlan;
}

/** The most runs of one shrinking, including the first. */
const MOST_RUNS = 300;

export interface ShrinkOptions {
  readonly subject: Subject;
  readonly drain: Drain;
}

export interface Shrunk {
  readonly plan: SwarmPlan;
  readonly violation: Violation;
  readonly runs: number;
  /** Number of faults and incidents that remain. */
  readonly left: number;
}

/** If more single faults than this remain, the case keeps the probabilities that they were drawn from. */
const MOST_DECISIONS = 60;

/**
 * Removes everything from a failing plan that the failure does not need: time after it, incidents, kinds of faults, and
 * then single faults. `undefined` if the plan does not fail.
 */
export async function shrink(
  whole: SwarmPlan,
  { subject, drain }: ShrinkOptions,
): Promise<Shrunk | undefined> {
  let runs = 0;
  const run = (plan: SwarmPlan): Promise<DetailedRun> => {
    runs++;
    return runPlan(plan, { subject, drain });
  };
  let last = await run(whole);
  let violation = last.violations[0];
  if (violation === undefined) return undefined;
  const { invariant } = violation;
  const fails = async (plan: SwarmPlan): Promise<boolean> => {
    const tried = await run(plan);
    const again = tried.violations.find((each) => each.invariant === invariant);
    if (again === undefined) return false;
    last = tried;
    violation = again;
    return true;
  };
  const tries = () => Math.max(0, MOST_RUNS - runs);
  /** The first candidate that still fails, else the plan itself. */
  const simpler = async (
    plan: SwarmPlan,
    ...candidates: readonly Partial<SwarmPlan>[]
  ): Promise<SwarmPlan> => {
    for (const candidate of candidates) {
      const next = { ...plan, ...candidate };
      if (tries() > 0 && (await fails(next))) return next;
    }
    return plan;
  };

  let plan = whole;
  // Cuts only the time after the violation, so that the run up to it stays the same.
  if (violation.timeMs + 1 < plan.faultyMs) plan = await simpler(plan, { faultyMs: violation.timeMs + 1 });
  const incidents = await ddmin(plan.incidents, (part) => fails({ ...plan, incidents: part }), tries());
  plan = { ...plan, incidents };
  plan = await simpler(plan, { network: { ...plan.network, connect: [], tail: 0 } });
  plan = await simpler(plan, { clock: { offsetMs: 0, driftPpm: 0 } });
  const withRules = (rules: SwarmPlan['faults']['rules']): SwarmPlan => ({
    ...plan,
    faults: { ...plan.faults, rules },
  });
  plan = withRules(await ddmin(plan.faults.rules, (part) => fails(withRules(part)), tries()));

  // Replaces probabilities by a list of the faults that happened, if that list is short enough to be read.
  if (tries() > 0 && (await fails(plan))) {
    const chances = plan;
    const schedule = { ...plan, faults: scheduleOf(plan.faults, last.decisions) };
    if (await fails(schedule)) {
      plan = schedule;
      plan = withRules(await ddmin(plan.faults.rules, (part) => fails(withRules(part)), tries()));
      if (plan.faults.rules.length > MOST_DECISIONS) plan = chances;
    }
  }
  // Runs once more, so that the kept violation is the one of the returned plan.
  const kept = (await run(plan)).violations.find((each) => each.invariant === invariant);
  return kept && { plan, violation: kept, runs, left: plan.incidents.length + plan.faults.rules.length };
}

/**
 * The plan that repeats exactly what was done, one rule per decision. A rule counts requests at its own place, so that
 * it still means the same request if others appear or disappear.
 */
function scheduleOf({ seed, rules }: FaultPlanTerms, decisions: readonly FaultDecision[]): FaultPlanTerms {
  const places = new Map(rules.map(({ name, place }) => [name, place]));
  return {
    seed,
    rules: decisions
      .filter(({ applied }) => applied)
      .map(
        ({ rule, match, effect, seed: detail }): FaultRule => ({
          name: `${rule} @ ${match}`,
          place: places.get(rule) ?? {},
          when: { index: [match] },
          effect,
          seed: detail,
        }),
      ),
  };
}
