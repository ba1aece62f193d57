/** The controls of a running session, in either mode. */
import { FALL_BY, fallReason } from '../../gate/drawdown.js';
import type { Chronicle } from '../../execution/chronicle.js';
import type { DaemonSession } from '../../daemon/daemon-session.js';
import { type Halt, haltReasonOf, strongestOf, withHalt } from '../../model/halt-level.js';
import type { LiveSession } from '../../runner/live-session.js';
import type { SessionCore } from '../../session/session-core.js';

export type SessionControls = Pick<
  DaemonSession,
  | 'standing'
  | 'way'
  | 'booked'
  | 'leftStops'
  | 'doubts'
  | 'unwritten'
  | 'unrecorded'
  | 'foreign'
  | 'ledger'
  | 'noted'
  | 'halts'
  | 'halt'
  | 'resume'
  | 'block'
  | 'others'
>;

/** Several independent reasons not to add risk, each set under its own name. The first that stands is told. */
export class Stops<Name extends string = 'account' | 'disk' | 'operator'> {
  readonly #reasons = new Map<Name, string>();
  readonly #tell: (reason: string | undefined) => void;
  #told: string | undefined;

  constructor(tell: (reason: string | undefined) => void) {
    this.#tell = tell;
  }

  set(name: Name, reason: string | undefined): void {
    if (reason === undefined) this.#reasons.delete(name);
    else this.#reasons.set(name, reason);
    const [first] = this.#reasons.values();
    if (first === this.#told) return;
    this.#told = first;
    this.#tell(first);
  }
}

export function liveControls(
  live: LiveSession,
  chronicle: Chronicle,
  pair: string,
  commands: Pick<SessionControls, 'halt' | 'resume' | 'block' | 'others' | 'unrecorded'>,
): SessionControls {
  return {
    ...commands,
    standing() {
      const { state = 'BOOT', permission = 'cancel-only', reason = 'starting', besides } = live.state ?? {};
      return { state, permission, reason, besides };
    },
    way: () => live.way,
    booked: () => chronicle.books.position(pair),
    leftStops: () => live.leftStops ?? [],
    doubts: () => live.doubts,
    unwritten: () => chronicle.failure,
    foreign: () => live.foreign,
    ledger: () => live.ledger,
    noted: () => chronicle.books.baseline,
    halts: () => chronicle.books.halts,
  };
}

/** On paper nothing is in doubt and nothing outlives the process. A halt is an input of the engine, as it is live. */
export function paperControls(
  core: SessionCore,
  way: ReturnType<SessionControls['way']>,
  unrecorded: SessionControls['unrecorded'],
): SessionControls {
  let halts: readonly Halt[] = [];
  let blocked: string | undefined;
  const fall = (): Halt | undefined => {
    const { drawdown } = core.risk;
    if (drawdown?.tripped !== true) return undefined;
    return { level: 'pause', reason: fallReason(drawdown.bound, core.engine.market.quote), by: FALL_BY };
  };
  const standing = (): ReturnType<SessionControls['standing']> => {
    const strongest = strongestOf(halts);
    if (strongest !== undefined) {
      const permission = strongest.level === 'pause' ? 'reduce-only' : 'cancel-only';
      return { state: 'HALTED', permission, reason: `${strongest.level}: ${haltReasonOf(halts) ?? ''}` };
    }
    // Live, a drawdown is latched as a halt in the books; on paper there are none, and only the gate holds risk back.
    const fallen = fall();
    if (fallen !== undefined) {
      return { state: 'HALTED', permission: 'reduce-only', reason: `pause: ${fallen.reason}` };
    }
    if (blocked !== undefined) return { state: 'SYNCED', permission: 'reduce-only', reason: blocked };
    return { state: 'SYNCED', permission: 'all', reason: 'on paper' };
  };
  const tell = () => core.input({ kind: 'permit', time: core.engine.now, ...standing() });
  return {
    standing,
    way: () => way,
    booked: () => core.engine.position.lots,
    leftStops: () => [],
    doubts: () => 0,
    unwritten: () => undefined,
    unrecorded,
    foreign: () => undefined,
    ledger: () => undefined,
    // Each pair has an account of its own on paper, and the daemon hands its figures on to its next session.
    noted: () => undefined,
    // A drawdown waits for a person on paper, too.
    halts() {
      const fallen = fall();
      return fallen === undefined ? halts : [...halts, fallen];
    },
    halt(level, reason, by) {
      halts = withHalt(halts, { level, reason, by });
      tell();
    },
    resume() {
      halts = [];
      core.input({ kind: 'resumed', time: core.engine.now });
      tell();
    },
    block(reason) {
      blocked = reason;
      tell();
    },
    others: (share) => core.input({ kind: 'others', time: core.engine.now, ...share }),
  };
}
