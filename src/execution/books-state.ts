/** The books as plain data, as snapshots hold them. */
import type { Lots } from '../model/grid.js';
import type { Halt } from '../model/halt-level.js';
import type { GridDigits } from '../model/market.js';
import type {
  HaltLevel,
  IntentKey,
  JournalRecord,
  RiskMemory,
  TransferMark,
} from '../model/journal-record.js';
import type { OrderTerms } from '../model/order.js';
import type { FillBookState } from './fill-book.js';

/**
 * - `sent`: journalled and posted, no answer yet; where a journal ends there, in doubt
 * - `in-doubt`: its answer proved nothing · `live`: bound to an order
 * - `not-placed`: judged absent, and watched · `disputed`: the evidence contradicts itself
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
  /** The last venue ms at which the venue may take the request; absent where the journal does not say. */
  readonly validUntil?: number | undefined;
  readonly stage: IntentStage;
  /** The order that it is bound to. */
  readonly orderId: string | undefined;
  /** Venue ms of the verdict. */
  readonly judgedAt: number | undefined;
  /**
   * Its pair had no checkpoint since it was journalled, so no checkpoint includes a fill of it. Absent after a
   * checkpoint, and in snapshots of earlier versions.
   */
  readonly uncovered?: true;
}

export interface BookedOrder {
  readonly orderId: string;
  readonly intent: IntentKey;
  readonly pair: string;
  readonly as: 'own' | 'late' | 'surplus';
  /** Its booked fills; dropped at its end. */
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
  /** Digits of ticks and lots, by pair; absent where no journal record tells them, as in snapshots of earlier versions. */
  readonly grids?: readonly (readonly [pair: string, digits: GridDigits])[];
  /** Those of the halts that `resume` does not end; absent where there is none, as always in snapshots. */
  readonly lasting?: readonly Halt[];
}

/** The equity from which the losses of a UTC day count, quote units, and what limits remember beyond the day. */
export interface BookedBaseline {
  readonly day: string;
  readonly equity: string;
  readonly tripped: boolean;
  readonly memory?: RiskMemory | undefined;
  /** Absent where they are not known. */
  readonly transfers?: TransferMark | undefined;
}

export function baselineOf({
  day,
  equity,
  tripped,
  memory,
  transfers,
}: Extract<JournalRecord, { kind: 'baseline' }>): BookedBaseline {
  return { day, equity, tripped, ...(memory && { memory }), ...(transfers && { transfers }) };
}

/** The halts of a snapshot. Earlier versions kept only the newest one. */
export function haltsOf({ halt, haltReason = 'no reason is known', halts }: BooksState): readonly Halt[] {
  if (halts !== undefined) return halts;
  return halt === undefined ? [] : [{ level: halt, reason: haltReason, by: 'an earlier life' }];
}

/** The baseline after a resume: a drawdown that has halted is over, and the next session takes a new peak. */
export function resumed({ memory, ...day }: BookedBaseline): BookedBaseline {
  if (memory === undefined || !memory.fell) return memory === undefined ? day : { ...day, memory };
  const { losses, pausedUntil, open } = memory;
  const streak = { losses, pausedUntil, ...(open === undefined ? {} : { open }) };
  return { ...day, memory: { fell: false, ...streak } };
}
