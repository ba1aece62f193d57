/** What a certified strategy never does, by stable names: scripts and certificates rely on them. */
export const RULES = {
  position: 'the position stays within its limit at every moment, by the books of the venue',
  liquidation: 'the account is never liquidated',
  duplicate: 'no request and no intent becomes two orders',
  'twin-orders': 'no order is sent beside a working one of just the same terms',
  'self-cross': 'own bids stay below own asks',
  filters: 'every order lies on the grid and within the filters of its market',
  refusals: 'what the limits refuse is not asked for again and again',
  rejections: 'what the venue turns away is not sent again and again',
  'open-orders': 'orders do not pile up at the venue',
  'orders-per-minute': 'orders of a minute are bounded',
  churn: 'orders are not replaced at every trade, nor while what is wanted stays the same',
  naked: 'what is no longer wanted is gone within minutes, whatever fails',
  throws: 'it does not throw',
  timers: 'its timers wait',
  ends: 'its handlers come to an end',
  recovery: 'after deaths and faults it is in order again by itself',
  books: 'what it believes to hold is what the venue says',
  'flat-after-stop': 'a stop leaves no order and no position, and proves it',
  explained: 'every refusal says its rule and both numbers',
} as const satisfies Readonly<Record<string, string>>;

export type RuleName = keyof typeof RULES;

/** A rule that was broken, the first time in its run. */
export interface Breach {
  readonly rule: RuleName;
  /** Virtual ms from the start of the strategy. */
  readonly timeMs: number;
  readonly what: string;
}
