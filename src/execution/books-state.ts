/** What books are as plain data: what a snapshot holds, and what others ask about. */
import type { Lots } from '../model/grid.js';
import type { Halt } from '../model/halt-level.js';
import type { GridDigits } from '../model/market.js';
import type { HaltLevel, IntentKey, JournalRecord, RiskMemory } from '../model/journal-record.js';
import type { OrderTerms } from '../model/order.js';
import type { FillBookState } from './fill-book.js';

/**
 * - `sent`: written down and on its way; in a journal that ended there, nobody knows · `in-doubt`: its answer proved nothing
 * - `live`: it has an order · `not-placed`: judged absent, and watched · `disputed`: the evidence contradicts itself
 * - `done`: refused, not sent, or its order has ended
 */
export type IntentStage = 'sent' | 'in-doubt' | 'live' | 'not-placed' | 'disputed' | 'done';

export interface BookedIntent {
  readonly key: IntentKey;
  readonly pair: string;
  readonly terms: OrderTerms;
  readonly tag: string | undefined;
  /** Venue ms. */
  readonly sentAt: number;
  /** The last venue ms at which it may be taken; absent where nobody wrote that down. */
  readonly validUntil?: number | undefined;
  readonly stage: IntentStage;
  /** The order that it is bound to. */
  readonly orderId: string | undefined;
  /** Venue ms of the verdict. */
  readonly judgedAt: number | undefined;
  /**
   * No checkpoint of its pair was made since it was written down, so that none has a fill of it in its position. Absent
   * where one was, and in snapshots of earlier versions.
   */
  readonly uncovered?: true;
}

export interface BookedOrder {
  readonly orderId: string;
  readonly intent: IntentKey;
  readonly pair: string;
  readonly as: 'own' | 'late' | 'surplus';
  /** What was booked of it; forgotten at its end. */
  readonly fills: readonly { readonly id: string; readonly lots: Lots }[];
  readonly end: 'filled' | 'canceled' | undefined;
  /** Venue ms of its end; absent before it, and in snapshots of earlier versions. */
  readonly endedAt?: number;
}

export interface BooksState {
  readonly session: string | undefined;
  readonly halt: HaltLevel | undefined;
  /** These two are absent in snapshots of earlier versions. */
  readonly haltReason?: string | undefined;
  readonly halts?: readonly Halt[] | undefined;
  readonly intents: readonly BookedIntent[];
  readonly orders: readonly BookedOrder[];
  readonly fills: readonly FillBookState[];
  readonly quarantines: readonly (readonly [pair: string, reason: string])[];
  readonly baseline: BookedBaseline | undefined;
  /** What its ticks and lots are, by pair; absent where nobody wrote that down, as in snapshots of earlier versions. */
  readonly grids?: readonly (readonly [pair: string, digits: GridDigits])[];
  /** What of the halts no resume ends; absent where there is none, as always in snapshots. */
  readonly lasting?: readonly Halt[];
}

/** What the losses of a UTC day count from, and what limits remember beyond it. */
export interface BookedBaseline {
  readonly day: string;
  readonly equity: string;
  readonly tripped: boolean;
  readonly memory?: RiskMemory | undefined;
}

export function baselineOf({
  day,
  equity,
  tripped,
  memory,
}: Extract<JournalRecord, { kind: 'baseline' }>): BookedBaseline {
  return memory === undefined ? { day, equity, tripped } : { day, equity, tripped, memory };
}

/** Also out of snapshots of versions that kept the newest alone. */
export function haltsOf({ halt, haltReason = 'no reason is known', halts }: BooksState): readonly Halt[] {
  if (halts !== undefined) return halts;
  return halt === undefined ? [] : [{ level: halt, reason: haltReason, by: 'an earlier life' }];
}

/** A fall that somebody has looked at is over: the next session counts from what it finds. */
export function resumed({ memory, ...day }: BookedBaseline): BookedBaseline {
  if (memory === undefined || !memory.fell) return memory === undefined ? day : { ...day, memory };
  const { losses, pausedUntil, open } = memory;
  const streak = { losses, pausedUntil, ...(open === undefined ? {} : { open }) };
  return { ...day, memory: { fell: false, ...streak } };
}
