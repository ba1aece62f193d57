import type { FaultPlace, FaultWhen } from '../../model/fault-rule.js';
import type { FaultRequest } from '../../venue/faults/fault-request.js';
import { FaultRuleState } from '../../venue/faults/fault-rule-state.js';

/** Why a connection fails, in which case certainly nothing was sent; `slow-connect`: it is established late. */
export type ConnectFaultKind = 'refused' | 'no-such-host' | 'connect-timeout' | 'slow-connect';

/** A rule for requests that never leave, or leave late. Counts and draws like the rules of a fault plan. */
export interface ConnectRule {
  /** Unique among these rules; also the name of its random stream. */
  readonly name: string;
  readonly place: FaultPlace;
  readonly when: FaultWhen;
  readonly kind: ConnectFaultKind;
}

/** A strike of a rule. A list of them is a schedule that can be shrunk. */
export interface ConnectDecision {
  /** Number of the request among all requests of the network, from 1. */
  readonly request: number;
  readonly rule: string;
  readonly kind: ConnectFaultKind;
}

export class ConnectRules {
  readonly #states: readonly { readonly rule: ConnectRule; readonly state: FaultRuleState }[];
  readonly #decisions: ConnectDecision[] = [];

  /** `startTime`: venue time at which windows begin to count, ms. */
  constructor(rules: readonly ConnectRule[], seed: string, startTime: number) {
    this.#states = rules.map((rule) => {
      const { name, place, when } = rule;
      // A fault rule that only serves to choose requests; its effect is not used.
      const aim = { name, place, when, effect: { kind: 'lost-request' } } as const;
      return { rule, state: new FaultRuleState(aim, seed, startTime) };
    });
  }

  get decisions(): readonly ConnectDecision[] {
    return this.#decisions;
  }

  /** Decides whether a connection fails; if several rules strike, the first one takes effect. */
  consider(request: FaultRequest, number: number): ConnectFaultKind | undefined {
    let struck: ConnectRule | undefined;
    for (const { rule, state } of this.#states) {
      if (state.consider(request) === undefined) continue;
      state.settle(struck === undefined);
      struck ??= rule;
    }
    if (struck === undefined) return undefined;
    this.#decisions.push({ request: number, rule: struck.name, kind: struck.kind });
    return struck.kind;
  }
}

/** The rules that repeat exactly what was done, one per decision. */
export function connectScheduleOf(decisions: readonly ConnectDecision[]): readonly ConnectRule[] {
  return decisions.map(({ request, rule, kind }) => ({
    name: `${rule} @ ${request}`,
    place: {},
    when: { index: [request] },
    kind,
  }));
}
