import type { Subject } from 'rxjs';
import type { IntentId } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Log } from '../ports/log.js';
import type { OpenOrder, TrackedOrder } from './tracked-order.js';

/** Order ids that are remembered after their end, so that an old list is not taken for news. */
const REMEMBERED = 1_000;

/** All orders of ours that are not done, and the one door through which their reports leave. */
export class OwnOrders {
  readonly #reports: Subject<ExecutionReport>;
  readonly #log: Log;
  readonly #byIntent = new Map<IntentId, TrackedOrder>();
  readonly #byTag = new Map<string, TrackedOrder>();
  readonly #byOrderId = new Map<string, TrackedOrder>();
  readonly #finished = new Set<string>();
  readonly #oddStatuses = new Set<string>();
  #fills = 0;

  constructor(reports: Subject<ExecutionReport>, log: Log) {
    this.#reports = reports;
    this.#log = log;
  }

  get fills(): number {
    return this.#fills;
  }

  add(order: TrackedOrder): void {
    this.#byIntent.set(order.intentId, order);
    if (order.tag !== undefined) this.#byTag.set(order.tag, order);
  }

  get(intentId: IntentId): TrackedOrder | undefined {
    return this.#byIntent.get(intentId);
  }

  tagged(tag: string | undefined): TrackedOrder | undefined {
    return tag === undefined ? undefined : this.#byTag.get(tag);
  }

  /** True for an id that is, or lately was, bound to an intent. */
  knows(orderId: string): boolean {
    return this.#byOrderId.has(orderId) || this.#finished.has(orderId);
  }

  at(stage: TrackedOrder['stage']): readonly TrackedOrder[] {
    return [...this.#byIntent.values()].filter((order) => order.stage === stage);
  }

  open(): readonly OpenOrder[] {
    return [...this.#byIntent.values()].map((order) => order.open).filter((order) => order !== undefined);
  }

  accept(order: TrackedOrder, record: OrderRecord, readAt: number): void {
    this.#byOrderId.set(record.id, order);
    this.#noteStatus(record);
    this.#emit(order, order.accept(record, readAt));
  }

  /** Takes a record in; true when it was news. */
  take(order: TrackedOrder, record: OrderRecord, readAt: number): boolean {
    const ended = order.ended;
    this.#noteStatus(record);
    const reports = order.take(record, readAt);
    this.#emit(order, reports);
    return reports.length > 0 || order.ended !== ended;
  }

  reject(order: TrackedOrder, reason: string, time: number): void {
    this.#emit(order, order.reject(reason, time));
  }

  doubt(order: TrackedOrder, reason: string, time: number): void {
    this.#emit(order, order.doubt(reason, time));
  }

  cancelRejected(intentId: IntentId, reason: string, time: number): void {
    this.#reports.next({ kind: 'cancel-rejected', intentId, reason, time });
  }

  /** Forgets first and tells then: who listens may send the next command at once. */
  #emit(order: TrackedOrder, reports: readonly ExecutionReport[]): void {
    if (order.stage === 'done') this.#forget(order);
    for (const report of reports) {
      if (report.kind === 'filled') this.#fills++;
      if (report.kind === 'in-doubt') {
        const { intentId, reason } = report;
        this.#log.error('an order is in doubt', { pair: order.market.pair, intentId, reason });
      }
      this.#reports.next(report);
    }
  }

  #forget(order: TrackedOrder): void {
    this.#byIntent.delete(order.intentId);
    if (order.tag !== undefined) this.#byTag.delete(order.tag);
    if (order.orderId === undefined) return;
    this.#byOrderId.delete(order.orderId);
    this.#finished.add(order.orderId);
    for (const oldest of this.#finished) {
      if (this.#finished.size <= REMEMBERED) break;
      this.#finished.delete(oldest);
    }
  }

  /** A status beyond the specification's three is no end; said once each. */
  #noteStatus({ status }: OrderRecord): void {
    if (status === 'ACTIVE' || status === 'CANCELLED' || status === 'COMPLETED') return;
    if (this.#oddStatuses.has(status) || this.#oddStatuses.size >= REMEMBERED) return;
    this.#oddStatuses.add(status);
    this.#log.warn('an order has a status nobody knows: taken as live', { status });
  }
}
