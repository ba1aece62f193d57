import type { SessionCounts } from '../session/session-core.js';

/** What was done on a pair since the daemon began. Never goes down. */
export type Counts = Omit<SessionCounts, 'inputs' | 'trades'>;

interface Counting {
  readonly counts: Counts;
}

const NONE: Counts = { orders: 0, cancels: 0, fills: 0, refusals: 0, rejections: 0, gaps: 0 };

/** Adds up over the sessions of a pair, each of which counts from 0. */
export class PairCounts {
  #before = NONE;
  #newest: Counting | undefined;

  /** A session begins in the place of the one before, which counts no more. */
  begin(session: Counting): void {
    if (session === this.#newest) return;
    this.#before = this.all;
    this.#newest = session;
  }

  get all(): Counts {
    const { orders, cancels, fills, refusals, rejections, gaps } = this.#newest?.counts ?? NONE;
    const before = this.#before;
    return {
      orders: before.orders + orders,
      cancels: before.cancels + cancels,
      fills: before.fills + fills,
      refusals: before.refusals + refusals,
      rejections: before.rejections + rejections,
      gaps: before.gaps + gaps,
    };
  }
}
