import type { Fill } from '../model/fill.js';
import type { Lots } from '../model/grid.js';
import { LIQUIDATION } from '../model/halt-level.js';
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

/** Fields without a comment: see `PairWatchOptions`. */
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
  /** Whole thorough looks since the first one that saw the fill; −1 before that one. Each should have shown its order. */
  looks: number;
}

/** The newest cut at which books and venue agreed. */
export interface AgreedCut {
  /** How many cuts of the pair have agreed in this process, this one included. */
  readonly number: number;
  readonly position: Lots;
}

/**
 * Why a cut does not agree with the books. `unread`: the venue moved between two reads · `short`: a list may be incomplete ·
 * `fills`: a fill belongs to no known order · `orders`: an order's record reports more filled than its fills add up to ·
 * `position`: the venue's position differs from the sum of the booked fills
 */
interface Disagreement {
  readonly kind: 'unread' | 'short' | 'fills' | 'orders' | 'position';
  readonly text: string;
}

/** A read of fills begins this long before the time up to which the books are complete, ms, to find fills that show late. */
const OVERLAP_MS = 10_000;
/** A contradiction must stay the same for at least this long, ms, and over so many cuts before it quarantines the pair. */
const PATIENCE_MS = 60_000;
const PATIENT_CUTS = 5;
/** A fill that so many more thorough looks cannot match with an order of ours is somebody else's. */
const LOOKS = 2;

/** What another bot or a person does on the pair. */
export interface ForeignActivity {
  /** Ids of their active orders. */
  readonly orders: readonly string[];
  /** Their fills since the start of this process; liquidations are not counted. */
  readonly fills: number;
}

export type Judgement = { readonly verdict: 'not-placed' | 'disputed'; readonly evidence: string };

/**
 * Judges what the cuts of one pair prove: whether orders, fills and position agree (the three-way check), which fills
 * belong to no order of ours, and whether an order in doubt is absent from the venue.
 */
export class PairEvidence {
  readonly #options: PairEvidenceOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #absence: Absence;
  readonly #disputed = new Set<IntentKey>();
  /** Monotonic ms at which the newest agreeing cut began; `undefined`: none since the start, or since `distrust`. */
  #agreedAt: number | undefined;
  /** Monotonic ms of the last `distrust`: cuts that began earlier prove nothing. */
  #distrustedAt = Number.NEGATIVE_INFINITY;
  #agreed: AgreedCut | undefined;
  /** Why the newest cut does not agree; since when (monotonic ms) and over how many cuts that has been the same. */
  #mismatch: (Disagreement & { readonly since: number; readonly cuts: number }) | undefined;
  /** First start only: the cut that a later equal cut has to confirm. */
  #candidate: { readonly text: string; readonly startedAt: number } | undefined;
  /** The venue's newest answer about its time when the current look began, venue ms. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Orders that no intent of ours claims: `#shown` by the look in progress, `#foreign` by the newest complete cut. */
  readonly #shown = new Map<string, OrderRecord>();
  #foreign: readonly OrderRecord[] = [];
  /** Order id → monotonic ms since which every cut has shown that order of `#foreign`. */
  #shownSince: ReadonlyMap<string, number> = new Map();
  #foreignFills = 0;

  constructor(options: PairEvidenceOptions) {
    this.#options = options;
    this.#absence = new Absence(options);
  }

  get agreed(): AgreedCut | undefined {
    return this.#agreed;
  }

  /** The last monotonic ms at which the newest agreement is recent enough to trade on; `undefined`: there is none. */
  get freshUntil(): number | undefined {
    return this.#agreedAt === undefined ? undefined : this.#agreedAt + this.#options.staleMs;
  }

  /** The last cut left a question that only all order lists can answer: an unexplained fill, or a mismatch that lasts. */
  get asksForMore(): boolean {
    return this.#pending.size > 0 || (this.#mismatch !== undefined && this.#mismatch.cuts > 1);
  }

  /** The newest cut shows fills or a position that contradict the books. */
  get isContradicted(): boolean {
    return this.#mismatch?.kind === 'fills' || this.#mismatch?.kind === 'position';
  }

  /** Venue ms of the oldest fill that belongs to no known order; `undefined`: there is none. */
  get unexplainedSince(): number | undefined {
    const times = [...this.#pending.values()].map(({ record }) => record.time);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * Venue ms from which the next read of fills must begin in order to miss none. `undefined` before the first checkpoint:
   * one page of the newest fills is enough. `oldestQuestion`: venue ms of the oldest order or fill that is unexplained.
   */
  fillsFrom(oldestQuestion: number): number | undefined {
    const { chronicle, market, visibilityMs } = this.#options;
    const fills = chronicle.books.fills(market.pair);
    if (fills === undefined) return undefined;
    return Math.max(0, Math.min(fills.wholeTo, oldestQuestion) - OVERLAP_MS - 2 * visibilityMs);
  }

  /** Drops the orders that an earlier look saw: that look may have failed half way, and its orders would taint this one. */
  lookBegins(): void {
    this.#shown.clear();
    this.#lookedAt = this.#options.answered();
  }

  /** The order cannot be proven absent before the venue is asked for its time again. */
  waitsForVenueTime(order: TrackedOrder): boolean {
    return this.#absence.waitsForVenueTime(order);
  }

  /** Notes an order that no intent of ours claims. */
  foreign(record: OrderRecord): void {
    this.#shown.set(record.id, record);
  }

  /** What somebody else does on the pair: orders that the newest cut shows, and fills since the start. */
  get strangers(): ForeignActivity {
    const active = this.#foreign.filter(({ status }) => status === 'ACTIVE');
    return { orders: active.map(({ id }) => id), fills: this.#foreignFills };
  }

  /** Quarantines the pair: the venue has forgotten an order of ours, so no read will ever show how that order ended. */
  lost({ orderId = '', key }: TrackedOrder): void {
    this.#quarantine(
      `the venue does not know order ${orderId} of ${key} any more: somebody has to say that it is over (attach --accept)`,
    );
  }

  /** Voids every agreement and proof so far, and in advance every cut whose first request left before this call. */
  distrust(): void {
    this.#distrustedAt = this.#options.clock.monotonic();
    this.#agreedAt = undefined;
    this.#candidate = undefined;
    this.#absence.forget();
  }

  /** Takes in a cut. The caller must have taken in the orders of the cut before. */
  take(
    cut: Cut,
    { thorough, doubts }: { readonly thorough: boolean; readonly doubts: readonly TrackedOrder[] },
  ): void {
    const { chronicle, market, clock } = this.#options;
    // The second reading of the lists may have bound an order that the first one had shown as unclaimed.
    this.#foreign = [...this.#shown.values()].filter(({ id }) => chronicle.books.order(id) === undefined);
    const shownSince = new Map<string, number>();
    for (const { id } of this.#foreign) shownSince.set(id, this.#shownSince.get(id) ?? clock.monotonic());
    this.#shownSince = shownSince;
    // The machine may have been suspended between request and answer: such a cut is too old to prove anything.
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

  /** The verdict on an order in doubt; `undefined`: the evidence does not suffice yet. */
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
    // The other kinds of mismatch mean that the read was incomplete or of mixed age, which contradicts nothing.
    const contradicts = mismatch.kind === 'fills' || mismatch.kind === 'position';
    if (!contradicts || mismatch.cuts < PATIENT_CUTS) return undefined;
    if (clock.monotonic() - mismatch.since < PATIENCE_MS) return undefined;
    if (this.#mayBeGarbled(order) && clock.monotonic() - this.#oldestPending < RECOGNITION_MS)
      return undefined;
    return this.#dispute(order, 'the evidence contradicts itself', mismatch.text);
  }

  /**
   * The pair's state and its reason. Called at every feed event and before every order, so each reason is worked out only
   * once its state is known to hold.
   */
  assess(): { readonly state: PairState; readonly reason: string } {
    const { chronicle, market, own, clock, staleMs } = this.#options;
    const mismatch = this.#mismatch;
    const { pair } = market;
    const quarantine = chronicle.books.quarantine(pair);
    if (quarantine !== undefined) return { state: 'QUARANTINED', reason: quarantine };
    // A stop that an earlier life left is known and wanted as long as it guards the position.
    const strays = own.strays().filter(({ guards, stage }) => !(guards && stage === 'live'));
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
    const orders = own.all();
    const doubt = orders.find((order) => order.stage === 'in-doubt' || order.isDisputed);
    if (doubt !== undefined) {
      return { state: 'SUSPECT', reason: `order ${doubt.key} is in doubt${this.#whyLong(doubt)}` };
    }
    if (strays.length > 0) return { state: 'SUSPECT', reason: 'an order that nobody wants is at the venue' };
    if (mismatch !== undefined && this.isContradicted) {
      const { since, cuts, text } = mismatch;
      const hasLasted = cuts > 1 && clock.monotonic() - since >= this.#options.visibilityMs;
      // An order of ours at the venue, or on its way there, may
      // explain the mismatch with its next fill. Nothing else will.
      const isOurs = orders.some(({ stage }) => stage !== 'queued');
      if (hasLasted && !isOurs) return { state: 'SUSPECT', reason: text };
    }
    if (clock.monotonic() - this.#agreedAt > staleMs) {
      const why = mismatch?.text ?? 'the venue cannot be read';
      return { state: 'SUSPECT', reason: `nothing was agreed with the venue for ${staleMs} ms: ${why}` };
    }
    return { state: 'SYNCED', reason: 'orders, fills and position agree' };
  }

  /** Suffix for a reason: what keeps the order in doubt and will not pass by waiting; empty when waiting is enough. */
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
    const open = own.at('live').find((order) => !order.isSettled);
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
    const { own, lateMs, visibilityMs } = this.#options;
    const patience = Math.max(PATIENCE_MS, 12 * visibilityMs, 2 * lateMs);
    // A request without an answer, or an order in doubt, may explain the mismatch: resolve that first.
    if (own.at('in-doubt').length > 0 || own.at('sent').length > 0) return;
    if (cuts < PATIENT_CUTS || now - since < patience || kind !== 'position') return;
    this.#quarantine(text);
  }

  /** Monotonic ms at which the first of the unexplained fills was first seen. */
  get #oldestPending(): number {
    return Math.min(...[...this.#pending.values()].map(({ since }) => since));
  }

  /**
   * The order in doubt may be at the venue under a record with wrong fields: an unclaimed order resembles it, and its
   * quantity has room for all unexplained fills.
   */
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
   * Books a pending fill as somebody else's once every order of ours is settled and
   * thorough looks did not find its order. Looks at the stages of now, not at the
   * doubts of this look: a request may have been given up since the look began.
   */
  #explain(): void {
    const { own, clock, visibilityMs, everyMs } = this.#options;
    // A disputed order is left to the operator, so it must not hold back the fills of others for ever.
    const isOpen = ({ stage, key, isSettled }: TrackedOrder) =>
      stage === 'sent' || !isSettled || (stage === 'in-doubt' && !this.#disputed.has(key));
    if (own.all().some(isOpen)) return;
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
    // Halt and quarantine go into the journal before the fill. If the process dies in between, the next life finds the
    // unbooked fill again and halts. Once the fill is booked, nothing would ever raise the halt.
    if (liquidation) {
      // A deleveraging of a position that gains looks the same, so no fill says which of the two it was.
      const reason = `the venue liquidated or deleveraged: fill ${fill.id}`;
      chronicle.note({ kind: 'halt', level: 'pause', reason, by: LIQUIDATION, wall: now() }, 'durable');
    }
    if (external !== 'adopt') this.#quarantine(`fill ${fill.id} is of no order of ours`);
    log.error('a fill is of no order of ours', { pair, fill: fill.id, liquidation });
    if (!liquidation) this.#foreignFills++;
    // What a liquidation does to the position is P&L of its own, and a backtest tells it, too.
    own.foreignFill(pair, fill, liquidation, liquidation || external === 'adopt');
  }

  /**
   * Without a checkpoint the books begin at two stable cuts with equal position and newest fills, at least `visibilityMs`
   * apart. Where the venue shows every write at once (0), one cut is enough.
   */
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
    // A fill was dated by a venue clock that was ahead. Reads of
    // fills that began at its time would miss all fills until then.
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

/**
 * The record as a fill of this order. `undefined` when it cannot be one: off the grid, a liquidation, of the other side,
 * older than the order's sending, or at a price beyond the order's limit.
 */
function fillOf(market: Market, { terms, sentAt }: TrackedOrder, record: FillRecord): Fill | undefined {
  const { side, ticks } = terms;
  const fill = readFill(market, '', side, record);
  if (fill === undefined || record.liquidation || record.time < sentAt - SKEW_MS) return undefined;
  if (record.side !== undefined && record.side !== side) return undefined;
  const isAllowed = ticks === undefined || (side === 'buy' ? fill.ticks <= ticks : fill.ticks >= ticks);
  return isAllowed ? fill : undefined;
}
