/** What is known of a daemon that does not answer: its file, and what its journals say. */
import type { Books } from '../execution/books.js';
import { type Halt, strongestOf } from '../model/halt-level.js';
import type { DaemonFile } from './daemon-file.js';

export interface OfflinePair {
  readonly pair: string;
  /** Of the books: signed lots; `undefined` before anything was agreed with the venue. */
  readonly lots: number | undefined;
  readonly openOrders: readonly string[];
  /** Intents of which nobody knows yet whether they were placed. */
  readonly doubts: readonly string[];
  readonly halt: string | undefined;
  readonly quarantine: string | undefined;
}

export interface OfflineStatus {
  readonly schemaVersion: 1;
  /** `unknown`: nobody runs on this state · `hung`: a process runs there and does not answer. */
  readonly state: 'hung' | 'unknown';
  readonly pid: number | undefined;
  readonly mode: DaemonFile['mode'] | undefined;
  /** What the daemon itself was halted with. */
  readonly halts: readonly Halt[];
  readonly pairs: readonly OfflinePair[];
}

/** `halts`: what its daemon was halted with. */
export function offlinePair(pair: string, books: Books, halts: readonly Halt[] = []): OfflinePair {
  return {
    pair,
    lots: books.position(pair),
    openOrders: books.openOrders(pair).map(({ orderId }) => orderId),
    doubts: books
      .intents(pair)
      .filter(({ stage }) => stage === 'sent' || stage === 'in-doubt')
      .map(({ key }) => key),
    halt: strongestOf([...books.halts, ...halts])?.level,
    quarantine: books.quarantine(pair),
  };
}
