import { FALL_REASON } from '../gate/drawdown.js';
import { sha256 } from '../model/digest.js';
import { isStronger } from '../model/halt-level.js';
import type { HaltStatus, Latch } from './daemon-api.js';
import type { DaemonSession } from './daemon-session.js';

export interface LatchedSession {
  readonly pair: string;
  readonly session: Pick<DaemonSession, 'core' | 'halted' | 'standing'>;
}

/** All that a `resume` would end: the daemon's own halt, and what is latched in sessions besides. */
export function latchesOf(own: Latch | undefined, sessions: readonly LatchedSession[]): readonly Latch[] {
  const latches: Latch[] = own === undefined ? [] : [own];
  for (const { pair, session } of sessions) {
    const level = session.halted();
    const { state, reason } = session.standing();
    const isOwn = level === own?.level && (state !== 'HALTED' || reason.includes(own?.reason ?? ''));
    if (level !== undefined && !isOwn) {
      latches.push({ level, reason: `${pair}: ${reason}`, by: 'a limit or an earlier life' });
    }
    // Behind another halt it is in no books.
    if (session.core.risk.drawdown?.tripped === true && !reason.includes(FALL_REASON)) {
      latches.push({ level: 'pause', reason: `${pair}: ${FALL_REASON}`, by: 'max-drawdown' });
    }
  }
  return latches;
}

/** As one halt: the strongest, with the reasons of all. `undefined`: nothing is latched. */
export function haltStatusOf(latches: readonly Latch[]): HaltStatus | undefined {
  const strongest = latches.reduce<Latch | undefined>(
    (most, each) => (isStronger(each.level, most?.level) ? each : most),
    undefined,
  );
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
