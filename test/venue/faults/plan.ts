/** Plans and requests for the tests, written short. */
import type { FaultEffect, FaultRule } from '../../../src/model/fault-rule.js';
import { FaultPlan } from '../../../src/venue/faults/fault-plan.js';
import type { FaultRequest } from '../../../src/venue/faults/fault-request.js';

export const START = 1_723_100_000_000;

export const LOST: FaultEffect = { kind: 'lost-request' };

export function rule(parts: Partial<FaultRule> = {}): FaultRule {
  return { name: 'rule', place: {}, when: {}, effect: LOST, ...parts };
}

export function planOf(rules: readonly FaultRule[], seed: string | number = 1): FaultPlan {
  return new FaultPlan({ seed, rules }, { startTime: START });
}

export function request(parts: Partial<FaultRequest> = {}): FaultRequest {
  return { method: 'POST', path: '/auth/order', account: 'anna', time: START, ...parts };
}

/** The numbers (from 1) of those of so many equal requests that a rule strikes. */
export function struckOf(plan: FaultPlan, count: number, of: (n: number) => FaultRequest = () => request()) {
  return Array.from({ length: count }, (_, i) => i + 1).filter((n) => plan.decide(of(n)).length > 0);
}
