/**
 * Finds out what ran on a state folder and what it may have left at a venue. The present configuration may differ from
 * the one that it ran with.
 */
import { type DaemonFile, daemonFilePath, readDaemonFile } from '../../daemon/daemon-file.js';
import { heldText, isHolding } from '../../runner/journaled-pair.js';
import type { Files } from '../../ports/files.js';
import type { Machine } from '../machine.js';
import { askDaemon } from './daemon-call.js';
import { runningDaemon } from './end-daemon.js';
import { journaledPair, journaledPairs } from '../journal/journaled.js';

export interface WhatRan {
  readonly isAlive: boolean;
  /** `undefined`: not known. */
  readonly mode: 'paper' | 'live' | undefined;
  /** Address of the venue. */
  readonly venue: string | undefined;
}

const ANSWER_MS = 300;

/** Facts of the running daemon, else of the last one if it did not end in order. Must be asked before it is ended. */
export async function whatRan(machine: Machine, state: string): Promise<WhatRan> {
  const running = await runningDaemon(machine, state);
  const isAlive = running !== undefined;
  const file = await readDaemonFile(machine.files, state).catch(() => undefined);
  // A daemon that is not ready yet has no file, or that of an earlier daemon; but it answers, unless it hangs.
  if (file !== undefined && (!isAlive || file.process === running)) return { isAlive, ...factsOf(file) };
  if (!isAlive) return { isAlive, mode: undefined, venue: undefined };
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: ANSWER_MS });
  return { isAlive, ...factsOf(answer?.status === 200 ? answer.document : undefined) };
}

function factsOf(said: unknown): Pick<WhatRan, 'mode' | 'venue'> {
  const { mode, venue } = (said ?? {}) as Partial<Record<keyof DaemonFile, unknown>>;
  return {
    mode: mode === 'paper' || mode === 'live' ? mode : undefined,
    venue: typeof venue === 'string' ? venue : undefined,
  };
}

/** What a live session left on one pair. */
export interface Left {
  readonly pair: string;
  /** In words: `USD_BTC_PERP: orders 1, 2`. */
  readonly what: string;
}

/**
 * What live sessions left at a venue according to their journals: open orders, orders in doubt and, with `flat`,
 * positions. A journal that cannot be read is reported too, because it may contain any of these.
 */
export async function leftOnPairs(
  files: Files,
  state: string,
  level: 'cancel' | 'flat',
  isAsked: (pair: string) => boolean = () => true,
): Promise<readonly Left[]> {
  const left: Left[] = [];
  for (const pair of (await journaledPairs(files, state)).filter(isAsked)) {
    const tell = (words: string) => left.push({ pair, what: `${pair}: ${words}` });
    try {
      const said = await journaledPair(files, state, pair);
      if (said === undefined) continue;
      const { orders, inDoubt } = said;
      if (orders.length > 0) tell(`orders ${orders.join(', ')}`);
      if (inDoubt.length > 0) tell(`what became of ${inDoubt.join(', ')}`);
      if (level === 'flat' && isHolding(said)) tell(`a position of ${heldText(said)}`);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  }
  return left;
}

/** The texts of `leftOnPairs` alone. */
export async function journaledLeft(
  files: Files,
  state: string,
  level: 'cancel' | 'flat',
  isAsked?: (pair: string) => boolean,
): Promise<readonly string[]> {
  return (await leftOnPairs(files, state, level, isAsked)).map(({ what }) => what);
}

/** Whether the life before has not ended in order, or has left an order or a position at a venue. */
export async function isUnfinished(files: Files, state: string): Promise<boolean> {
  const isThere = (await files.stat(daemonFilePath(state))) !== undefined;
  return isThere || (await journaledLeft(files, state, 'flat')).length > 0;
}
