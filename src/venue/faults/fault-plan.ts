import { UsageError } from '../../model/errors.js';
import type { FaultEffect, FaultKind, FaultPlanTerms, FaultRule } from '../../model/fault-rule.js';
import { appliedTo } from './fate.js';
import type { FaultRequest } from './fault-request.js';
import { FaultRuleState } from './fault-rule-state.js';

/** What one rule did to one request. */
export interface FaultDecision {
  /** Number of the request among all requests, from 1. */
  readonly request: number;
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly account: string | undefined;
  readonly rule: string;
  readonly kind: FaultKind;
  /** Number of the request among those at the rule's place, from 1. */
  readonly match: number;
  /** The effect with all random values drawn. An outage or a freeze is replaced by what it did to this request. */
  readonly effect: FaultEffect;
  readonly seed: string;
  /** False if an earlier rule left this one without effect. It then does not count towards the rule's limit. */
  readonly applied: boolean;
}

/** What a plan has done so far, as plain data. */
export interface FaultReport {
  readonly requests: number;
  readonly rules: readonly {
    readonly name: string;
    readonly kind: FaultKind;
    /**
     * Number of requests at the rule's place; of strikes that took effect; and of strikes that an earlier rule
     * overruled.
     */
    readonly matched: number;
    readonly struck: number;
    readonly overruled: number;
  }[];
  /** The newest decisions, oldest first. */
  readonly decisions: readonly FaultDecision[];
}

export interface FaultPlanOptions {
  /** Venue time at which windows begin to count, ms. */
  readonly startTime: number;
  /** Least number of decisions kept for the report; default 10 000. */
  readonly remembered?: number | undefined;
}

const REMEMBERED = 10_000;

/**
 * Decides what goes wrong with each request. It is deterministic: for one seed, the same requests in the same order get
 * the same decisions, on every machine and every kind of transport. An additional rule does not change what other rules
 * do, except that it may overrule them.
 */
export class FaultPlan {
  readonly terms: FaultPlanTerms;
  readonly #states: readonly FaultRuleState[];
  readonly #remembered: number;
  #requests = 0;
  #decisions: FaultDecision[] = [];
  #latest: readonly FaultDecision[] = NONE;

  /** @throws UsageError when two rules have the same name. */
  constructor(terms: FaultPlanTerms, { startTime, remembered = REMEMBERED }: FaultPlanOptions) {
    const names = terms.rules.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_FAULT_PLAN',
        `each rule must have a name of its own, received ${twice} twice`,
      );
    }
    this.terms = terms;
    this.#states = terms.rules.map((rule) => new FaultRuleState(rule, terms.seed, startTime));
    this.#remembered = remembered;
  }

  /** Counts a request and returns the decisions that take effect on it, in the order of the rules. */
  decide(request: FaultRequest): readonly FaultDecision[] {
    const number = ++this.#requests;
    const struck: { readonly state: FaultRuleState; readonly decision: Omit<FaultDecision, 'applied'> }[] =
      [];
    for (const state of this.#states) {
      const strike = state.consider(request);
      if (strike === undefined) continue;
      const { name, effect } = state.rule;
      struck.push({
        state,
        decision: { request: number, ...request, rule: name, kind: effect.kind, ...strike },
      });
    }
    if (struck.length === 0) {
      this.#latest = NONE;
      return NONE;
    }
    const applied = appliedTo(
      request,
      struck.map(({ decision }) => decision.effect),
    );
    const decisions = struck.map(({ state, decision }, index) => {
      const isApplied = applied[index] === true;
      state.settle(isApplied);
      return { ...decision, applied: isApplied };
    });
    this.#remember(decisions);
    this.#latest = decisions.filter((decision) => decision.applied);
    return this.#latest;
  }

  /** The decisions that took effect on the last request. */
  get latest(): readonly FaultDecision[] {
    return this.#latest;
  }

  /**
   * Whether a rule of this kind covers such requests, even if it does not strike. Stale answers must be recorded
   * beforehand.
   */
  watches(kind: FaultKind, request: FaultRequest): boolean {
    return this.#states.some(({ rule, isAtPlace }) => rule.effect.kind === kind && isAtPlace(request));
  }

  /** The newest decisions, including those without effect, oldest first. */
  get log(): readonly FaultDecision[] {
    return this.#decisions.slice(-this.#remembered);
  }

  report(): FaultReport {
    const rules = this.#states.map(({ rule, counts }) => ({
      name: rule.name,
      kind: rule.effect.kind,
      ...counts,
    }));
    return { requests: this.#requests, rules, decisions: this.log };
  }

  #remember(decisions: readonly FaultDecision[]): void {
    this.#decisions.push(...decisions);
    if (this.#decisions.length >= 2 * this.#remembered)
      this.#decisions = this.#decisions.slice(-this.#remembered);
  }
}

const NONE: readonly FaultDecision[] = [];

/**
 * The plan that repeats exactly what was done: one rule per decision, by the number of its request. To shrink a
 * failure, leave rules out of it.
 */
export function scheduleOf(decisions: readonly FaultDecision[]): FaultPlanTerms {
  const rules = decisions
    .filter(({ applied }) => applied)
    .map(
      ({ rule, request, effect, seed }): FaultRule => ({
        name: `${rule} @ ${request}`,
        place: {},
        when: { index: [request] },
        effect,
        seed,
      }),
    );
  return { seed: 0, rules };
}
