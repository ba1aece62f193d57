/**
 * The texts of this venue's refusals. A refusal makes no record; its text names the rule and both numbers. Every text
 * starts with one of `REFUSALS`, so that a client can tell a definite refusal from an answer that proves nothing.
 */
export const REFUSALS = {
  unknownPair: 'unknown pair',
  inactive: 'market not active',
  malformed: 'malformed',
  priceTick: 'price off tick',
  priceRange: 'price outside filter',
  quantityStep: 'quantity off step',
  quantityRange: 'quantity outside filter',
  iceberg: 'iceberg slice outside filter',
  interest: 'interest exceeded',
  balance: 'insufficient balance',
  notFound: 'The order was not found',
  done: 'order already done',
  noPosition: 'nothing to reduce',
  ocoEnded: 'oco group ended',
  bulkPairs: 'bulk: more than one market',
  bulkSize: 'bulk: not 1 to 50 orders',
  bulkReduceOnly: 'bulk: reduce-only inside',
  notIsolated: 'not isolated',
  leverage: 'leverage above the maximum',
  withdrawalMinimum: 'withdrawal below minimum',
  notWithdrawable: 'not withdrawable',
} as const;

export type RefusalRule = keyof typeof REFUSALS;

/** The text of a refusal: `rule: facts`. */
export function refusalText(rule: RefusalRule, facts: string): string {
  return `${REFUSALS[rule]}: ${facts}`;
}

/** The rule of a refusal's text; `undefined` for any other text. */
export function refusalRule(text: string): RefusalRule | undefined {
  for (const [rule, prefix] of Object.entries(REFUSALS)) {
    if (text.startsWith(`${prefix}: `)) return rule as RefusalRule;
  }
  return undefined;
}
