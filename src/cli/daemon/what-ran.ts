/** What ran on a state, and what it may have left at a venue: a configuration does not say it, another one may have. */
import { type DaemonFile, readDaemonFile } from '../../daemon/daemon-file.js';
import { heldText, isHolding } from '../../runner/journaled-pair.js';
import type { Files } from '../../ports/files.js';
import type { Machine } from '../machine.js';
import { askDaemon } from './daemon-call.js';
import { runningDaemon } from './end-daemon.js';
import { journaledPair, journaledPairs } from '../journal/journaled.js';

export interface WhatRan {
  readonly isAlive: boolean;
  /** `undefined`: nobody can say. */
  readonly mode: 'paper' | 'live' | undefined;
  /** Its address. */
  readonly venue: string | undefined;
}

const ANSWER_MS = 300;

/** Of the daemon that runs, else of the one that did not end in order. To be asked before it is ended. */
export async function whatRan(machine: Machine, state: string): Promise<WhatRan> {
  const running = await runningDaemon(machine, state);
  const isAlive = running !== undefined;
  const file = await readDaemonFile(machine.files, state).catch(() => undefined);
  // Of one that is not ready yet there is no file, or that of the one before; it answers, unless it hangs.
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
 * What live sessions left at a venue as far as their journals know: orders, those in doubt, and with `flat` what is held. A
 * journal that cannot be read may say anything.
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

/** The same in words alone. */
export async function journaledLeft(
  files: Files,
  state: string,
  level: 'cancel' | 'flat',
  isAsked?: (pair: string) => boolean,
): Promise<readonly string[]> {
  return (await leftOnPairs(files, state, level, isAsked)).map(({ what }) => what);
}
