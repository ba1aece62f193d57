import type { Lots } from '../model/grid.js';
import type { PairState } from '../model/pair-state.js';
import { signOf } from '../model/side.js';
import type { Account, CoreFill, CoreOrder } from '../venue/core/account.js';
import type { Claim, Judgement, RunningSubject } from './subject.js';
import type { SwarmPlan } from './swarm-plan.js';
import { roughSeconds, type Tally } from './tally.js';

/** A request with an order, as it left the program. */
export interface WriteFacts {
  readonly number: number;
  readonly life: string;
  readonly intent: string | undefined;
  /** Whether it is not reduce-only. */
  readonly addsRisk: boolean;
  /** What it asks for if it is one market order and nothing else, signed lots; otherwise 0. */
  readonly marketLots: number;
  /** Whether a durable record of its body existed when it left. */
  readonly isPrepared: boolean;
}

export interface IntentFacts {
  readonly key: string;
  /** When it left first, virtual ms. */
  readonly sentAt: number;
  readonly writes: number[];
  readonly orders: string[];
  /** For each of the orders, the number of the request that caused it. */
  readonly orderWrites: number[];
}

/** An order that a request of the program has caused. */
export interface OrderFacts {
  readonly id: string;
  readonly intent: string | undefined;
  readonly write: number;
  /** When the venue accepted it, virtual ms. */
  readonly acceptedAt: number;
  /** The venue's own record, always current. */
  readonly order: Pick<CoreOrder, 'status' | 'leaves' | 'terms'>;
}

interface Held {
  /** Virtual ms from which on the venue's position was `lots`. */
  readonly since: number;
  readonly lots: number;
}

export interface FactsOptions {
  readonly plan: SwarmPlan;
  readonly account: Account;
  /** The largest |position| that is allowed. */
  readonly limit: Lots;
  /** How old data may be for an order that adds risk, ms. */
  readonly staleMs: number;
  /** Virtual time, ms. */
  readonly clock: () => number;
}

/** What the oracle knows: the truth of the venue, and what the program says about it. */
export class Facts {
  readonly plan: SwarmPlan;
  readonly limit: Lots;
  readonly staleMs: number;
  readonly intents = new Map<string, IntentFacts>();
  readonly orders = new Map<string, OrderFacts>();
  readonly writes = new Map<number, WriteFacts>();
  readonly #account: Account;
  readonly #clock: () => number;
  readonly #judged = new Map<string, Judgement>();
  readonly #times = new Map<Judgement, Map<number, number>>();
  readonly #bound = new Map<string, string>();
  #unbound: OrderFacts[] = [];
  #history: Held[];
  #running: RunningSubject | undefined;
  #cut = { number: -1, at: 0, good: true };
  #judgements = 0;
  #unexplainedSince: number | undefined;
  #wrongSince: number | undefined;
  /** Position at the venue, signed lots. */
  position = 0;
  /** Position from the orders of the program's requests alone, signed lots. */
  ownPosition = 0;
  worstPosition = 0;
  /**
   * When somebody else first traded while the program had the pair in its books and could tell the difference; virtual
   * ms.
   */
  visitedAt: number | undefined;
  /** Whether somebody else's order, or a liquidation, has moved the position. */
  hasForeignFills = false;
  /** Whether current fills belong to somebody else's order. */
  isForeign = false;
  /** When the program last said SYNCED, QUARANTINED or HALTED, virtual ms. */
  lastSettledAt = Number.NEGATIVE_INFINITY;
  /** When the faults ended, virtual ms; `undefined` before. */
  healedAt: number | undefined;
  #stuckSince: number | undefined;
  /** Number of looks, one per second, and of those at which the program said SYNCED. */
  looks = 0;
  syncedLooks = 0;
  /** Since when the program has been halted, virtual ms. */
  haltedSince: number | undefined;
  /** When the program had noted durably that it needs an operator, virtual ms. No operator ever comes. */
  quarantinedSince: number | undefined;
  /** When the venue first liquidated, virtual ms. */
  liquidatedAt: number | undefined;
  /** When the newest data that the program has received was requested, virtual ms. */
  dataAsOf = Number.NEGATIVE_INFINITY;
  /** When the program was started last, virtual ms. */
  startedAt = 0;
  /** How often the program said SYNCED with a position that the venue did not have. */
  unexplainedClaims = 0;
  /** Between these times nothing of the program runs, so its claims do not count; virtual ms. */
  #asleep: { readonly from: number; readonly until: number } = AWAKE;
  claim: Claim | undefined;
  /** In which way the newest claim is wrong; `undefined`: it is not. */
  unexplained: string | undefined;
  /** An order that the program attributes to the wrong intent. */
  misattributed: string | undefined;
  /** An order that existed already when it was judged not placed. */
  wrongVerdict: string | undefined;

  constructor({ plan, account, limit, staleMs, clock }: FactsOptions) {
    this.plan = plan;
    this.limit = limit;
    this.staleMs = staleMs;
    this.#account = account;
    const { openingLots: lots = 0 } = plan;
    this.position = lots;
    this.ownPosition = lots;
    this.#history = [{ since: Number.NEGATIVE_INFINITY, lots }];
    this.#clock = clock;
  }

  get now(): number {
    return this.#clock();
  }

  /** Within this time, a program that says SYNCED must have noticed whatever happened, ms. */
  get noticeMs(): number {
    const { pollMs, bounds } = this.plan;
    return this.staleMs + bounds.visibilityMs + pollMs + bounds.postMs + READ_MS;
  }

  /** How long the program has been waiting for its operator, ms. */
  get stuckMs(): number {
    return this.#stuckSince === undefined ? 0 : this.now - this.#stuckSince;
  }

  begin(running: RunningSubject): void {
    this.#running = running;
    this.startedAt = this.now;
    this.dataAsOf = Number.NEGATIVE_INFINITY;
    this.#asleep = AWAKE;
    this.#judgements = 0;
    this.#cut = { number: -1, at: this.now, good: true };
    this.#unexplainedSince = undefined;
    this.#wrongSince = undefined;
    this.look();
  }

  /** The program is dead: what it learned last and could not write down is lost, so its claims no longer count. */
  end(): void {
    this.#running = undefined;
    this.claim = undefined;
    this.unexplained = undefined;
  }

  /** Records what the program currently says. */
  look(): void {
    const running = this.#running;
    if (running === undefined) return;
    const [claim] = running.claims();
    this.claim = claim;
    if (claim !== undefined && SETTLED.has(claim.state)) this.lastSettledAt = this.now;
    const isStuck = claim?.state === 'QUARANTINED' || claim?.state === 'HALTED';
    // A restarted program is in BOOT for a while, which does not end its wait for an operator.
    if (isStuck) this.#stuckSince ??= this.now;
    else if (claim?.state === 'SYNCED') this.#stuckSince = undefined;
    if (running.isHalted) this.haltedSince ??= this.now;
    if (running.judgements !== this.#judgements) this.#learnJudgements(running);
    const bound = running.bound();
    if (this.#unbound.length > 0) this.#unbound = this.#unbound.filter((order) => !this.#learn(order, bound));
    this.unexplained = claim?.state === 'SYNCED' ? this.#wrongPosition(claim) : undefined;
    if (claim?.state !== 'SYNCED' || this.#asleep.until > this.now) this.#wrongSince = undefined;
    if (this.unexplained === undefined) this.#unexplainedSince = undefined;
    else if (this.#unexplainedSince === undefined) {
      this.#unexplainedSince = this.now;
      this.unexplainedClaims++;
    }
  }

  #learnJudgements({ judged, judgements }: RunningSubject): void {
    this.#judgements = judgements;
    for (const [intent, judgement] of judged) {
      if (this.#judged.get(intent) === judgement) continue;
      this.#judged.set(intent, judgement);
      const { orders = [], sentAt } = this.intents.get(intent) ?? {};
      if (sentAt !== undefined) this.#timed(judgement, this.now - sentAt);
      if (!isAbsent(judgement) || orders.length === 0) continue;
      this.wrongVerdict = `intent ${intent} was judged ${judgement} and has order ${orders.join(', ')}`;
    }
  }

  #timed(judgement: Judgement, ms: number): void {
    const times = this.#times.get(judgement) ?? new Map<number, number>();
    const seconds = roughSeconds(ms);
    this.#times.set(judgement, times.set(seconds, (times.get(seconds) ?? 0) + 1));
  }

  #learn({ id, intent: own, order }: OrderFacts, bound: ReadonlyMap<string, string>): boolean {
    const intent = bound.get(id);
    if (intent === undefined) return false;
    // Two reduce-only orders are interchangeable, so confusing them does no harm.
    if (own !== undefined && intent !== own && !order.terms.reduceOnly) {
      this.misattributed ??= `order ${id} of intent ${own} is taken for intent ${intent}'s`;
    }
    this.#bound.set(id, intent);
    return true;
  }

  /** Since when it could have noticed anything: its start, or the end of its sleep, which may lie in the future. */
  get awakeSince(): number {
    return Math.max(this.startedAt, this.#asleep.until);
  }

  /** Suspends the program for `ms`; extends a sleep that is under way. */
  fallsAsleep(ms: number): void {
    const { from, until } = this.#asleep;
    const goesOn = until > this.now;
    this.#asleep = goesOn ? { from, until: until + ms } : { from: this.now, until: this.now + ms };
  }

  sent(write: WriteFacts): void {
    this.writes.set(write.number, write);
    const { intent } = write;
    if (intent === undefined) return;
    let facts = this.intents.get(intent);
    if (facts === undefined) {
      facts = { key: intent, sentAt: this.now, writes: [], orders: [], orderWrites: [] };
      this.intents.set(intent, facts);
    }
    facts.writes.push(write.number);
  }

  accepted(order: OrderFacts): void {
    this.orders.set(order.id, order);
    this.#unbound.push(order);
    if (order.intent === undefined) return;
    const facts = this.intents.get(order.intent);
    facts?.orders.push(order.id);
    facts?.orderWrites.push(order.write);
  }

  filled(order: CoreOrder, { side, lots }: CoreFill): void {
    const signed = signOf(side) * lots;
    this.#moved(this.position + signed);
    if (order.isLiquidation) this.liquidatedAt ??= this.now;
    const isKnownForeign = this.isForeign && !this.#isTwin(signOf(side) * order.terms.lots);
    if (isKnownForeign && this.lastSettledAt > Number.NEGATIVE_INFINITY) this.visitedAt ??= this.now;
    if (this.isForeign || order.isLiquidation) this.hasForeignFills = true;
    else this.ownPosition += signed;
    // Once others have traded, the program alone does not determine the position.
    if (!this.hasForeignFills) this.worstPosition = Math.max(this.worstPosition, Math.abs(this.ownPosition));
  }

  /**
   * Whether a foreign market order looks like a request of the program that has no order yet. Without tags, nobody can
   * tell the two apart.
   */
  #isTwin(lots: number): boolean {
    if (this.plan.traits.echo) return false;
    return [...this.writes.values()].some(
      ({ marketLots, intent = '' }) => marketLots === lots && this.intents.get(intent)?.orders.length === 0,
    );
  }

  /** Takes the venue's final position, which something other than fills may have moved. */
  positionIs(lots: number): void {
    if (lots === this.position) return;
    this.hasForeignFills = true;
    this.#moved(lots);
  }

  #moved(lots: number): void {
    this.position = lots;
    this.#history.push({ since: this.now, lots });
    if (this.#history.length > 4_096) this.#history = this.#history.slice(-2_048);
  }

  /** Whether the venue had this position at some time within the last `ms`. */
  heldWithin(lots: number, ms: number): boolean {
    const from = this.now - ms;
    for (let i = this.#history.length - 1; i >= 0; i--) {
      const held = this.#history[i] as Held;
      if (held.lots === lots) return true;
      if (held.since <= from) return false;
    }
    return false;
  }

  /** Whether the venue's position has been the same since virtual time `time`, ms. */
  heldSince(time: number): boolean {
    return (this.#history.at(-1) as Held).since <= time;
  }

  /** Orders of the program's requests that it does not seem to know, the oldest first. */
  orphans(): readonly OrderFacts[] {
    return this.#unbound;
  }

  judgedCounts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const judgement of this.#judged.values()) counts[judgement] = (counts[judgement] ?? 0) + 1;
    return counts;
  }

  /** Number of judgements by kind and by seconds since the request had left. */
  verdictTimes(): Readonly<Record<string, Tally>> {
    return Object.fromEntries([...this.#times].map(([kind, times]) => [kind, Object.fromEntries(times)]));
  }

  judgementOf(intent: string): Judgement | undefined {
    return this.#judged.get(intent);
  }

  /** The largest |position| that the program's own working orders may lead to. */
  worstCase(): number {
    let up = this.position;
    let down = this.position;
    for (const holding of this.#account.holdings.values()) {
      for (let order = holding.firstWorking; order !== undefined; order = order.nextWorking) {
        if (order.terms.reduceOnly || !this.orders.has(order.id)) continue;
        if (order.side === 'buy') up += order.leaves;
        else down -= order.leaves;
      }
    }
    return Math.max(up, -down);
  }

  /**
   * How a position is wrong; `undefined`: it is not. The program may learn of the fills of two orders in another order
   * than they happened, so that their sum is briefly one that the venue never had. Only a lasting difference counts.
   */
  #wrongFor(position: number): string | undefined {
    if (this.heldWithin(position, this.noticeMs)) this.#wrongSince = undefined;
    else this.#wrongSince ??= this.now;
    const ms = this.#wrongSince === undefined ? 0 : this.now - this.#wrongSince;
    if (ms <= this.noticeMs) return undefined;
    return `SYNCED at ${position} for ${Math.round(ms)} ms, the venue's position is ${this.position}`;
  }

  #wrongPosition({ position, cut }: Claim): string | undefined {
    if (cut === undefined) return this.#wrongFor(position);
    if (cut.number !== this.#cut.number) {
      const { from, until } = this.#asleep;
      // What was requested before a sleep may be answered after it.
      const sleptMs = this.now - until <= this.noticeMs ? until - from : 0;
      const good = this.heldWithin(cut.position, this.noticeMs + sleptMs);
      this.#cut = { number: cut.number, at: this.now, good };
    }
    if (!this.#cut.good)
      return `SYNCED by a cut at ${cut.position}, the venue's position is ${this.position}`;
    // The time that the program slept through does not make its cut older.
    const age = this.now - Math.max(this.#cut.at, this.#asleep.until);
    if (age <= this.noticeMs) return this.#wrongFor(position);
    return `SYNCED by a cut that is ${Math.round(age)} ms old`;
  }
}

/** Whether the program believes that the order does not exist. */
export function isAbsent(judgement: Judgement | undefined): boolean {
  return judgement === 'not-placed' || judgement === 'refused';
}

const AWAKE = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY } as const;
const SETTLED: ReadonlySet<PairState> = new Set(['SYNCED', 'QUARANTINED', 'HALTED']);
/** How long a scan of all lists may take, ms. */
const READ_MS = 30_000;
