import type { HaltLevel, IntentKey, JournalRecord } from '../model/journal-record.js';
import type { Fill } from '../model/fill.js';
import type { Lots, Ticks } from '../model/grid.js';
import { type Halt, haltReasonOf, strongestOf, withHalt } from '../model/halt-level.js';
import type { GridDigits } from '../model/market.js';
import { signOf } from '../model/side.js';
import {
  type BookedIntent,
  type BookedOrder,
  type BooksState,
  baselineOf,
  haltsOf,
  resumed,
} from './books-state.js';
import { FillBook } from './fill-book.js';

type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>;

/**
 * How long an intent is kept after it is settled, venue ms: as long as the venue's lists may still show its order.
 * Counted from the newest of its sending, verdict and end, since an order may rest for days before it ends.
 */
const REMEMBERED_MS = 86_400_000;
/**
 * The same for a finished intent with a tag, whose order cannot be mistaken for that of another intent: the hour over
 * which limits count orders, plus ten minutes for an end that shows late.
 */
const TAGGED_MS = 4_200_000;
/** Intents that fall due in the same minute of venue time are forgotten together. */
const MINUTE_MS = 60_000;

/**
 * The state that a journal's records add up to. A pure fold: equal records give equal books, so a restart knows exactly
 * what the life before knew. Execution has no other source about the past.
 */
export class Books {
  readonly #intents = new Map<IntentKey, BookedIntent>();
  /** Keys of the intents that were judged `not-placed`: the tombstones. */
  readonly #graves = new Set<IntentKey>();
  readonly #orders = new Map<string, BookedOrder>();
  /** Order id → intent. */
  readonly #bound = new Map<string, IntentKey>();
  /** Ids of all orders of an intent. */
  readonly #ordersOf = new Map<IntentKey, readonly string[]>();
  /** Minute of venue time → intents that may be forgotten then, unless a newer record has moved their minute. */
  readonly #due = new Map<number, Set<IntentKey>>();
  /** The earliest of those minutes; Infinity when there is none. */
  #firstDue = Number.POSITIVE_INFINITY;
  readonly #fills = new Map<string, FillBook>();
  readonly #quarantines = new Map<string, string>();
  readonly #grids = new Map<string, GridDigits>();
  #session: string | undefined;
  #halts: readonly Halt[] = [];
  /** Halts of this process, and of a replay of it. No journal record holds them, and `resume` does not end them. */
  #lasting: readonly Halt[] = [];
  #halt: HaltLevel | undefined;
  #baseline: BooksState['baseline'];

  static restore(state: BooksState): Books {
    const books = new Books();
    for (const intent of state.intents) books.#put(intent);
    for (const order of state.orders) books.#know(order);
    for (const { key } of state.intents) books.#fallsDue(key);
    for (const fills of state.fills) books.#fills.set(fills.pair, FillBook.restore(fills));
    for (const [pair, reason] of state.quarantines) books.#quarantines.set(pair, reason);
    for (const [pair, digits] of state.grids ?? []) books.#grids.set(pair, digits);
    books.#session = state.session;
    books.#latch(haltsOf(state));
    books.#lasting = state.lasting ?? [];
    books.#baseline = state.baseline;
    return books;
  }

  /** Plain data: equal for equal journals. */
  state(): BooksState {
    return {
      session: this.#session,
      halt: this.#halt,
      haltReason: this.haltReason,
      halts: this.#halts,
      intents: [...this.#intents.values()],
      orders: [...this.#orders.values()],
      fills: [...this.#fills.values()].map((fills) => fills.state()),
      quarantines: [...this.#quarantines],
      baseline: this.#baseline,
      ...(this.#grids.size === 0 ? {} : { grids: [...this.#grids] }),
      ...(this.#lasting.length === 0 ? {} : { lasting: this.#lasting }),
    };
  }

  get session(): string | undefined {
    return this.#session;
  }

  /** Every halt that is latched until somebody resumes, oldest first. */
  get halts(): readonly Halt[] {
    return this.#halts;
  }

  /** The strongest level of `halts`; `undefined`: not halted. */
  get halt(): HaltLevel | undefined {
    return this.#halt;
  }

  get haltReason(): string | undefined {
    return haltReasonOf(this.#halts);
  }

  get baseline(): BooksState['baseline'] {
    return this.#baseline;
  }

  intent(key: IntentKey): BookedIntent | undefined {
    return this.#intents.get(key);
  }

  /** In the order in which they were sent. */
  intents(pair: string): readonly BookedIntent[] {
    return [...this.#intents.values()].filter((intent) => intent.pair === pair);
  }

  order(orderId: string): BookedOrder | undefined {
    return this.#orders.get(orderId);
  }

  /** Order id at the venue → intent, for every order that is known to be ours. */
  get bound(): ReadonlyMap<string, IntentKey> {
    return this.#bound;
  }

  /** Orders of ours, in whatever role, whose end is not booked yet. */
  openOrders(pair: string): readonly BookedOrder[] {
    return [...this.#orders.values()].filter((order) => order.pair === pair && order.end === undefined);
  }

  /** Intents that were judged not placed at `from` (venue ms) or later, in the order in which they were sent. */
  tombstones(pair: string, from: number): readonly BookedIntent[] {
    // This runs before every order, and usually there is no tombstone: a day's intents are too many to search.
    if (this.#graves.size === 0) return [];
    return [...this.#graves]
      .flatMap((key) => this.#intents.get(key) ?? [])
      .filter((intent) => intent.pair === pair && (intent.judgedAt ?? 0) >= from)
      .sort((a, b) => a.sentAt - b.sentAt);
  }

  /** Lots, signed; `undefined` before the pair's first checkpoint or fill. */
  position(pair: string): Lots | undefined {
    return this.#fills.get(pair)?.position;
  }

  fills(pair: string): FillBook | undefined {
    return this.#fills.get(pair);
  }

  /** The digits of the pair's ticks and lots; `undefined`: no journal record tells them. */
  gridOf(pair: string): GridDigits | undefined {
    return this.#grids.get(pair);
  }

  /** Why an operator has to look at a pair; `undefined`: it is not quarantined. A checkpoint ends a quarantine. */
  quarantine(pair: string): string | undefined {
    return this.#quarantines.get(pair);
  }

  /**
   * True when the booked position includes this fill of an order of ours: it was counted, or the checkpoint includes it.
   * If the order was sent after the checkpoint only the fill's id decides: its time may lie before the checkpoint all the
   * same, because the venue set its clock back.
   */
  hasFill(pair: string, fill: Fill): boolean {
    const book = this.#fills.get(pair);
    if (book === undefined) return false;
    return this.#isLater(fill) ? book.knows(fill.id) : book.has(fill.id, fill.time);
  }

  /** Halts for the life of these books: the halt is not in the journal, and `resume` does not end it. */
  haltForGood(halt: Halt): void {
    this.#lasting = withHalt(this.#lasting, halt);
    this.#latch(withHalt(this.#halts, halt));
  }

  apply(record: JournalRecord): void {
    switch (record.kind) {
      case 'start':
        this.#session = record.session;
        break;
      case 'grid':
        this.#regrid(record);
        break;
      case 'prep':
        this.#prep(record);
        break;
      case 'out':
        this.#out(record);
        break;
      case 'adopt':
        this.#adopt(record);
        break;
      case 'verdict':
        this.#verdict(record);
        break;
      case 'end':
        this.#end(record);
        break;
      case 'fill':
        this.#fill(record);
        break;
      case 'checkpoint':
        this.#checkpoint(record);
        break;
      case 'cut':
        this.#fills.get(record.pair)?.agreedTo(record.time);
        break;
      case 'state':
        if (record.state === 'QUARANTINED') this.#quarantines.set(record.pair, record.reason);
        break;
      case 'halt':
        this.#latch(withHalt(this.#halts, record));
        break;
      case 'resume':
        this.#latch(this.#lasting);
        this.#baseline = this.#baseline && resumed(this.#baseline);
        break;
      case 'baseline':
        this.#baseline = baselineOf(record);
        break;
      case 'cancel':
      case 'refusal':
      case 'note':
        break;
    }
  }

  #latch(halts: readonly Halt[]): void {
    this.#halts = halts;
    this.#halt = strongestOf(halts)?.level;
  }

  /**
   * Converts the pair's amounts to the finer of its old and its new grid. A pair's first `grid` record also tells the
   * units of every amount booked before it.
   */
  #regrid({ pair, ...digits }: RecordOf<'grid'>): void {
    const { price, quantity } = this.#grids.get(pair) ?? digits;
    const finer = { price: Math.max(price, digits.price), quantity: Math.max(quantity, digits.quantity) };
    this.#grids.set(pair, finer);
    const ticksOf = (ticks: Ticks) => (ticks * 10 ** (finer.price - price)) as Ticks;
    const lotsOf = (lots: Lots) => (lots * 10 ** (finer.quantity - quantity)) as Lots;
    for (const intent of this.intents(pair)) {
      const { lots, ticks, trigger } = intent.terms;
      const terms = { lots: lotsOf(lots), ticks: ticks && ticksOf(ticks) };
      const waits = trigger && { trigger: { ...trigger, ticks: ticksOf(trigger.ticks) } };
      this.#put({ ...intent, terms: { ...intent.terms, ...terms, ...waits } });
    }
    for (const order of this.#orders.values()) {
      if (order.pair !== pair) continue;
      const fills = order.fills.map(({ id, lots }) => ({ id, lots: lotsOf(lots) }));
      this.#orders.set(order.orderId, { ...order, fills });
    }
    const state = this.#fills.get(pair)?.state();
    if (state === undefined) return;
    this.#fills.set(pair, FillBook.restore({ ...state, position: lotsOf(state.position) }));
  }

  #prep({ intent: key, pair, terms, tag, sentAt, validUntil }: RecordOf<'prep'>): void {
    const sent = { key, pair, terms, tag, sentAt, validUntil, stage: 'sent' } as const;
    this.#put({ ...sent, orderId: undefined, judgedAt: undefined, uncovered: true });
    this.#forget(Math.floor(sentAt / MINUTE_MS));
  }

  #out(record: RecordOf<'out'>): void {
    const intent = this.#intents.get(record.intent);
    if (intent === undefined) return;
    switch (record.outcome) {
      case 'accepted':
        this.#bind(intent, record.orderId, 'own');
        break;
      case 'in-doubt':
        this.#change(intent, { stage: 'in-doubt' });
        break;
      case 'refused':
      case 'not-sent':
        this.#change(intent, { stage: 'done' });
        break;
    }
  }

  #adopt({ intent: key, orderId, as }: RecordOf<'adopt'>): void {
    const intent = this.#intents.get(key);
    if (intent !== undefined) this.#bind(intent, orderId, as);
  }

  #verdict({ intent: key, verdict, time }: RecordOf<'verdict'>): void {
    const intent = this.#intents.get(key);
    if (intent === undefined) return;
    this.#change(intent, { stage: verdict === 'refused' ? 'done' : verdict, judgedAt: time });
  }

  #bind(intent: BookedIntent, orderId: string, as: BookedOrder['as']): void {
    const known = this.#orders.get(orderId);
    const { key, pair } = intent;
    if (known === undefined) this.#know({ orderId, intent: key, pair, as, fills: [], end: undefined });
    if (as === 'surplus') return;
    // A journal of an earlier version may bind two intents to one order. What became of the second request is not known.
    if (known !== undefined && known.intent !== key) this.#change(intent, { stage: 'in-doubt' });
    else this.#change(intent, { stage: 'live', orderId });
  }

  #end({ orderId, status, time }: RecordOf<'end'>): void {
    const order = this.#orders.get(orderId);
    if (order === undefined) return;
    this.#orders.set(orderId, { ...order, fills: [], end: status, endedAt: time });
    const intent = this.#intents.get(order.intent);
    if (intent?.orderId === orderId) this.#change(intent, { stage: 'done' });
    else this.#fallsDue(order.intent);
  }

  #checkpoint(record: RecordOf<'checkpoint'>): void {
    const { pair } = record;
    this.#fills.set(pair, FillBook.from(record));
    this.#quarantines.delete(pair);
    for (const { uncovered, ...intent } of this.#intents.values()) {
      if (uncovered && intent.pair === pair) this.#put(intent);
    }
  }

  #fill({ pair, fill, intent }: RecordOf<'fill'>): void {
    let book = this.#fills.get(pair);
    if (book === undefined) {
      book = FillBook.empty(pair);
      this.#fills.set(pair, book);
    }
    const lots = signOf(fill.side) * fill.lots;
    if (intent !== undefined && this.#isLater(fill)) book.addLater(fill.id, fill.time, lots);
    else book.add(fill.id, fill.time, lots);
    // The order counts the fill even when the position does not, because a checkpoint includes it or because it was
    // booked as somebody else's before.
    if (intent !== undefined) this.#count(fill);
  }

  #count(fill: Fill): void {
    const order = this.#orderWithout(fill);
    if (order === undefined) return;
    const { id, orderId, lots } = fill;
    this.#orders.set(orderId, { ...order, fills: [...order.fills, { id, lots }] });
  }

  /** The open order that this fill is of; `undefined`: it is not ours, has ended, or has this fill already. */
  #orderWithout({ id, orderId }: Fill): BookedOrder | undefined {
    const order = this.#orders.get(orderId);
    if (order === undefined || order.end !== undefined) return undefined;
    return order.fills.some((known) => known.id === id) ? undefined : order;
  }

  /**
   * The fill's order was sent after the last checkpoint. So whatever its time says, the checkpoint does not include the
   * fill, and it is none of the fills that were counted so long ago that their ids are forgotten.
   */
  #isLater(fill: Fill): boolean {
    const order = this.#orderWithout(fill);
    return order !== undefined && this.#intents.get(order.intent)?.uncovered === true;
  }

  #know(order: BookedOrder): void {
    const { orderId, intent } = order;
    this.#orders.set(orderId, order);
    this.#bound.set(orderId, intent);
    this.#ordersOf.set(intent, [...(this.#ordersOf.get(intent) ?? []), orderId]);
  }

  #change(intent: BookedIntent, news: Partial<BookedIntent>): void {
    this.#put({ ...intent, ...news });
    this.#fallsDue(intent.key);
  }

  #put(intent: BookedIntent): void {
    this.#intents.set(intent.key, intent);
    if (intent.stage === 'not-placed') this.#graves.add(intent.key);
    else this.#graves.delete(intent.key);
  }

  /** The minute of venue time from which an intent may be forgotten; `undefined` while it or one of its orders is open. */
  #minuteOf({ key, stage, tag, sentAt, judgedAt = 0 }: BookedIntent): number | undefined {
    if (stage !== 'done' && stage !== 'not-placed') return undefined;
    let last = Math.max(sentAt, judgedAt);
    for (const orderId of this.#ordersOf.get(key) ?? []) {
      const { end, endedAt = 0 } = this.#orders.get(orderId) as BookedOrder;
      if (end === undefined) return undefined;
      last = Math.max(last, endedAt);
    }
    const keptMs = stage === 'done' && tag !== undefined ? TAGGED_MS : REMEMBERED_MS;
    return Math.floor((last + keptMs) / MINUTE_MS) + 1;
  }

  #fallsDue(key: IntentKey): void {
    const intent = this.#intents.get(key);
    const minute = intent && this.#minuteOf(intent);
    if (minute === undefined) return;
    const others = this.#due.get(minute);
    if (others === undefined) this.#due.set(minute, new Set([key]));
    else others.add(key);
    this.#firstDue = Math.min(this.#firstDue, minute);
  }

  /**
   * Forgets the intents that are due by this minute. Depends on the records alone, so every replay forgets the same. The
   * cost follows the number of intents that are due, not of those that are remembered.
   */
  #forget(now: number): void {
    if (this.#firstDue > now) return;
    this.#firstDue = Number.POSITIVE_INFINITY;
    for (const [minute, keys] of this.#due) {
      if (minute > now) {
        this.#firstDue = Math.min(this.#firstDue, minute);
        continue;
      }
      this.#due.delete(minute);
      for (const key of keys) {
        const intent = this.#intents.get(key);
        // A newer record has moved its minute: the intent stands under that minute as well.
        if (intent === undefined || this.#minuteOf(intent) !== minute) continue;
        this.#drop(key);
      }
    }
  }

  #drop(key: IntentKey): void {
    for (const orderId of this.#ordersOf.get(key) ?? []) {
      this.#orders.delete(orderId);
      this.#bound.delete(orderId);
    }
    this.#ordersOf.delete(key);
    this.#intents.delete(key);
    this.#graves.delete(key);
  }
}
