import type { Lots } from '../model/grid.js';
import type { PairState } from '../model/pair-state.js';
import { signOf } from '../model/side.js';
import type { Account, CoreFill, CoreOrder } from '../venue/core/account.js';
import type { Claim, Judgement, RunningSubject } from './subject.js';
import type { SwarmPlan } from './swarm-plan.js';
import { roughSeconds, type Tally } from './tally.js';

/** A request with an order, as it left. */
export interface WriteFacts {
  readonly number: number;
  readonly life: string;
  readonly intent: string | undefined;
  /** It is not reduce-only. */
  readonly addsRisk: boolean;
  /** What it asks for by a market order and nothing more, signed lots; 0 of any other. */
  readonly marketLots: number;
  /** A record of its body was durable as it left. */
  readonly isPrepared: boolean;
}

export interface IntentFacts {
  readonly key: string;
  /** When it left first, virtual ms. */
  readonly sentAt: number;
  readonly writes: number[];
  readonly orders: string[];
  /** The request that each of the orders came from. */
  readonly orderWrites: number[];
}

/** An order that a request of ours has caused. */
export interface OrderFacts {
  readonly id: string;
  readonly intent: string | undefined;
  readonly write: number;
  /** Virtual ms. */
  readonly acceptedAt: number;
  /** As the venue has it, now. */
  readonly order: Pick<CoreOrder, 'status' | 'leaves' | 'terms'>;
}

interface Held {
  /** Virtual ms from which on the position was this. */
  readonly since: number;
  readonly lots: number;
}

export interface FactsOptions {
  readonly plan: SwarmPlan;
  readonly account: Account;
  /** Largest |position| that is allowed. */
  readonly limit: Lots;
  /** How old data may be for an order that adds risk, ms. */
  readonly staleMs: number;
  /** Virtual ms. */
  readonly clock: () => number;
}

/** What the oracle knows: the truth of the venue, and what the program says. */
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
  /** Signed lots at the venue. */
  position = 0;
  /** Of the orders of our requests alone. */
  ownPosition = 0;
  worstPosition = 0;
  /** When somebody else traded, the program had the pair in its books, and could tell; virtual ms. */
  visitedAt: number | undefined;
  /** Somebody else's order, or a liquidation, has moved the position. */
  hasForeignFills = false;
  /** Whatever fills now is somebody else's order. */
  isForeign = false;
  /** When the program last said SYNCED, QUARANTINED or HALTED, virtual ms. */
  lastSettledAt = Number.NEGATIVE_INFINITY;
  /** Virtual ms; `undefined` while there are faults. */
  healedAt: number | undefined;
  #stuckSince: number | undefined;
  /** Seconds at which somebody looked, and those of them at which the program said SYNCED. */
  looks = 0;
  syncedLooks = 0;
  /** Virtual ms. */
  haltedSince: number | undefined;
  /** When the program had written down that an operator has to look; nobody ever does. Virtual ms. */
  quarantinedSince: number | undefined;
  /** When the venue liquidated, virtual ms. */
  liquidatedAt: number | undefined;
  /** When the newest data that the program has got was asked for, virtual ms. */
  dataAsOf = Number.NEGATIVE_INFINITY;
  /** When the program was started, virtual ms. */
  startedAt = 0;
  /** Times at which SYNCED was said of a position that the venue did not have. */
  unexplainedClaims = 0;
  /** Between these nothing of the program runs, and what it would say is said by nobody; virtual ms. */
  #asleep: { readonly from: number; readonly until: number } = AWAKE;
  claim: Claim | undefined;
  /** How the newest claim is wrong. */
  unexplained: string | undefined;
  /** An order that is taken for another intent's. */
  misattributed: string | undefined;
  /** An order that was there already when it was judged not placed. */
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

  /** Within this a program that says SYNCED has seen whatever happened, ms. */
  get noticeMs(): number {
    const { pollMs, bounds } = this.plan;
    return this.staleMs + bounds.visibilityMs + pollMs + bounds.postMs + READ_MS;
  }

  /** How long the program has waited for its operator, ms. */
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

  /** The program is dead: what it learned in dying, and could not write down, nobody knows. */
  end(): void {
    this.#running = undefined;
    this.claim = undefined;
    this.unexplained = undefined;
  }

  /** What the program says now. */
  look(): void {
    const running = this.#running;
    if (running === undefined) return;
    const [claim] = running.claims();
    this.claim = claim;
    if (claim !== undefined && SETTLED.has(claim.state)) this.lastSettledAt = this.now;
    const isStuck = claim?.state === 'QUARANTINED' || claim?.state === 'HALTED';
    // A program that is started again is in BOOT for a while.
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
    // Of two that may only reduce it does not matter which is which.
    if (own !== undefined && intent !== own && !order.terms.reduceOnly) {
      this.misattributed ??= `order ${id} of intent ${own} is taken for intent ${intent}'s`;
    }
    this.#bound.set(id, intent);
    return true;
  }

  /** Since when it could have noticed anything: its start, or the end of a sleep, which may be still to come. */
  get awakeSince(): number {
    return Math.max(this.startedAt, this.#asleep.until);
  }

  /** Nothing of the program runs for so long, ms; asked for during a sleep it makes that longer. */
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
    // From then on what the program holds is not of its own making alone.
    if (!this.hasForeignFills) this.worstPosition = Math.max(this.worstPosition, Math.abs(this.ownPosition));
  }

  /** Somebody's market order is what one of ours asked for that has none: without tags nobody can tell the two apart. */
  #isTwin(lots: number): boolean {
    if (this.plan.traits.echo) return false;
    return [...this.writes.values()].some(
      ({ marketLots, intent = '' }) => marketLots === lots && this.intents.get(intent)?.orders.length === 0,
    );
  }

  /** What the venue says in the end, should anything but fills have moved it. */
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

  /** Whether the venue's position was this at some moment of the last `ms`. */
  heldWithin(lots: number, ms: number): boolean {
    const from = this.now - ms;
    for (let i = this.#history.length - 1; i >= 0; i--) {
      const held = this.#history[i] as Held;
      if (held.lots === lots) return true;
      if (held.since <= from) return false;
    }
    return false;
  }

  /** Orders of our requests that the program, as far as is known, never learned of; by age. */
  orphans(): readonly OrderFacts[] {
    return this.#unbound;
  }

  judgedCounts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const judgement of this.#judged.values()) counts[judgement] = (counts[judgement] ?? 0) + 1;
    return counts;
  }

  /** How many judgements of each kind were known so many seconds after the request had left. */
  verdictTimes(): Readonly<Record<string, Tally>> {
    return Object.fromEntries([...this.#times].map(([kind, times]) => [kind, Object.fromEntries(times)]));
  }

  judgementOf(intent: string): Judgement | undefined {
    return this.#judged.get(intent);
  }

  /** Largest |position| that own working orders may lead to. */
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
   * Fills of two orders may be learned in another order than they happened, so that for a moment the sum is one that
   * never was: only what stays wrong is wrong.
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
      // What was asked for before a sleep may be answered after it.
      const sleptMs = this.now - until <= this.noticeMs ? until - from : 0;
      const good = this.heldWithin(cut.position, this.noticeMs + sleptMs);
      this.#cut = { number: cut.number, at: this.now, good };
    }
    if (!this.#cut.good)
      return `SYNCED by a cut at ${cut.position}, the venue's position is ${this.position}`;
    // Nobody knows of the time that was slept through.
    const age = this.now - Math.max(this.#cut.at, this.#asleep.until);
    if (age <= this.noticeMs) return this.#wrongFor(position);
    return `SYNCED by a cut that is ${Math.round(age)} ms old`;
  }
}

/** The program believes that there is no order. */
export function isAbsent(judgement: Judgement | undefined): boolean {
  return judgement === 'not-placed' || judgement === 'refused';
}

const AWAKE = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY } as const;
const SETTLED: ReadonlySet<PairState> = new Set(['SYNCED', 'QUARANTINED', 'HALTED']);
/** How long a scan of all lists may take, ms. */
const READ_MS = 30_000;
