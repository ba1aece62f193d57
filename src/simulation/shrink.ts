import type { FaultPlanTerms, FaultRule } from '../model/fault-rule.js';
import type { FaultDecision } from '../venue/faults/fault-plan.js';
import { ddmin } from './ddmin.js';
import type { InvariantName } from './invariant-name.js';
import type { Violation } from './oracle.js';
import { type DetailedRun, runPlan } from './run-plan.js';
import type { Subject } from './subject.js';
import type { SwarmPlan } from './swarm-plan.js';
import type { Drain } from './world/scheduler.js';

/** A failure as small as it gets, to be kept for ever: plain data. */
export interface SimulationCase {
  readonly subject: string;
  /** What it broke when it was found. */
  readonly invariant: InvariantName;
  readonly what: string;
  /** What has to come of it now: no violation; or, of a program that is known to be wrong, this one still. */
  readonly expect: 'holds' | InvariantName;
  readonly plan: SwarmPlan;
}

/** Of one shrinking, the first included. */
const MOST_RUNS = 300;

export interface ShrinkOptions {
  readonly subject: Subject;
  readonly drain: Drain;
}

export interface Shrunk {
  readonly plan: SwarmPlan;
  readonly violation: Violation;
  readonly runs: number;
  /** Faults and incidents that are left. */
  readonly left: number;
}

/** A case with more single faults than these is kept as the chances that they came from. */
const MOST_DECISIONS = 60;

/**
 * Leaves out of a plan that breaks an invariant whatever is not needed for that: what comes after it, incidents, kinds
 * of faults, and then single faults. `undefined` when the plan breaks nothing.
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
  /** The first of these that still fails. */
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
  // Only what comes later is cut: the run is the same up to there.
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

  // From chances to a list of what happened, where that is one that can be read.
  if (tries() > 0 && (await fails(plan))) {
    const chances = plan;
    const schedule = { ...plan, faults: scheduleOf(plan.faults, last.decisions) };
    if (await fails(schedule)) {
      plan = schedule;
      plan = withRules(await ddmin(plan.faults.rules, (part) => fails(withRules(part)), tries()));
      if (plan.faults.rules.length > MOST_DECISIONS) plan = chances;
    }
  }
  // The kept violation is that of the plan that is given back.
  const kept = (await run(plan)).violations.find((each) => each.invariant === invariant);
  return kept && { plan, violation: kept, runs, left: plan.incidents.length + plan.faults.rules.length };
}

/**
 * The plan that does again what was done, one rule for each decision: by the number of its request among those at the
 * rule's place, so that it still means the same when other requests come or go.
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
