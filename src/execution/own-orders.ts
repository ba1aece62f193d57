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
/** Usually nothing is open, and before every order that is asked several times. */
const NONE: readonly TrackedOrder[] = [];

/**
 * All orders of ours that are not done, and the one door through which their news leaves: into the journal first, then
 * as reports.
 */
export class OwnOrders {
  readonly #reports: Subject<ExecutionReport>;
  readonly #chronicle: Chronicle;
  readonly #log: Log;
  readonly #onAssumed: (pair: string) => void;
  /** By intent; strays that share one with the intent's own order stand in `#strays`. */
  readonly #byKey = new Map<IntentKey, TrackedOrder>();
  readonly #strays = new Set<TrackedOrder>();
  readonly #byOrderId = new Map<string, TrackedOrder>();
  readonly #oddStatuses = new Set<string>();
  /** Fills of nobody that are booked and that nobody was told: their order may still show up. */
  readonly #untold = new Set<string>();
  #fills = 0;

  /** `onAssumed`: nothing but its time says that a fill is in the pair's position; told before its report. */
  constructor(
    reports: Subject<ExecutionReport>,
    chronicle: Chronicle,
    log: Log,
    onAssumed: (pair: string) => void = () => undefined,
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

  at(stage: TrackedOrder['stage'], pair?: string): readonly TrackedOrder[] {
    return this.#all().filter(
      (order) => order.stage === stage && (pair === undefined || order.market.pair === pair),
    );
  }

  strays(pair: string): readonly TrackedOrder[] {
    return this.#strays.size === 0 ? NONE : [...this.#strays].filter(({ market }) => market.pair === pair);
  }

  of(pair: string): readonly TrackedOrder[] {
    const all = this.#all();
    return all.length === 0 ? NONE : all.filter(({ market }) => market.pair === pair);
  }

  open(): readonly OpenOrder[] {
    return this.#all()
      .map((order) => order.open)
      .filter((order) => order !== undefined);
  }

  /** `evidence`: how it was found; `undefined` when the venue's answer to the POST was the acceptance. */
  accept(order: TrackedOrder, record: OrderRecord, readAt: number, evidence?: string): void {
    const { key: intent } = order;
    const orderId = record.id;
    this.#byOrderId.set(orderId, order);
    this.#noteStatus(record);
    if (evidence === undefined) {
      this.#chronicle.note({ kind: 'out', intent, outcome: 'accepted', orderId }, 'durable');
    } else {
      const as = order.role === undefined || order.role === 'recovered' ? 'own' : order.role;
      this.#chronicle.note({ kind: 'adopt', intent, orderId, as, evidence }, 'durable');
    }
    this.#emit(order, order.accept(record, readAt), record.time);
  }

  /** Takes a record in; true when it was news. */
  take(order: TrackedOrder, record: OrderRecord, readAt: number): boolean {
    const ended = order.ended;
    this.#noteStatus(record);
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

  /** A fill of no order of ours. `tell`: it is taken into the position that orders are decided on. */
  foreignFill(pair: string, fill: Fill, liquidation: boolean, tell: boolean): void {
    this.#chronicle.note({ kind: 'fill', pair, fill, intent: undefined, liquidation }, 'durable');
    if (tell) this.#reports.next({ kind: 'late-fill', intentId: undefined, fill, time: fill.time });
    else if (this.#untold.size < MOST_UNTOLD) this.#untold.add(fill.id);
  }

  #all(): readonly TrackedOrder[] {
    return this.#byKey.size === 0 && this.#strays.size === 0
      ? NONE
      : [...this.#byKey.values(), ...this.#strays];
  }

  /** Writes and forgets first and tells then: who listens may send the next command at once. */
  #emit(order: TrackedOrder, reports: readonly ExecutionReport[], time: number): void {
    const news = reports.filter((report) => report.kind !== 'filled' || this.#isNews(order, report.fill));
    order.toldElsewhere ||= news.length < reports.length;
    const isAssumed = reports.some((report) => !news.includes(report) && !this.#isNamed(order, report));
    for (const report of reports) this.#write(order, report);
    if (order.stage === 'done') this.#forget(order, reports.at(-1)?.time ?? time);
    if (isAssumed) this.#onAssumed(order.market.pair);
    for (const report of news) {
      const told = order.role === undefined ? report : lateFill(order, report);
      if (told !== undefined) this.#reports.next(told);
    }
    if (order.role !== undefined || order.stage !== 'done' || !order.toldElsewhere) return;
    const last = reports.at(-1);
    if (last?.kind !== 'filled') return;
    // Whoever asked for it still waits for what others were told.
    const { intentId, orderId = '' } = order;
    const reason = 'its fills were told before it showed them';
    this.#reports.next({ kind: 'canceled', intentId, orderId, reason, time: last.time });
  }

  /** What the books have already was told as somebody else's, or is in the position that this life began with. */
  #isNews({ market: { pair } }: TrackedOrder, fill: Fill): boolean {
    return this.#untold.delete(fill.id) || !this.#chronicle.books.hasFill(pair, fill);
  }

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

  /** A status beyond the specification's three is no end; said once each. */
  #noteStatus({ status }: OrderRecord): void {
    if (status === 'ACTIVE' || status === 'CANCELLED' || status === 'COMPLETED') return;
    if (this.#oddStatuses.has(status) || this.#oddStatuses.size >= MOST_ODD_STATUSES) return;
    this.#oddStatuses.add(status);
    this.#log.warn('an order has a status nobody knows: taken as live', { status });
  }
}

/** Of an order that no order of the engine stands for, the engine hears only what changes the position. */
function lateFill({ ownIntentId }: TrackedOrder, report: ExecutionReport): ExecutionReport | undefined {
  if (report.kind !== 'filled') return undefined;
  return { kind: 'late-fill', intentId: ownIntentId, fill: report.fill, time: report.time };
}
