import { signOf } from '../model/side.js';
import type { InvariantName } from './invariant-name.js';
import { type Facts, type IntentFacts, isAbsent, type OrderFacts, type WriteFacts } from './facts.js';

/** A rule that must hold. Its checks run when it could have been broken; each returns how it was, or `undefined`. */
export interface Invariant {
  readonly name: InvariantName;
  readonly claim: string;
  /** Assumptions of `reliability.md` b.1 that it depends on; default none. */
  readonly needs?: readonly ('A1' | 'A2')[];
  /** Runs when a request with an order leaves the program. */
  readonly onWrite?: (facts: Facts, write: WriteFacts) => string | undefined;
  /** Runs when the venue has accepted an order. */
  readonly onOrder?: (facts: Facts, order: OrderFacts) => string | undefined;
  /** Runs when the position has changed. */
  readonly onPosition?: (facts: Facts) => string | undefined;
  /** Runs once a second, and whenever something else happened. */
  readonly always?: (facts: Facts) => string | undefined;
  /** Runs T_live after the last fault. */
  readonly onHealed?: (facts: Facts) => string | undefined;
  /** Runs at the end of the calm. */
  readonly atEnd?: (facts: Facts) => string | undefined;
}

function unsettled({ claim, lastSettledAt }: Facts, since: number): string | undefined {
  if (lastSettledAt >= since) return undefined;
  return claim === undefined ? 'the program is down' : `${claim.state}: ${claim.reason ?? 'it says no more'}`;
}

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'I1',
    claim: 'an intent is sent at most once, over all lives',
    onWrite: ({ intents }, { number, intent }) => {
      const posts = intent === undefined ? 0 : (intents.get(intent)?.writes.length ?? 0);
      return posts > 1
        ? `intent ${intent} left ${posts} times, the last time as request ${number}`
        : undefined;
    },
  },
  {
    name: 'I2',
    claim: 'an intent has at most one order at the venue',
    needs: ['A1'],
    onOrder: ({ intents }, { intent }) => {
      const orders = intent === undefined ? undefined : intents.get(intent)?.orders;
      if (orders === undefined || orders.length < 2) return undefined;
      return `intent ${intent} has the orders ${orders.join(', ')}`;
    },
  },
  {
    name: 'I3',
    claim: 'no order leaves before its record is durable',
    onWrite: (_, { number, intent, isPrepared }) =>
      intent === undefined || !isPrepared
        ? `request ${number} left without a durable record of its body (intent ${intent ?? 'unknown'})`
        : undefined,
  },
  {
    name: 'I4',
    claim:
      'each order of ours is bound to its own intent, none stays unknown to a program that says SYNCED, and beside one ' +
      'that is nothing adds risk',
    needs: ['A1'],
    // With A2 broken an order may appear at any time, so it is not checked then.
    onWrite: (facts, { number, addsRisk }) => {
      const [orphan] = addsRisk && facts.plan.mode === 'normal' ? facts.orphans() : [];
      return orphan && `request ${number} adds risk beside order ${orphan.id}, which is not known yet`;
    },
    always: (facts) => {
      if (facts.misattributed !== undefined) return facts.misattributed;
      if (facts.claim?.state !== 'SYNCED') return undefined;
      const since = facts.now - facts.noticeMs;
      // Right after a sleep, its claim is still from before; it counts once the program had time to look.
      if (facts.awakeSince > since) return undefined;
      return orphanBefore(facts, since);
    },
    atEnd: (facts) => (facts.claim?.state === 'SYNCED' ? orphanBefore(facts, facts.now) : undefined),
  },
  {
    name: 'I5',
    claim: 'SYNCED means that own position and the venue agree; only then does an order add risk',
    onWrite: ({ claim }, { number, addsRisk }) => {
      const state = claim?.state ?? 'BOOT';
      return addsRisk && state !== 'SYNCED' ? `request ${number} adds risk in ${state}` : undefined;
    },
    always: (facts) => facts.unexplained,
  },
  {
    name: 'I6',
    claim: 'an order that was judged not placed, or refused, never shows up',
    needs: ['A1', 'A2'],
    onOrder: (facts, { id, intent }) =>
      intent !== undefined && isAbsent(facts.judgementOf(intent))
        ? `order ${id} of intent ${intent} came after the verdict ${facts.judgementOf(intent)}`
        : undefined,
    always: ({ wrongVerdict }) => wrongVerdict,
  },
  {
    name: 'I7',
    claim: 'each fill counts once: at rest the own position is the venue’s',
    atEnd: (facts) => {
      const { claim, position, noticeMs } = facts;
      // Even in quarantine, the books know every fill.
      const own = claim?.state === 'QUARANTINED' ? claim.booked : claim?.position;
      const isHalted = claim?.state === 'HALTED' && !facts.hasForeignFills;
      const isAtRest = claim?.state === 'QUARANTINED' || claim?.state === 'SYNCED' || isHalted;
      if (!isAtRest || own === undefined || facts.heldWithin(own, noticeMs)) return undefined;
      return `own position ${own}, the venue's ${position}`;
    },
  },
  {
    name: 'I8',
    claim: 'no set of own orders that may fill leads beyond the limit',
    needs: ['A1'],
    onPosition: ({ ownPosition, limit, hasForeignFills }) =>
      !hasForeignFills && Math.abs(ownPosition) > limit
        ? `position ${ownPosition}, the limit is ${limit}`
        : undefined,
    onOrder: (facts) => {
      const worst = facts.worstCase();
      return !facts.hasForeignFills && worst > facts.limit
        ? `working orders lead to ${worst}, the limit is ${facts.limit}`
        : undefined;
    },
  },
  {
    name: 'I9',
    claim:
      'after a halt or a quarantine no order adds risk, in any later life; a liquidation halts, a visitor quarantines',
    onWrite: ({ haltedSince, quarantinedSince }, { number, addsRisk }) => {
      const since = haltedSince ?? quarantinedSince;
      return since !== undefined && addsRisk
        ? `request ${number} adds risk, stopped since ${since}`
        : undefined;
    },
    atEnd: ({ claim, liquidatedAt, visitedAt }) => {
      const isSynced = claim?.state === 'SYNCED';
      if (liquidatedAt !== undefined && (isSynced || claim?.state === 'QUARANTINED')) {
        return `${claim.state} after a liquidation at ${Math.round(liquidatedAt)}`;
      }
      return visitedAt !== undefined && isSynced
        ? `SYNCED after somebody else traded at ${Math.round(visitedAt)}`
        : undefined;
    },
  },
  {
    name: 'I10',
    claim:
      'soon after the last fault the pair is SYNCED, or QUARANTINED or HALTED, and that for a reason only',
    // Foreign orders and liquidations are reasons. So is a foreign order that equals a request, without tags to tell
    // them apart. No other fault is a reason.
    always: ({ claim, hasForeignFills, plan }) =>
      claim?.state === 'QUARANTINED' && !hasForeignFills && (plan.mode !== 'A1-broken' || plan.traits.echo)
        ? `QUARANTINED, and nobody else has traded: ${claim.reason ?? ''}`
        : undefined,
    // A program that was down when the faults ended is checked at the end instead.
    onHealed: (facts) => {
      const since = facts.healedAt ?? 0;
      return facts.startedAt > since ? undefined : unsettled(facts, since);
    },
    atEnd: (facts) => unsettled(facts, facts.now - facts.noticeMs) ?? forgottenStop(facts),
  },
  {
    name: 'I11',
    claim: 'no order adds risk on old data',
    onWrite: (facts, { number, addsRisk }) => {
      const age = facts.now - facts.dataAsOf;
      return addsRisk && age > facts.staleMs
        ? `request ${number} adds risk; the newest data was asked for ${Math.round(age)} ms before`
        : undefined;
    },
  },
];

export const ALL_INVARIANTS: ReadonlySet<InvariantName> = new Set(INVARIANTS.map(({ name }) => name));
export const NO_INVARIANTS: ReadonlySet<InvariantName> = new Set();

function orphanBefore(facts: Facts, time: number): string | undefined {
  // Under broken A2, an order that came too late and was canceled without a fill did no harm.
  const counts = ({ order: { status, terms, leaves } }: OrderFacts) =>
    facts.plan.mode !== 'A2-broken' || status !== 'canceled' || leaves < terms.lots;
  const orphan = facts.orphans().find((each) => each.acceptedAt <= time && counts(each));
  if (orphan === undefined) return undefined;
  const { id, intent, order } = orphan;
  const filled = order.terms.lots - order.leaves;
  return `order ${id} of intent ${intent ?? 'unknown'} (${order.status}, ${filled} filled) is known to nobody`;
}

/** How a stop that waits at the venue serves nobody any more although the program has long been SYNCED. */
function forgottenStop(facts: Facts): string | undefined {
  const { claim, orders, plan, position, noticeMs, now } = facts;
  // Without tags nobody can tell that the twin of a known order is ours.
  if (plan.mode === 'A1-broken' && !plan.traits.echo) return undefined;
  if (claim?.state !== 'SYNCED' || !facts.heldSince(now - noticeMs)) return undefined;
  const waiting = [...orders.values()].filter(
    ({ order, acceptedAt }) => order.status === 'untriggered' && acceptedAt <= now - noticeMs,
  );
  const useless = waiting.find(({ order: { terms } }) => signOf(terms.side) * position >= 0);
  if (useless !== undefined) return `stop ${useless.id} still waits, the position is ${position}`;
  return waiting.length > 1 ? `the stops ${waiting.map(({ id }) => id).join(', ')} wait at once` : undefined;
}

/** How many intents have several orders, by who caused them. */
export function duplicatesOf(intents: Iterable<IntentFacts>): {
  readonly byUs: number;
  readonly byOthers: number;
} {
  let byUs = 0;
  let byOthers = 0;
  for (const { orders, orderWrites } of intents) {
    if (orders.length < 2) continue;
    if (new Set(orderWrites).size > 1) byUs++;
    else byOthers++;
  }
  return { byUs, byOthers };
}
