import type { Subject } from 'rxjs';
import type { Fill } from '../model/fill.js';
import type { IntentKey } from '../model/journal-record.js';
import type { IntentId } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Log } from '../ports/log.js';
import type { Chronicle } from './chronicle.js';
import type { OpenOrder, TrackedOrder } from './tracked-order.js';

const MOST_ODD_STATUSES = 1_000;
const MOST_UNTOLD = 10_000;
/** Shared, since most queries find nothing and several precede every order. */
const NONE: readonly TrackedOrder[] = [];

/** All orders of ours that are not done. Their news leaves here only: into the journal first, and then as reports. */
export class OwnOrders {
  readonly #reports: Subject<ExecutionReport>;
  readonly #chronicle: Chronicle;
  readonly #log: Log;
  readonly #onAssumed: () => void;
  /** Orders that the engine wants, by intent. Strays are in `#strays`: one may share its intent with such an order. */
  readonly #byKey = new Map<IntentKey, TrackedOrder>();
  readonly #strays = new Set<TrackedOrder>();
  readonly #byOrderId = new Map<string, TrackedOrder>();
  readonly #oddStatuses = new Set<string>();
  /** Ids of foreign fills that were booked without a report: an order of ours may still show one of them as its own. */
  readonly #untold = new Set<string>();
  #fills = 0;

  /**
   * `onAssumed` is called when only the time of a fill says that the pair's position includes it, before the fill's order
   * is reported: the position may be wrong.
   */
  constructor(
    reports: Subject<ExecutionReport>,
    chronicle: Chronicle,
    log: Log,
    onAssumed: () => void = () => undefined,
  ) {
    this.#reports = reports;
    this.#chronicle = chronicle;
    this.#log = log;
    this.#onAssumed = onAssumed;
  }

  get fills(): number {
    return this.#fills;
  }

  add(order: TrackedOrder): void {
    if (order.role === undefined) this.#byKey.set(order.key, order);
    else this.#strays.add(order);
    if (order.orderId !== undefined) this.#byOrderId.set(order.orderId, order);
  }

  get(key: IntentKey): TrackedOrder | undefined {
    return this.#byKey.get(key);
  }

  withOrderId(orderId: string): TrackedOrder | undefined {
    return this.#byOrderId.get(orderId);
  }

  /** True for an id that is, or was, bound to an intent. */
  knows(orderId: string): boolean {
    return this.intentOf(orderId) !== undefined;
  }

  /** The intent that an order is, or was, bound to. */
  intentOf(orderId: string): IntentKey | undefined {
    return this.#byOrderId.get(orderId)?.key ?? this.#chronicle.books.order(orderId)?.intent;
  }

  at(stage: TrackedOrder['stage']): readonly TrackedOrder[] {
    return this.all().filter((order) => order.stage === stage);
  }

  strays(): readonly TrackedOrder[] {
    return this.#strays.size === 0 ? NONE : [...this.#strays];
  }

  all(): readonly TrackedOrder[] {
    return this.#byKey.size === 0 && this.#strays.size === 0
      ? NONE
      : [...this.#byKey.values(), ...this.#strays];
  }

  open(): readonly OpenOrder[] {
    return this.all()
      .map((order) => order.open)
      .filter((order) => order !== undefined);
  }

  /** `evidence`: how the order was found; `undefined`: the venue's answer to the POST accepted it. */
  accept(order: TrackedOrder, record: OrderRecord, readAt: number, evidence?: string): void {
    const { key: intent } = order;
    const orderId = record.id;
    this.#byOrderId.set(orderId, order);
    this.#noteStatus(order, record);
    if (evidence === undefined) {
      this.#chronicle.note({ kind: 'out', intent, outcome: 'accepted', orderId }, 'durable');
    } else {
      const as = order.role === undefined || order.role === 'recovered' ? 'own' : order.role;
      this.#chronicle.note({ kind: 'adopt', intent, orderId, as, evidence }, 'durable');
    }
    this.#emit(order, order.accept(record, readAt), record.time);
  }

  /** Takes in a record of the order; returns true when it brought news. */
  take(order: TrackedOrder, record: OrderRecord, readAt: number): boolean {
    // A read that was under way while another one showed the end: the end is written down already.
    if (order.stage === 'done') return false;
    const ended = order.ended;
    this.#noteStatus(order, record);
    const reports = order.take(record, readAt);
    this.#emit(order, reports, record.time);
    return reports.length > 0 || order.ended !== ended;
  }

  reject(order: TrackedOrder, reason: string, time: number, reservedUntil?: number): void {
    this.#emit(order, order.reject(reason, time, reservedUntil), time);
  }

  doubt(order: TrackedOrder, reason: string, time: number): void {
    this.#emit(order, order.doubt(reason, time), time);
  }

  cancelRejected(intentId: IntentId, reason: string, time: number): void {
    this.#reports.next({ kind: 'cancel-rejected', intentId, reason, time });
  }

  /**
   * Books a fill of no order of ours. `tell`: also report it, so that the engine and the gate count it in their position.
   */
  foreignFill(pair: string, fill: Fill, liquidation: boolean, tell: boolean): void {
    this.#chronicle.note({ kind: 'fill', pair, fill, intent: undefined, liquidation }, 'durable');
    if (tell) this.#reports.next({ kind: 'late-fill', intentId: undefined, fill, time: fill.time });
    else if (this.#untold.size < MOST_UNTOLD) this.#untold.add(fill.id);
  }

  /**
   * Journals the news and forgets an ended order before it reports: a listener may send the next command within the call.
   */
  #emit(order: TrackedOrder, reports: readonly ExecutionReport[], time: number): void {
    const news = reports.filter((report) => report.kind !== 'filled' || this.#isNews(order, report.fill));
    order.toldElsewhere ||= news.length < reports.length;
    const isAssumed = reports.some((report) => !news.includes(report) && !this.#isNamed(order, report));
    for (const report of reports) this.#write(order, report);
    if (order.stage === 'done') this.#forget(order, reports.at(-1)?.time ?? time);
    if (isAssumed) this.#onAssumed();
    for (const report of news) {
      const told = order.role === undefined ? report : lateFill(order, report);
      if (told !== undefined) this.#reports.next(told);
    }
    if (order.role !== undefined || order.stage !== 'done' || !order.toldElsewhere) return;
    const last = reports.at(-1);
    if (last?.kind !== 'filled') return;
    // The fill reports that the engine waits for were given without its intent, so it needs another end of the order.
    const { intentId, orderId = '' } = order;
    const reason = 'its fills were told before it showed them';
    this.#reports.next({ kind: 'canceled', intentId, orderId, reason, time: last.time });
  }

  /** A fill that the books have was reported as somebody else's, or is in the position with which this life began. */
  #isNews({ market: { pair } }: TrackedOrder, fill: Fill): boolean {
    return this.#untold.delete(fill.id) || !this.#chronicle.books.hasFill(pair, fill);
  }

  /** The books know the fill by its id, not only by its time. */
  #isNamed({ market: { pair } }: TrackedOrder, report: ExecutionReport): boolean {
    return report.kind === 'filled' && this.#chronicle.books.fills(pair)?.knows(report.fill.id) === true;
  }

  #write({ key: intent, market: { pair } }: TrackedOrder, report: ExecutionReport): void {
    if (report.kind === 'filled') {
      this.#fills++;
      const { fill } = report;
      this.#chronicle.note({ kind: 'fill', pair, fill, intent, liquidation: false });
    } else if (report.kind === 'in-doubt') {
      this.#log.error('an order is in doubt', { pair, intent, reason: report.reason });
    }
  }

  #forget(order: TrackedOrder, time: number): void {
    const { key: intent, orderId, filled, terms } = order;
    if (order.role === undefined) this.#byKey.delete(intent);
    else this.#strays.delete(order);
    if (orderId === undefined) return;
    this.#byOrderId.delete(orderId);
    const status = filled === terms.lots ? 'filled' : 'canceled';
    this.#chronicle.note({ kind: 'end', intent, orderId, status, filled, time });
  }

  /** A status outside of the specification is not an end; each is logged once. */
  #noteStatus(order: TrackedOrder, record: OrderRecord): void {
    const { status } = record;
    if (status === 'ACTIVE' || status === 'CANCELLED' || status === 'COMPLETED') return;
    if (order.isWaiting(record)) return;
    if (this.#oddStatuses.has(status) || this.#oddStatuses.size >= MOST_ODD_STATUSES) return;
    this.#oddStatuses.add(status);
    this.#log.warn('an order has a status nobody knows: taken as live', { status });
  }
}

/** The engine does not track strays: of their reports it hears only the fills, which change the position. */
function lateFill({ ownIntentId }: TrackedOrder, report: ExecutionReport): ExecutionReport | undefined {
  if (report.kind !== 'filled') return undefined;
  return { kind: 'late-fill', intentId: ownIntentId, fill: report.fill, time: report.time };
}
