import type { FaultPlace, FaultWhen } from '../../model/fault-rule.js';
import type { FaultRequest } from '../../venue/faults/fault-request.js';
import { FaultRuleState } from '../../venue/faults/fault-rule-state.js';

/** Why no connection comes to be, and then it is certain that nothing was sent; `slow-connect`: it comes to be late. */
export type ConnectFaultKind = 'refused' | 'no-such-host' | 'connect-timeout' | 'slow-connect';

/** Which requests do not even leave, or late; counted and drawn like the rules of a fault plan. */
export interface ConnectRule {
  /** Unique among these rules; names its stream of random numbers. */
  readonly name: string;
  readonly place: FaultPlace;
  readonly when: FaultWhen;
  readonly kind: ConnectFaultKind;
}

/** A strike of a rule; as a list they are a schedule that can be shrunk. */
export interface ConnectDecision {
  /** Which of all requests of the network, from 1. */
  readonly request: number;
  readonly rule: string;
  readonly kind: ConnectFaultKind;
}

export class ConnectRules {
  readonly #states: readonly { readonly rule: ConnectRule; readonly state: FaultRuleState }[];
  readonly #decisions: ConnectDecision[] = [];

  /** `startTime`: venue time that windows count from, ms. */
  constructor(rules: readonly ConnectRule[], seed: string, startTime: number) {
    this.#states = rules.map((rule) => {
      const { name, place, when } = rule;
      // Of a rule of the plan only its aim is used, not its effect.
      const aim = { name, place, when, effect: { kind: 'lost-request' } } as const;
      return { rule, state: new FaultRuleState(aim, seed, startTime) };
    });
  }

  get decisions(): readonly ConnectDecision[] {
    return this.#decisions;
  }

  /** Of several that strike, the first one counts. */
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

/** The rules that do again exactly what was done, one for each decision. */
export function connectScheduleOf(decisions: readonly ConnectDecision[]): readonly ConnectRule[] {
  return decisions.map(({ request, rule, kind }) => ({
    name: `${rule} @ ${request}`,
    place: {},
    when: { index: [request] },
    kind,
  }));
}
