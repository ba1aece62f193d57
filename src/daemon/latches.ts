import { FALL_BY, FALL_REASON } from '../gate/drawdown.js';
import { sha256 } from '../model/digest.js';
import { type Halt, strongestOf } from '../model/halt-level.js';
import type { HaltStatus } from './daemon-api.js';
import type { DaemonSession } from './daemon-session.js';

export interface LatchedSession {
  readonly pair: string;
  readonly session: Pick<DaemonSession, 'core' | 'halts'>;
}

/** All that a `resume` would end: the daemon's own halt, and what is latched in sessions besides. */
export function latchesOf(own: Halt | undefined, sessions: readonly LatchedSession[]): readonly Halt[] {
  const latches: Halt[] = own === undefined ? [] : [own];
  for (const { pair, session } of sessions) {
    const halts = session.halts();
    for (const { level, reason, by } of halts) {
      const isOwn = level === own?.level && reason === own.reason && by === own.by;
      if (isOwn) continue;
      latches.push({ level, reason: `${pair}: ${reason}`, by });
    }
    // Behind another halt it is in no books.
    const isFallen = session.core.risk.drawdown?.tripped === true;
    if (isFallen && !halts.some(({ by }) => by === FALL_BY)) {
      latches.push({ level: 'pause', reason: `${pair}: ${FALL_REASON}`, by: FALL_BY });
    }
  }
  return latches;
}

/** As one halt: the strongest, with the reasons of all. `undefined`: nothing is latched. */
export function haltStatusOf(latches: readonly Halt[]): HaltStatus | undefined {
  const strongest = strongestOf(latches);
  if (strongest === undefined) return undefined;
  const others = latches.filter((each) => each !== strongest);
  const reason = [strongest, ...others].map((each) => each.reason).join('; ');
  return {
    level: strongest.level,
    reason,
    by: strongest.by,
    mark: sha256(JSON.stringify(latches)).slice(0, 12),
  };
}
