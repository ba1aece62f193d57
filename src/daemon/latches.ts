import { FALL_BY, fallReason } from '../gate/drawdown.js';
import { sha256 } from '../model/digest.js';
import { type Halt, sameHalt, strongestOf } from '../model/halt-level.js';
import type { HaltStatus } from './daemon-api.js';
import type { DaemonSession } from './daemon-session.js';

export interface LatchedSession {
  readonly pair: string;
  readonly session: Pick<DaemonSession, 'core' | 'halts'>;
}

/** Latches the halt in the session, unless the same halt is latched there already. */
export function latch(session: Pick<DaemonSession, 'halt' | 'halts'>, halt: Halt): void {
  if (session.halts().some((each) => sameHalt(each, halt))) return;
  session.halt(halt.level, halt.reason, halt.by);
}

/**
 * All latches that one `resume` ends: the daemon's own halts and further ones of single sessions. Only a halt that ends a
 * session for good outlives it.
 */
export function latchesOf(own: readonly Halt[], sessions: readonly LatchedSession[]): readonly Halt[] {
  const latches: Halt[] = [...own];
  for (const { pair, session } of sessions) {
    const halts = session.halts();
    for (const halt of halts) {
      if (own.some((each) => sameHalt(each, halt))) continue;
      latches.push({ ...halt, reason: `${pair}: ${halt.reason}` });
    }
    // When the drawdown limit trips during another halt, the books record no halt of its own: its state in `risk` is the
    // only trace.
    const { engine, risk } = session.core;
    if (risk.drawdown?.tripped === true && !halts.some(({ by }) => by === FALL_BY)) {
      const reason = fallReason(risk.drawdown.bound, engine.market.quote);
      latches.push({ level: 'pause', reason: `${pair}: ${reason}`, by: FALL_BY });
    }
  }
  return latches;
}

/** The latches as one halt: the strongest, with the reasons of all. `undefined`: nothing is latched. */
export function haltStatusOf(latches: readonly Halt[]): HaltStatus | undefined {
  const strongest = strongestOf(latches);
  if (strongest === undefined) return undefined;
  // A halt of the daemon is also latched in each session, there with the pair as a prefix: it must not be named twice.
  const isNews = (reason: string) => reason !== strongest.reason && !reason.endsWith(`: ${strongest.reason}`);
  const others = latches.map((each) => each.reason).filter(isNews);
  const reason = [strongest.reason, ...others].join('; ');
  return {
    level: strongest.level,
    reason,
    by: strongest.by,
    mark: sha256(JSON.stringify(latches)).slice(0, 12),
  };
}
