import type { BookedBaseline } from '../execution/books-state.js';
import type { Chronicle } from '../execution/chronicle.js';
import type { RiskMemory } from '../model/journal-record.js';
import { Decimal } from '../model/decimal.js';
import type { Clock } from '../ports/clock.js';

/** What other sessions of the account have noted of the asset's equity. */
export interface NotedByOthers {
  /** One for each session. */
  readonly baselines: readonly BookedBaseline[];
  /** A person has resumed since the daemon began: a highest equity that did not hear of it may be that of before. */
  readonly isResumed: boolean;
}

/**
 * The baseline from which a session counts where others of the same account and asset have noted theirs: of the newest day,
 * and of two of that day the higher one, and the highest equity of all. Two that do not include the same deposits and
 * withdrawals cannot be compared: then its own stays.
 */
export function inheritedBaseline(
  own: BookedBaseline | undefined,
  { baselines, isResumed }: NotedByOthers,
): BookedBaseline | undefined {
  const isKnown = baselines.some(
    ({ memory, transfers }) => memory?.peak !== undefined && areSame(own?.transfers, transfers),
  );
  const begun = isResumed && isKnown ? withoutPeak(own) : own;
  return baselines.reduce<BookedBaseline | undefined>(stricter, begun);
}

/** Of a fall that nobody has resumed from, the halt says more than a peak. */
function withoutPeak(own: BookedBaseline | undefined): BookedBaseline | undefined {
  if (own?.memory === undefined || own.memory.fell) return own;
  return { ...own, memory: { ...own.memory, peak: undefined } };
}

function stricter(own: BookedBaseline | undefined, other: BookedBaseline): BookedBaseline {
  // A losing streak, and a fall that nobody has resumed from, are the other's own.
  const peak = highest(own?.memory?.peak, other.memory?.peak);
  if (own === undefined) return { ...other, memory: memoryOf(undefined, peak) };
  if (!areSame(own.transfers, other.transfers)) return own;
  const memory = memoryOf(own.memory, peak);
  if (own.day !== other.day) return { ...(own.day > other.day ? own : other), memory };
  const equity = highest(own.equity, other.equity) ?? own.equity;
  return { ...own, equity, tripped: own.tripped || other.tripped, memory };
}

function memoryOf(own: RiskMemory | undefined, peak: string | undefined): RiskMemory | undefined {
  if (own !== undefined) return { ...own, peak };
  return peak === undefined ? undefined : { peak, fell: false, losses: 0, pausedUntil: 0 };
}

function highest(one: string | undefined, two: string | undefined): string | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return new Decimal(one).gt(two) ? one : two;
}

function areSame(one: BookedBaseline['transfers'], two: BookedBaseline['transfers']): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

/**
 * Notes what the session inherits, before it begins: so a recording of it, which begins with its books, contains it, and a
 * restart finds it.
 */
export function noteInherited(chronicle: Chronicle, noted: NotedByOthers, clock: Pick<Clock, 'wall'>): void {
  const own = chronicle.books.baseline;
  const baseline = inheritedBaseline(own, noted);
  if (baseline === undefined || JSON.stringify(baseline) === JSON.stringify(own)) return;
  chronicle.note({ kind: 'baseline', ...baseline, wall: clock.wall() }, 'durable');
}
