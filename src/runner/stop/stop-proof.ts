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
  /** Reads have shown that no own order is at the venue or can still arrive there and, with `flat`, no position. */
  readonly proven: boolean;
  readonly pairs: readonly PairProof[];
}

export interface PairProof {
  readonly pair: string;
  readonly proven: boolean;
  /** What is missing from the proof, in words; empty when it is proven. */
  readonly unproven: readonly string[];
  /** The pair's state at the end. */
  readonly state: PairState;
  /** Ids of orders that were seen canceled; of those without a journal record, orders whose cancel was answered. */
  readonly canceled: readonly string[];
  /** Ids of orders of others at the last look. They are canceled only on request. */
  readonly foreign: readonly string[];
  /** Lists in a row, at the end, that held no order of ours; two make a proof. */
  readonly emptyScans: number;
  /** Base units, signed; `undefined`: no read worked. */
  readonly position: { readonly before: string | undefined; readonly after: string | undefined };
  /** Reduce-only orders that were sent to close it. */
  readonly closes: readonly CloseOrder[];
  /**
   * Intents in doubt whose order was executed or not. None can be executed any more, none of their orders rests, and the
   * position includes their fills. The next start finds out what became of each.
   */
  readonly unattributed: readonly string[];
  /** Fills by which the venue itself reduced the position, as the halt names them; absent where the journal has none. */
  readonly liquidated?: string;
  /**
   * The position by the journal, base units, where it is not the one that was read last: a liquidation, or somebody
   * else, has changed it, and that is not booked yet.
   */
  readonly booked?: string;
  /**
   * A position that is left without its stop: its size, base units, signed, and the ids of its stops that were canceled.
   * Absent where nothing is held or no stop was canceled.
   */
  readonly bare?: { readonly position: string; readonly stops: readonly string[] };
  /**
   * Set where a closing order has left that the journal could not take, on a full disk for example. The next start finds
   * fills of no order that it knows, and quarantines the pair.
   */
  readonly unwritten?: boolean;
  /** The journal's view of the pair, where the venue could not be asked. */
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
