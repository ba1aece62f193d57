/** What a verified stop found and did, for people and scripts: the proof, or what is missing from it. */
import type { JournaledPair } from '../journaled-pair.js';
import type { PairState } from '../../model/pair-state.js';

export interface StopProof {
  readonly schemaVersion: 1;
  readonly level: 'cancel' | 'flat';
  readonly by: string;
  readonly reason: string;
  /** Epoch ms by our own clock. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** No own order at the venue, none that could still come, and with `flat` no position: seen, not assumed. */
  readonly proven: boolean;
  readonly pairs: readonly PairProof[];
}

export interface PairProof {
  readonly pair: string;
  readonly proven: boolean;
  /** What is missing from the proof, in words; empty when it is proven. */
  readonly unproven: readonly string[];
  /** Where the pair stood at the end. */
  readonly state: PairState;
  /** Orders that were seen canceled, by the venue's id; of one that no record is about, whose cancellation was answered. */
  readonly canceled: readonly string[];
  /** Orders at the venue that are not ours, at the last look. They are canceled only when asked for. */
  readonly foreign: readonly string[];
  /** Lists in a row, at the end, that held no order of ours; two make a proof. */
  readonly emptyScans: number;
  /** Signed, base units; `undefined` where the venue did not say. */
  readonly position: { readonly before: string | undefined; readonly after: string | undefined };
  /** Reduce-only orders that were sent to close it. */
  readonly closes: readonly CloseOrder[];
  /**
   * Intents whose order may have come or not: they cannot come any more, none of them rests, and what they did is in the
   * position. The next start finds out.
   */
  readonly unattributed: readonly string[];
  /** What the journal has, where the venue could not be asked. */
  readonly journaled?: JournaledPair;
}

export interface CloseOrder {
  readonly intent: number;
  readonly side: 'buy' | 'sell';
  /** Base units. */
  readonly quantity: string;
  /** What became of it, in the venue's or our own words. */
  readonly outcome: string;
}
