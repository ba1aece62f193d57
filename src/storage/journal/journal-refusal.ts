import type { RefusalRule } from '../../model/command.js';
import type { JournalRecord } from '../../model/journal-record.js';

export type RefusalRecord = Extract<JournalRecord, { kind: 'refusal' }>;

/** What a user can do about each refusal, as a sentence without a full stop. */
const ADVICE: Readonly<Record<RefusalRule, string>> = {
  tick: 'round the price to the tick, or use a quote, which is rounded for you',
  lot: 'round the quantity to the lot, or use a quote or a position, which are rounded for you',
  'min-price': 'the strategy asks for a price that its market does not have: check its arithmetic',
  'max-price': 'the strategy asks for a price that its market does not have: check its arithmetic',
  'min-quantity': 'make the order larger; the market takes nothing smaller',
  'max-quantity': 'make the order smaller, or split it',
  iceberg: 'show a part that the market allows, or leave icebergs away',
  interest: 'hold less: the market takes no larger position',
  'max-position':
    'nothing, if it was to be bounded; else raise limits.maxPosition or lower the quantity of the strategy',
  'max-order-quantity': 'lower the quantity of the strategy, or raise limits.maxOrderQuantity',
  'max-open-orders': 'let the strategy cancel what it no longer needs, or raise limits.maxOpenOrders',
  balance: 'deposit, hold less, or lower the quantity of the strategy',
  'market-inactive': 'wait until the venue opens the market again',
  'not-a-number':
    'the strategy computed with something that is missing: check for NaN before it answers; text must be plain digits',
  'stop-hit':
    'nothing, if the market had just come there; else the strategy puts its stop on the wrong side of the market',
  'target-below-lot': 'ask for a whole lot at least, or for a flat position',
  'warming-up': 'nothing: orders are taken once the warm-up is over; context.warmingUp says when',
  'crossed-quote': 'put the bid below the ask: check what the strategy adds to and takes from its price',
  'flat-want':
    'want something else, such as orders([]), before the order; after a stop was hit, also of a position another quantity',
  'unknown-order': 'cancel only what is in context.workingOrders; this one has ended or never was',
  'not-synced':
    'wait until books and venue agree again; if it stays, tickwright status and tickwright attach --plan say why',
  halted: 'find out why it was halted, then tickwright resume',
  'max-order-notional': 'lower the quantity of the strategy, or raise limits.maxOrderNotional',
  'price-collar':
    'nothing in a fast market; else the strategy prices too far away, or limits.priceCollar is too narrow',
  'max-orders-per-minute': 'let the strategy change its mind less often, or raise limits.maxOrdersPerMinute',
  'max-cancels-per-minute':
    'let the strategy move its orders less often, or raise limits.maxCancelsPerMinute',
  'same-side-repeat': 'let the strategy wait between two orders of a side, or lower limits.minRepeat',
  'reject-ratio':
    'look at what the venue rejected (tickwright journal tail); it goes on by itself after the pause',
  'max-gross-notional': 'hold less, or raise limits.maxGrossNotional',
  'max-daily-loss':
    'nothing: it goes on at 00:00 UTC, and no sooner if limits.maxDailyLoss is raised meanwhile',
  'liquidation-distance': 'reduce the position or add margin: the venue is near to taking it over',
  'max-drawdown': 'find out what it lost by (tickwright explain-pnl), then tickwright resume',
  'max-consecutive-losses': 'nothing: it goes on after limits.lossPause',
  'max-leverage': 'hold less, add margin, or raise limits.maxLeverage',
  'max-orders-per-hour': 'let the strategy change its mind less often, or raise limits.maxOrdersPerHour',
};

export interface RefusalStory {
  readonly rule: string;
  readonly pair: string;
  readonly asked: string;
  readonly bound: string;
  /** What must be what, and what was received; without the name of the rule. */
  readonly reason: string;
  /** What to do about it; `undefined` for a rule that this version does not know. */
  readonly advice: string | undefined;
}

export function refusalStory({ rule, pair, asked, bound, reason }: RefusalRecord): RefusalStory {
  const start = `${rule}: `;
  const words = reason.startsWith(start) ? reason.slice(start.length) : reason;
  // Waiting never ends a halt. A halt of level `pause` lets orders reduce the position, so its refusals carry the rule
  // `not-synced`; they get the advice for a halt.
  const known = rule === 'not-synced' && asked === 'HALTED' ? 'halted' : rule;
  const advice = Object.hasOwn(ADVICE, known) ? ADVICE[known as RefusalRule] : undefined;
  return { rule, pair, asked, bound, reason: words, advice };
}

/** The refusal in one line: rule, both numbers, and what to do. */
export function refusalLine(record: RefusalRecord): string {
  const { rule, pair, asked, bound, reason, advice } = refusalStory(record);
  // Most reasons contain both numbers; if one is missing, it is added from the fields.
  const said = reason.includes(asked) && reason.includes(bound) ? '' : ` (asked ${asked}, bound ${bound})`;
  return `${pair} ${rule}: ${reason}${said}${advice === undefined ? '' : ` → ${advice}`}`;
}

/** What a refusal lacks although it must say it; `undefined`: nothing. Used to test that all rules explain themselves. */
export function refusalGap(record: RefusalRecord): string | undefined {
  const { rule, asked, bound, reason, advice } = refusalStory(record);
  if (advice === undefined) return `rule ${JSON.stringify(rule)} is explained nowhere`;
  if (asked === '') return `${rule} does not say what was asked for: ${reason}`;
  if (bound === '') return `${rule} does not say its bound: ${reason}`;
  return undefined;
}
