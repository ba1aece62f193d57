import { expect } from 'vitest';
import type { Approved, Refusal } from '../../src/model/command.js';
import type { Fill } from '../../src/model/fill.js';
import type { SessionObserver } from '../../src/session/session-core.js';

/** What one session did, each thing with the number of trades that were handled before it. */
export class ModelLog {
  readonly fills: { readonly row: number; readonly fill: Fill }[] = [];
  readonly decisions: { readonly row: number; readonly text: string }[] = [];
  /** Trades that the session has handled. */
  readonly #row: () => number;

  constructor(row: () => number) {
    this.#row = row;
  }

  readonly onFill = (fill: Fill): void => {
    this.fills.push({ row: this.#row(), fill });
  };

  readonly observer: SessionObserver = {
    decision: (input: number, commands: readonly Approved[], refusals: readonly Refusal[]) => {
      this.decisions.push({ row: this.#row(), text: JSON.stringify([input, commands, refusals]) });
    },
  };
}

/** Where fills happened: trades that were handled before, which are those of whole polls, and the time of the print. */
interface Place {
  readonly row: number;
  readonly time: number;
}

/**
 * Of sessions from the least to the most optimistic model: up to the first print at which their fills differ they
 * decided the same, and there no order has less in the more optimistic one. Returns how many pairs did differ. Where
 * sessions poll, each print must have a millisecond of its own.
 */
export function expectModelOrder(logs: readonly ModelLog[]): number {
  let differing = 0;
  for (const [at, log] of logs.entries()) {
    const next = logs[at + 1];
    if (next === undefined) continue;
    const place = firstDifference(log, next);
    const until = place?.row ?? Number.POSITIVE_INFINITY;
    const before = ({ decisions }: ModelLog) =>
      decisions.filter((decision) => decision.row < until).map(({ text }) => text);
    expect(before(next)).toEqual(before(log));
    if (place === undefined) continue;
    differing++;
    const more = lotsAt(next, place);
    for (const [order, lots] of lotsAt(log, place)) expect(more.get(order) ?? 0).toBeGreaterThanOrEqual(lots);
  }
  return differing;
}

function firstDifference(a: ModelLog, b: ModelLog): Place | undefined {
  const text = ({ row, fill }: ModelLog['fills'][number]) =>
    `${row} ${fill.orderId} ${fill.side} ${fill.lots}@${fill.ticks} ${fill.time}`;
  const most = Math.max(a.fills.length, b.fills.length);
  for (let at = 0; at < most; at++) {
    const [one, other] = [a.fills[at], b.fills[at]];
    if (one !== undefined && other !== undefined && text(one) === text(other)) continue;
    return [one, other]
      .flatMap((entry) => (entry === undefined ? [] : [{ row: entry.row, time: entry.fill.time }]))
      .sort((x, y) => x.row - y.row || x.time - y.time)[0];
  }
  return undefined;
}

function lotsAt({ fills }: ModelLog, { row, time }: Place): ReadonlyMap<string, number> {
  const lots = new Map<string, number>();
  for (const { row: at, fill } of fills) {
    if (at !== row || fill.time !== time) continue;
    lots.set(fill.orderId, (lots.get(fill.orderId) ?? 0) + fill.lots);
  }
  return lots;
}
