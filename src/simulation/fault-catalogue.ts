import type { FaultEffect, FaultPlace, FaultRule, FaultWindow } from '../model/fault-rule.js';
import type { Random } from '../model/random.js';

/** The assumptions of a run (`reliability.md` b.1). Drawn faults respect them, unless the run breaks one on purpose. */
export interface FaultBounds {
  /** A2: a request whose answer the client gave up on is executed within this time of its sending, or never; ms. */
  readonly lateMs: number;
  /** A3: every read that starts this much after the execution of a write sees it; ms. */
  readonly visibilityMs: number;
  /** How long the client waits for the answer to an order, ms. */
  readonly postMs: number;
}

/** A kind of fault, and where it can strike. */
export interface FaultIdea {
  readonly name: string;
  readonly place: FaultPlace;
  /** The effect, with its details drawn. */
  readonly effect: (random: Random, bounds: FaultBounds) => FaultEffect;
  /** The largest probability that it may have; default 0.3. */
  readonly most?: number;
  /** The least visibility lag of a run for this fault to be used, ms. */
  readonly leastVisibilityMs?: number;
}

const MSG = 'The service is temporarily unavailable';
const READS: FaultPlace = { calls: 'read' };
/** Orders as well as cancels. */
const WRITES: FaultPlace = { paths: ['/auth/*'] };
const ORDERS: FaultPlace = { paths: ['/auth/order', '/auth/order/bulk', '/auth/close'] };
const LISTS: FaultPlace = {
  paths: [
    '/orders',
    '/active_orders',
    '/completed_orders',
    '/cancelled_orders',
    '/filled_orders',
    '/partially_filled_orders',
    '/triggers',
    '/fills',
    '/trades',
  ],
};
const ORDER_READS: FaultPlace = { paths: ['/order', ...(LISTS.paths ?? [])] };

/** The faults of single requests in the fault table of `reliability.md` a. */
export const FAULT_IDEAS: readonly FaultIdea[] = [
  { name: 'write-lost', place: WRITES, effect: () => ({ kind: 'lost-request' }) },
  { name: 'write-answer-lost', place: WRITES, effect: () => ({ kind: 'lost-response' }) },
  {
    name: 'write-503-before',
    place: WRITES,
    effect: () => ({ kind: 'unavailable', executed: false, msg: MSG }),
  },
  {
    name: 'write-503-after',
    place: WRITES,
    effect: () => ({ kind: 'unavailable', executed: true, msg: MSG }),
  },
  {
    name: 'write-gateway',
    place: WRITES,
    effect: (random) => ({
      kind: 'gateway-page',
      executed: random.next() < 0.5,
      status: [200, 302, 502, 504][random.integer(0, 3)] ?? 502,
      location: undefined,
    }),
  },
  {
    name: 'write-reset',
    place: WRITES,
    effect: (random) => ({ kind: 'reset', executed: random.next() < 0.5 }),
  },
  {
    name: 'write-truncated',
    place: WRITES,
    effect: (random) => ({
      kind: 'truncated',
      keep: random.next(),
      framing: random.next() < 0.5 ? 'broken' : 'whole',
    }),
  },
  { name: 'write-trickle', place: WRITES, effect: () => ({ kind: 'trickle', bytes: 10, everyMs: 1_000 }) },
  {
    name: 'order-late',
    place: ORDERS,
    effect: (random, { lateMs }) => ({
      kind: 'late-execution',
      // Leaves room within the bound for the way to the venue. Half of them come almost as late as possible.
      delayMs: [random.next() < 0.5 ? 200 : Math.max(200, lateMs - 6_000), Math.max(200, lateMs - 3_000)],
      answer:
        (['none', 'unavailable', 'gateway-page', 'reset', 'own'] as const)[random.integer(0, 4)] ?? 'none',
      msg: MSG,
    }),
  },
  {
    name: 'cancel-late',
    place: { paths: ['/auth/cancel', '/auth/cancel/bulk'] },
    effect: (random, { lateMs }) => ({
      kind: 'late-execution',
      delayMs: [200, Math.max(200, lateMs - 3_000)],
      answer: random.next() < 0.5 ? 'none' : 'own',
      msg: MSG,
    }),
  },
  {
    name: 'write-slow',
    place: WRITES,
    effect: (_, { postMs }) => ({ kind: 'delay', delayMs: [postMs / 10, 1.5 * postMs] }),
  },
  { name: 'throttled', place: {}, most: 0.02, effect: () => ({ kind: 'throttle', waitMs: 700 }) },
  { name: 'read-lost', place: READS, effect: () => ({ kind: 'lost-response' }) },
  { name: 'read-503', place: READS, effect: () => ({ kind: 'unavailable', executed: false, msg: MSG }) },
  {
    name: 'read-gateway',
    place: READS,
    effect: () => ({ kind: 'gateway-page', executed: false, status: 502, location: undefined }),
  },
  { name: 'read-reset', place: READS, effect: () => ({ kind: 'reset', executed: true }) },
  {
    name: 'read-truncated',
    place: READS,
    effect: (random) => ({ kind: 'truncated', keep: random.next(), framing: 'whole' }),
  },
  { name: 'read-slow', place: READS, effect: () => ({ kind: 'delay', delayMs: [500, 9_000] }) },
  {
    name: 'rows-shuffled',
    place: LISTS,
    effect: (random) => ({ kind: 'reordered-rows', order: random.next() < 0.5 ? 'shuffle' : 'reverse' }),
  },
  {
    name: 'rows-twice',
    place: LISTS,
    effect: (random) => ({ kind: 'duplicated-rows', share: random.next() }),
  },
  {
    name: 'status-unknown',
    place: ORDER_READS,
    most: 0.02,
    effect: (random) => ({
      kind: 'unknown-status',
      status: random.next() < 0.5 ? 'PENDING' : 'REJECTED',
      share: random.next(),
    }),
  },
  {
    name: 'position-zero',
    place: { paths: ['/position'] },
    most: 0.02,
    effect: () => ({ kind: 'altered-field', field: 'size', value: 0, share: 1 }),
  },
  {
    name: 'bad-print',
    place: { paths: ['/trades'] },
    most: 0.02,
    effect: (random) => ({
      kind: 'altered-field',
      field: 'price',
      value: [0, -1, 15_000_000, null][random.integer(0, 3)] ?? 0,
      share: 0.05,
    }),
  },
];

/**
 * Reads that lag behind the truth, within A3. They slow the simulation most, so only some of the possible seeds use
 * them.
 */
export const STALE_IDEAS: readonly FaultIdea[] = [
  {
    name: 'read-stale',
    place: { paths: ['/position', '/fills', ...(LISTS.paths ?? []), '/order'] },
    // The simulation knows the venue's past with a resolution of one second.
    leastVisibilityMs: 1_500,
    effect: (_, { visibilityMs }) => ({ kind: 'stale-read', ageMs: [0, visibilityMs - 1_000] }),
  },
  {
    name: 'rows-late',
    place: ORDER_READS,
    effect: (_, { visibilityMs }) => ({ kind: 'late-visibility', delayMs: [0, visibilityMs] }),
  },
];

/** Breaks A1: a component in between sends an order again. */
export const DUPLICATE_IDEA: FaultIdea = {
  name: 'order-doubled',
  place: ORDERS,
  effect: (random) => ({
    kind: 'duplicate-execution',
    copies: 1,
    gapMs: [0, 4_000],
    answer: random.next() < 0.5 ? 'first' : 'last',
  }),
};

/** Breaks A2: an order is executed later than the client believes to be possible. */
export const TOO_LATE_IDEA: FaultIdea = {
  name: 'order-too-late',
  place: ORDERS,
  effect: (_, { lateMs }) => ({
    kind: 'late-execution',
    delayMs: [lateMs, 2 * lateMs],
    answer: 'none',
    msg: MSG,
  }),
};

const RATES = [0.002, 0.02, 0.1, 0.3] as const;

/** The idea as a rule of a plan, with a probability drawn from the rates of a swarm. */
export function ruleOf(idea: FaultIdea, random: Random, window: FaultWindow, bounds: FaultBounds): FaultRule {
  const probability = Math.min(idea.most ?? 1, RATES[random.integer(0, RATES.length - 1)] ?? RATES[0]);
  return {
    name: idea.name,
    place: idea.place,
    when: { probability, window },
    effect: idea.effect(random, bounds),
  };
}
