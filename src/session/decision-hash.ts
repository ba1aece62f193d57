import { hashTerms } from '../engine/standing-want.js';
import type { Approved, Refusal, RefusalRule } from '../model/command.js';
import { HashChain } from '../model/hash-chain.js';

/** Codes of rules in decision hashes. Append new ones and never change one, or recorded hashes no longer compare. */
const RULE_CODES: Readonly<Record<RefusalRule, number>> = {
  tick: 1,
  lot: 2,
  'min-price': 3,
  'max-price': 4,
  'min-quantity': 5,
  'max-quantity': 6,
  iceberg: 7,
  interest: 8,
  'max-position': 9,
  'max-order-quantity': 10,
  'max-open-orders': 11,
  balance: 12,
  'market-inactive': 13,
  'not-a-number': 14,
  'target-below-lot': 15,
  'warming-up': 16,
  'unknown-order': 17,
  'not-synced': 18,
  halted: 19,
  'max-order-notional': 20,
  'price-collar': 21,
  'max-orders-per-minute': 22,
  'max-cancels-per-minute': 23,
  'same-side-repeat': 24,
  'reject-ratio': 25,
  'max-gross-notional': 26,
  'max-daily-loss': 27,
  'liquidation-distance': 28,
  'max-drawdown': 29,
  'max-consecutive-losses': 30,
  'max-leverage': 31,
  'max-orders-per-hour': 32,
  'stop-hit': 33,
  'flat-want': 34,
  'crossed-quote': 35,
};

/** Hash over (input number, commands, refusals) of every decision: equal only for identical inputs in identical order. */
export class DecisionHash {
  readonly #chain = new HashChain();

  /** Adds one decision; one without commands and refusals does not change the hash. */
  add(input: number, commands: readonly Approved[], refusals: readonly Refusal[]): void {
    if (commands.length === 0 && refusals.length === 0) return;
    const chain = this.#chain.integer(input).integer(commands.length).integer(refusals.length);
    for (const command of commands) {
      chain.integer(command.kind === 'place' ? 1 : 2).integer(command.intentId);
      if (command.kind === 'place') hashTerms(chain, command.terms);
    }
    for (const refusal of refusals) {
      chain
        .integer(RULE_CODES[refusal.rule])
        .integer(refusal.intentId ?? 0)
        .text(refusal.asked)
        .text(refusal.bound);
    }
  }

  /** The hash so far, including the number of inputs. */
  digest(inputs: number): string {
    const chain = new HashChain();
    return chain.text(this.#chain.digest()).number(inputs).digest();
  }
}
