import type { Refusal } from '../model/command.js';
import {
  FILTER_RULES,
  MOST_REFUSALS,
  MOST_REFUSALS_OF_PACE,
  MOST_REFUSALS_OF_THE_TIMES,
  MOST_REJECTIONS,
  OF_PACE,
  OF_THE_TIMES,
  TEN_MINUTES_MS,
} from './bounds.js';
import { Recent } from './recent.js';
import type { RuleName } from './rule.js';

/** Counts refusals by our gate and rejections by the venue. */
export class RefusalWatch {
  readonly #breach: (rule: RuleName, what: string) => void;
  readonly #counts = new Map<string, number>();
  readonly #recent = new Map<string, Recent>();
  readonly #rejected = new Recent(TEN_MINUTES_MS);

  constructor(breach: (rule: RuleName, what: string) => void) {
    this.#breach = breach;
  }

  /** By rule, in the order of their names. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  refused(now: number, { rule, reason, until }: Refusal): void {
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
    if (FILTER_RULES.has(rule)) this.#breach('filters', reason);
    const recent = this.#recent.get(rule) ?? new Recent(TEN_MINUTES_MS);
    this.#recent.set(rule, recent);
    const count = recent.add(now);
    // A refusal because of quantity that is reserved for an order that was given up is not the strategy's fault.
    const most =
      OF_THE_TIMES.has(rule) || (rule === 'max-position' && until !== undefined)
        ? MOST_REFUSALS_OF_THE_TIMES
        : OF_PACE.has(rule)
          ? MOST_REFUSALS_OF_PACE
          : MOST_REFUSALS;
    if (count > most) this.#breach('refusals', `${count} times within 10 minutes, the last time: ${reason}`);
  }

  /** A rejection by a venue without faults, whose reason can only be the order itself. */
  rejected(now: number, reason: string): void {
    const count = this.#rejected.add(now);
    if (count <= MOST_REJECTIONS) return;
    this.#breach('rejections', `${count} orders within 10 minutes, the last one with: ${reason}`);
  }
}
