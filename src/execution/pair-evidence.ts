import type { Fill } from '../model/fill.js';
import type { Lots } from '../model/grid.js';
import type { IntentKey } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { PairState } from '../model/pair-state.js';
import type { FillRecord, OrderRecord } from '../model/venue-records.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { Absence, RECOGNITION_MS } from './absence.js';
import type { Chronicle } from './chronicle.js';
import type { Cut } from './cut.js';
import { resembles, SKEW_MS } from './fingerprint.js';
import type { OwnOrders } from './own-orders.js';
import { readFill } from './read-fill.js';
import type { TrackedOrder } from './tracked-order.js';

export interface PairEvidenceOptions {
  readonly market: Market;
  readonly own: OwnOrders;
  readonly chronicle: Chronicle;
  readonly clock: Clock;
  readonly log: Log;
  readonly echo: boolean;
  readonly everyMs: number;
  readonly visibilityMs: number;
  readonly lateMs: number;
  readonly staleMs: number;
  readonly firstStart: 'adopt' | 'flat-only';
  readonly external: 'adopt' | 'quarantine';
  readonly now: () => number;
  readonly answered: () => number;
  readonly validUntil: () => number | undefined;
}

/** A fill that no order of ours has claimed yet. */
interface Pending {
  readonly record: FillRecord;
  /** Monotonic ms. */
  readonly since: number;
  /** Looks since then that should have shown its order. */
  looks: number;
}

/** The newest cut at which books and venue agreed. */
export interface AgreedCut {
  /** Counts them, from 1. */
  readonly number: number;
  readonly position: Lots;
}

/**
 * `unread`: the reads themselves say nothing · `short`: a list is not whole · `orders`: an order's record and its fills
 * are of different age
 */
interface Disagreement {
  readonly kind: 'unread' | 'short' | 'fills' | 'orders' | 'position';
  readonly text: string;
}

/** How far behind the newest fill each read begins, ms: what shows late is still found. */
const OVERLAP_MS = 10_000;
/** A contradiction that stays the same this long, ms, and for so many cuts, needs an operator. */
const PATIENCE_MS = 60_000;
const PATIENT_CUTS = 5;
/** Thorough looks after which a fill that nothing explains is somebody else's. */
const LOOKS = 2;

/** Of another bot, or a person. */
export interface ForeignActivity {
  /** Ids of orders at the venue. */
  readonly orders: readonly string[];
  readonly fills: number;
}

export type Judgement = { readonly verdict: 'not-placed' | 'disputed'; readonly evidence: string };

/**
 * What the cuts of one pair prove, and what they do not: whether orders, fills and position agree (three ways), which
 * fills nobody explains, and since when a doubtful order is seen to be absent.
 */
export class PairEvidence {
  readonly #options: PairEvidenceOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #absence: Absence;
  readonly #disputed = new Set<IntentKey>();
  #agreedAt: number | undefined;
  /** Monotonic ms: cuts that began before prove nothing. */
  #distrustedAt = Number.NEGATIVE_INFINITY;
  #agreed: AgreedCut | undefined;
  /** Why the newest cut does not agree; since when, and for how many cuts, it is the same. */
  #mismatch: (Disagreement & { readonly since: number; readonly cuts: number }) | undefined;
  #candidate: { readonly text: string; readonly startedAt: number } | undefined;
  /** What the venue had told of its time when the look that is being read began, ms. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Orders that no intent of ours claims: those that are being read, and those of the newest cut. */
  readonly #shown = new Map<string, OrderRecord>();
  #foreign: readonly OrderRecord[] = [];
  /** Since when cuts show those without a break, monotonic ms. */
  #shownSince: ReadonlyMap<string, number> = new Map();
  #foreignFills = 0;

  constructor(options: PairEvidenceOptions) {
    this.#options = options;
    this.#absence = new Absence(options);
  }

  get agreed(): AgreedCut | undefined {
    return this.#agreed;
  }

  /** The last monotonic ms at which what was agreed is not too old; `undefined` when nothing was. */
  get freshUntil(): number | undefined {
    return this.#agreedAt === undefined ? undefined : this.#agreedAt + this.#options.staleMs;
  }

  /** The last cut left questions that only all lists can answer. */
  get asksForMore(): boolean {
    return this.#pending.size > 0 || (this.#mismatch !== undefined && this.#mismatch.cuts > 1);
  }

  /** The newest cut shows fills or a position that are not of the books. */
  get isContradicted(): boolean {
    return this.#mismatch?.kind === 'fills' || this.#mismatch?.kind === 'position';
  }

  /** Venue ms of the oldest fill that nothing explains. */
  get unexplainedSince(): number | undefined {
    const times = [...this.#pending.values()].map(({ record }) => record.time);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Where reads of fills must begin so that nothing is missed; venue ms. `undefined`: the newest will do. */
  fillsFrom(oldestQuestion: number): number | undefined {
    const { chronicle, market, visibilityMs } = this.#options;
    const fills = chronicle.books.fills(market.pair);
    if (fills === undefined) return undefined;
    return Math.max(0, Math.min(fills.wholeTo, oldestQuestion) - OVERLAP_MS - 2 * visibilityMs);
  }

  /** What an earlier one saw, and perhaps came to no end with, is not of this one. */
  lookBegins(): void {
    this.#shown.clear();
    this.#lookedAt = this.#options.answered();
  }

  /** Nothing can be proven about it before more is known of the venue's clock. */
  waitsForVenueTime(order: TrackedOrder): boolean {
    return this.#absence.waitsForVenueTime(order);
  }

  /** An order of somebody else. */
  foreign(record: OrderRecord): void {
    this.#shown.set(record.id, record);
  }

  /** What somebody else does on the pair: orders that the newest cut shows, and fills since the start. */
  get strangers(): ForeignActivity {
    const active = this.#foreign.filter(({ status }) => status === 'ACTIVE');
    return { orders: active.map(({ id }) => id), fills: this.#foreignFills };
  }

  /** An order of ours of which nothing will ever show the end. */
  lost({ orderId = '', key }: TrackedOrder): void {
    this.#quarantine(
      `the venue does not know order ${orderId} of ${key} any more: somebody has to say that it is over (attach --accept)`,
    );
  }

  /** What was agreed so far proves nothing any more, and nothing does that was asked for before. */
  distrust(): void {
    this.#distrustedAt = this.#options.clock.monotonic();
    this.#agreedAt = undefined;
    this.#candidate = undefined;
    this.#absence.forget();
  }

  /** To be told of each cut, after its orders were taken in. */
  take(
    cut: Cut,
    { thorough, doubts }: { readonly thorough: boolean; readonly doubts: readonly TrackedOrder[] },
  ): void {
    const { chronicle, market, clock } = this.#options;
    // The second reading may have shown whose an order is.
    this.#foreign = [...this.#shown.values()].filter(({ id }) => chronicle.books.order(id) === undefined);
    const shownSince = new Map<string, number>();
    for (const { id } of this.#foreign) shownSince.set(id, this.#shownSince.get(id) ?? clock.monotonic());
    this.#shownSince = shownSince;
    // The machine may have slept between the question and the answer.
    if (cut.startedAt < this.#distrustedAt) return;
    const book = chronicle.books.fills(market.pair);
    if (book === undefined) {
      this.#firstStart(cut);
      return;
    }
    for (const record of cut.fills) {
      if (book.has(record.id, record.time) || this.#pending.has(record.id)) continue;
      this.#pending.set(record.id, { record, since: clock.monotonic(), looks: -1 });
    }
    for (const [id, pending] of this.#pending) {
      if (book.has(id, pending.record.time)) this.#pending.delete(id);
      else if (thorough && cut.lack === undefined) pending.looks++;
    }
    this.#explain();
    const why = this.#disagreement(cut);
    if (why === undefined) {
      this.#agree(cut);
      this.#mismatch = undefined;
    } else this.#disagree(why, clock.monotonic());
    const { startedAt } = cut;
    const isClean = thorough && why === undefined;
    const look = isClean
      ? { startedAt, venueTime: this.#lookedAt, foreign: this.#foreign, shownSince }
      : undefined;
    for (const order of doubts) this.#absence.take(order, look);
  }

  /** What is known of an order in doubt by now; `undefined`: nothing is proven yet. */
  verdictOn(order: TrackedOrder): Judgement | undefined {
    const { lateMs, clock } = this.#options;
    const proof = this.#absence.proofOf(order);
    if (proof !== undefined) return { verdict: 'not-placed', evidence: proof };
    if (this.#disputed.has(order.key)) return undefined;
    const lookalike = this.#absence.lookalikeOf(order);
    if (lookalike !== undefined) {
      const evidence = `order ${lookalike}, which nobody claims, has its side, type and quantity`;
      return this.#dispute(order, 'another one may be it, shown wrongly', evidence);
    }
    const overdue = clock.monotonic() - order.sentMono > lateMs + 2 * PATIENCE_MS;
    const mismatch = this.#mismatch;
    if (!overdue || mismatch === undefined) return undefined;
    // What could not be read contradicts nothing.
    const contradicts = mismatch.kind === 'fills' || mismatch.kind === 'position';
    if (!contradicts || mismatch.cuts < PATIENT_CUTS) return undefined;
    if (clock.monotonic() - mismatch.since < PATIENCE_MS) return undefined;
    if (this.#mayBeGarbled(order) && clock.monotonic() - this.#oldestPending < RECOGNITION_MS)
      return undefined;
    return this.#dispute(order, 'the evidence contradicts itself', mismatch.text);
  }

  /** Asked at every event of the feed and before every order, so that what does not hold costs nothing. */
  assess(): { readonly state: PairState; readonly reason: string } {
    const { chronicle, market, own, clock, staleMs } = this.#options;
    const mismatch = this.#mismatch;
    const { pair } = market;
    const quarantine = chronicle.books.quarantine(pair);
    if (quarantine !== undefined) return { state: 'QUARANTINED', reason: quarantine };
    const strays = own.strays(pair);
    const recovered = strays.filter(({ role }) => role === 'recovered');
    if (recovered.length > 0) {
      const doubtful = recovered.find(({ stage }) => stage === 'in-doubt');
      const why = doubtful === undefined ? '' : this.#whyLong(doubtful);
      return { state: 'RECONCILING', reason: `orders of an earlier life are not accounted for${why}` };
    }
    if (this.#agreedAt === undefined) {
      return {
        state: 'RECONCILING',
        reason: mismatch?.text ?? 'nothing was agreed with the venue yet',
      };
    }
    const orders = own.of(pair);
    const doubt = orders.find((order) => order.stage === 'in-doubt' || order.isDisputed);
    if (doubt !== undefined) {
      return { state: 'SUSPECT', reason: `order ${doubt.key} is in doubt${this.#whyLong(doubt)}` };
    }
    if (strays.length > 0) return { state: 'SUSPECT', reason: 'an order that nobody wants is at the venue' };
    if (mismatch !== undefined && this.isContradicted) {
      const { since, cuts, text } = mismatch;
      const hasLasted = cuts > 1 && clock.monotonic() - since >= this.#options.visibilityMs;
      // With no order of ours at the venue or on its way there is nothing that would explain it soon.
      const isOurs = orders.some(({ stage }) => stage !== 'queued');
      if (hasLasted && !isOurs) return { state: 'SUSPECT', reason: text };
    }
    if (clock.monotonic() - this.#agreedAt > staleMs) {
      const why = mismatch?.text ?? 'the venue cannot be read';
      return { state: 'SUSPECT', reason: `nothing was agreed with the venue for ${staleMs} ms: ${why}` };
    }
    return { state: 'SYNCED', reason: 'orders, fills and position agree' };
  }

  /** What keeps the order in doubt that time alone does not end. */
  #whyLong(doubt: TrackedOrder): string {
    if (this.#mismatch?.kind === 'short') return `: ${this.#mismatch.text}`;
    const other = this.#absence.obstacleTo(doubt);
    if (other !== undefined) return `: order ${other}, which nobody claims, may be it`;
    const { clock, lateMs } = this.#options;
    const isLong = clock.monotonic() >= doubt.sentMono + lateMs + PATIENCE_MS;
    if (!(isLong && this.#absence.waitsForVenueTime(doubt))) return '';
    return `: the venue may take ${doubt.key} until its clock, by what it tells of its time, is past what it was given`;
  }

  #disagreement(cut: Cut): Disagreement | undefined {
    const { chronicle, market, own } = this.#options;
    const { pair } = market;
    if (cut.lack !== undefined) return { kind: 'short', text: cut.lack };
    if (!cut.stable) return { kind: 'unread', text: 'the venue moved while it was read' };
    const [unexplained] = this.#pending.keys();
    if (unexplained !== undefined) {
      return { kind: 'fills', text: `fill ${unexplained} is of no order that is known` };
    }
    const open = own.at('live', pair).find((order) => !order.isSettled);
    if (open !== undefined) {
      return { kind: 'orders', text: `order ${open.orderId ?? ''} was filled more than its fills show` };
    }
    const position = chronicle.books.position(pair);
    if (position === cut.position) return undefined;
    const text = `the position must be ${position ?? 0} lots by all fills, received ${cut.position}`;
    return { kind: 'position', text };
  }

  #disagree({ kind, text }: Disagreement, now: number): void {
    const known = this.#mismatch;
    this.#mismatch =
      known?.text === text ? { ...known, cuts: known.cuts + 1 } : { kind, text, since: now, cuts: 1 };
    const { since, cuts } = this.#mismatch;
    const { own, market, lateMs, visibilityMs } = this.#options;
    const patience = Math.max(PATIENCE_MS, 12 * visibilityMs, 2 * lateMs);
    // What an order in doubt has to do with it is found out first.
    if (own.at('in-doubt', market.pair).length > 0 || own.at('sent', market.pair).length > 0) return;
    if (cuts < PATIENT_CUTS || now - since < patience || kind !== 'position') return;
    this.#quarantine(text);
  }

  /** Monotonic ms at which the oldest fill that nobody explains was seen first. */
  get #oldestPending(): number {
    return Math.min(...[...this.#pending.values()].map(({ since }) => since));
  }

  /** The order in doubt may be there, shown wrongly, with all the fills that nobody explains. */
  #mayBeGarbled(order: TrackedOrder): boolean {
    const { market, echo } = this.#options;
    if (echo || this.#pending.size === 0) return false;
    if (!this.#foreign.some((record) => resembles(market, order, record))) return false;
    const fills = [...this.#pending.values()].map(({ record }) => fillOf(market, order, record));
    return fills.reduce((sum, fill) => sum + (fill?.lots ?? Number.NaN), 0) <= order.terms.lots;
  }

  #dispute({ key }: TrackedOrder, why: string, evidence: string): Judgement {
    this.#disputed.add(key);
    this.#quarantine(`an order is in doubt and ${why}: ${evidence}`);
    return { verdict: 'disputed', evidence };
  }

  /**
   * A fill is somebody else's when everything of ours is settled and thorough looks did not find its order. An order whose
   * request was given up since this look began is in doubt as well.
   */
  #explain(): void {
    const { own, market, clock, visibilityMs, everyMs } = this.#options;
    // What is disputed already explains nothing any more.
    const isOpen = ({ stage, key, isSettled }: TrackedOrder) =>
      stage === 'sent' || !isSettled || (stage === 'in-doubt' && !this.#disputed.has(key));
    if (own.of(market.pair).some(isOpen)) return;
    const patience = Math.max(2 * visibilityMs, everyMs);
    for (const [id, { record, since, looks }] of this.#pending) {
      if (looks < LOOKS || clock.monotonic() - since < patience) continue;
      this.#pending.delete(id);
      this.#book(record);
    }
  }

  #book(record: FillRecord): void {
    const { market, chronicle, own, external, log, now } = this.#options;
    const { pair } = market;
    const { side, liquidation } = record;
    const fill = side === undefined ? undefined : readFill(market, '', side, record);
    if (fill === undefined) {
      this.#quarantine(`fill ${record.id} is of no order of ours and cannot be read`);
      return;
    }
    // What it stops first: a bot that dies in between finds a fill again that is not booked, and a stop never.
    if (liquidation) {
      const reason = `the venue liquidated: fill ${fill.id}`;
      chronicle.note({ kind: 'halt', level: 'pause', reason, by: 'liquidation', wall: now() }, 'durable');
    }
    if (external !== 'adopt') this.#quarantine(`fill ${fill.id} is of no order of ours`);
    log.error('a fill is of no order of ours', { pair, fill: fill.id, liquidation });
    if (!liquidation) this.#foreignFills++;
    own.foreignFill(pair, fill, liquidation, external === 'adopt');
  }

  /** Two cuts that say the same, far enough apart, are where the books begin. */
  #firstStart(cut: Cut): void {
    const { chronicle, market, visibilityMs, firstStart, now } = this.#options;
    const { pair } = market;
    if (!cut.stable) return;
    const newest = Math.max(0, ...cut.fills.map(({ time }) => time));
    const fillIds = cut.fills
      .filter(({ time }) => time === newest)
      .map(({ id }) => id)
      .sort();
    const text = JSON.stringify([cut.position, newest, fillIds]);
    if (this.#candidate?.text !== text) {
      this.#candidate = { text, startedAt: cut.startedAt };
      if (visibilityMs > 0) return;
    }
    if (cut.startedAt - this.#candidate.startedAt < visibilityMs) return;
    if (firstStart === 'flat-only' && cut.position !== 0) {
      const reason = `the venue holds ${cut.position} lots and the journal says nothing about them`;
      if (chronicle.books.quarantine(pair) === undefined) this.#quarantine(reason);
      return;
    }
    chronicle.note(
      {
        kind: 'checkpoint',
        pair,
        position: cut.position,
        time: newest,
        fillIds,
        by: 'first start',
        reason: `the venue's position in two reads, at ${now()}`,
      },
      'durable',
    );
    this.#agree(cut);
  }

  #agree({ startedAt, position, fills }: Cut): void {
    const { chronicle, market, now } = this.#options;
    const { pair } = market;
    this.#agreedAt = startedAt;
    const known = chronicle.books.fills(pair)?.wholeTo ?? 0;
    const latest = now() + SKEW_MS;
    // A clock that was ahead dated a fill: reads that began there would miss what comes until then.
    const isAhead = known > latest;
    const shown = Math.max(0, ...fills.map((fill) => fill.time));
    const time = isAhead ? Math.max(0, now() - SKEW_MS) : Math.min(shown, latest);
    if (isAhead || time > known) {
      chronicle.note({ kind: 'cut', pair, position, time }, 'lazy');
    }
    this.#agreed = { number: (this.#agreed?.number ?? 0) + 1, position };
  }

  #quarantine(reason: string): void {
    const { chronicle, market, now, log } = this.#options;
    const { pair } = market;
    if (chronicle.books.quarantine(pair) !== undefined) return;
    log.error('an operator has to look', { pair, reason });
    chronicle.note({ kind: 'state', pair, state: 'QUARANTINED', reason, time: now() }, 'durable');
  }
}

/** As a fill of the order; `undefined` when it can be none: before it was sent, or at a price that it forbids. */
function fillOf(market: Market, { terms, sentAt }: TrackedOrder, record: FillRecord): Fill | undefined {
  const { side, ticks } = terms;
  const fill = readFill(market, '', side, record);
  if (fill === undefined || record.liquidation || record.time < sentAt - SKEW_MS) return undefined;
  if (record.side !== undefined && record.side !== side) return undefined;
  const isAllowed = ticks === undefined || (side === 'buy' ? fill.ticks <= ticks : fill.ticks >= ticks);
  return isAllowed ? fill : undefined;
}
