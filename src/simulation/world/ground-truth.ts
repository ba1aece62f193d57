import type { WireAnswer } from '../../venue/http/wire.js';

/** One execution or refusal of a write at the venue. */
export interface Execution {
  /** Venue ms. */
  readonly time: number;
  readonly status: number;
  /** Ids of the orders that it created; empty if it was refused or places none. */
  readonly orderIds: readonly string[];
}

/** A POST that left a life, with facts that only the world knows. */
export interface SentWrite {
  /** Number of the request among all requests of the world, from 1. */
  readonly number: number;
  readonly life: string;
  readonly path: string;
  readonly body: string;
  /** The fields `oco` of the body, in the order of its orders: their tags, if the profile sends tags. */
  readonly tags: readonly string[];
  /** Virtual ms (`Scheduler.now`) at which it left. */
  readonly sentAt: number;
  /** Virtual ms at which it reached the venue; `undefined`: it did not, or not yet. */
  readonly arrivedAt: number | undefined;
  /** All executions in order, including late and repeated ones. */
  readonly executions: readonly Execution[];
  /** What the client learned: a status, or why it failed. `undefined`: nothing yet, or the process was dead. */
  readonly outcome: number | string | undefined;
}

export interface RequestCounts {
  /** Requests that left a process, and requests that certainly did not. */
  readonly left: number;
  readonly notSent: number;
  /** Requests that reached the venue, and their executions, including repeated ones. */
  readonly arrived: number;
  readonly executed: number;
  /** What clients learned: answers, and failures (including those of requests that did not leave). */
  readonly answered: number;
  readonly failed: number;
}

interface Write extends SentWrite {
  arrivedAt: number | undefined;
  readonly executions: Execution[];
  outcome: number | string | undefined;
}

/** What really happened. Code under test cannot see it. */
export class GroundTruth {
  readonly #writes: Write[] = [];
  readonly #byOrder = new Map<string, Write>();
  readonly #counts = { left: 0, notSent: 0, arrived: 0, executed: 0, answered: 0, failed: 0 };
  readonly #onWrite: ((write: SentWrite) => void)[] = [];
  readonly #onExecution: ((write: SentWrite, execution: Execution) => void)[] = [];

  /** All writes, in the order in which they left. */
  get writes(): readonly SentWrite[] {
    return this.#writes;
  }

  get counts(): RequestCounts {
    return this.#counts;
  }

  /** The write that created an order; `undefined` for orders of the street or by hand. */
  writeOf(orderId: string): SentWrite | undefined {
    return this.#byOrder.get(orderId);
  }

  /** Calls the listener when a write leaves. */
  onWrite(listener: (write: SentWrite) => void): void {
    this.#onWrite.push(listener);
  }

  /** Calls the listener after each execution of a write. */
  onExecution(listener: (write: SentWrite, execution: Execution) => void): void {
    this.#onExecution.push(listener);
  }

  // The methods below are called by the network.

  left(
    request: Pick<SentWrite, 'number' | 'life' | 'path' | 'sentAt'> & { readonly body: string | undefined },
  ) {
    this.#counts.left += 1;
    const { number, life, path, sentAt, body } = request;
    if (body === undefined) return undefined;
    const write: Write = {
      number,
      life,
      path,
      body,
      tags: tagsOf(body),
      sentAt,
      arrivedAt: undefined,
      executions: [],
      outcome: undefined,
    };
    this.#writes.push(write);
    for (const listener of this.#onWrite) listener(write);
    return write;
  }

  arrived(write: SentWrite | undefined, at: number): void {
    this.#counts.arrived += 1;
    if (write !== undefined) (write as Write).arrivedAt = at;
  }

  /** `answer`: the venue's own answer, before faults change it. */
  executed(write: SentWrite | undefined, time: number, answer: WireAnswer): void {
    this.#counts.executed += 1;
    if (write === undefined) return;
    const orderIds = answer.status === 200 ? orderIdsOf(write.path, answer.body) : [];
    const execution: Execution = { time, status: answer.status, orderIds };
    (write as Write).executions.push(execution);
    for (const id of orderIds) this.#byOrder.set(id, write as Write);
    for (const listener of this.#onExecution) listener(write, execution);
  }

  settled(write: SentWrite | undefined, outcome: number | string, wasSent: boolean): void {
    if (typeof outcome === 'number') this.#counts.answered += 1;
    else this.#counts.failed += 1;
    if (!wasSent) this.#counts.notSent += 1;
    if (write !== undefined) (write as Write).outcome = outcome;
  }
}

const TAG_FIELD = /^(?:oco|orders\[\d+\]\[oco\])$/;
const NO_TAGS: readonly string[] = [];

function tagsOf(body: string): readonly string[] {
  if (!body.includes('oco')) return NO_TAGS;
  return [...new URLSearchParams(body)].filter(([name]) => TAG_FIELD.test(name)).map(([, tag]) => tag);
}

interface WithId {
  readonly id: string;
}

function orderIdsOf(path: string, body: string): readonly string[] {
  switch (path) {
    case '/auth/order':
    case '/auth/close':
      return [(JSON.parse(body) as { readonly result: { readonly order: WithId } }).result.order.id];
    case '/auth/order/bulk': {
      const { result } = JSON.parse(body) as { readonly result: { readonly orders: readonly WithId[] } };
      return result.orders.map(({ id }) => id);
    }
    default:
      return [];
  }
}
