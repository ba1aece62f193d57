/** Alerts about the beginning and the end of a daemon's life, for which the daemon has no events. */
import type { DaemonEnd } from '../daemon.js';
import type { Alert } from './alert.js';

export interface StartFacts {
  readonly pairs: readonly string[];
  readonly venue: string;
  readonly time: number;
  /** The daemon before this one did not end in order: it was killed, it hung, or the machine stopped. */
  readonly wasUnclean: boolean;
}

export function startAlert({ pairs, venue, time, wasUnclean }: StartFacts): Alert {
  return {
    kind: 'start',
    severity: wasUnclean ? 'warning' : 'info',
    key: 'start',
    phase: 'event',
    title: wasUnclean ? 'started again: the daemon before did not end in order' : 'started',
    lines: [`on ${venue}: ${pairs.join(', ')}`],
    time,
  };
}

/** What an end leaves at the venue. */
export interface LeftAtVenue {
  /** Own orders that may still be there; after a flat end, whatever is not proven to be closed. */
  readonly left: readonly string[];
  /** Stops that stay there on purpose. */
  readonly kept?: readonly string[];
  /** Positions that are left without the stop that guarded them. */
  readonly bare?: readonly string[];
}

export function stopAlert(end: DaemonEnd, { left, kept = [], bare = [] }: LeftAtVenue, time: number): Alert {
  const isLeft = end.kind === 'stop' && end.level === 'leave';
  const isFlat = end.kind === 'stop' && end.level === 'flat';
  const isClosing = end.kind === 'stop' && end.thenFlat === true;
  const isUnproven = left.length > 0 && !isLeft;
  return {
    kind: 'stop',
    severity: isUnproven
      ? 'critical'
      : end.kind === 'recycle' || (bare.length > 0 && !isClosing)
        ? 'warning'
        : 'info',
    key: undefined,
    phase: 'event',
    title: isUnproven
      ? `stopped, but not proven: ${isFlat ? 'orders or a position' : 'orders'} may still be at the venue`
      : end.kind === 'recycle'
        ? 'ends in order, to be started anew'
        : `stopped (${end.level})${isClosing ? ' by tickwright stop --flat' : ''}`,
    lines: [
      `reason: ${end.reason}`,
      ...(end.kind === 'stop' ? [`by: ${end.by}`] : []),
      ...bare.map((text) => (isClosing ? `until tickwright stop --flat has closed it: ${text}` : text)),
      ...(kept.length === 0 ? [] : [`kept at the venue: ${kept.join(', ')}`]),
      ...(left.length === 0 ? [] : [`${isFlat ? 'not proven' : 'orders left'}: ${left.join(', ')}`]),
    ],
    time,
  };
}

export function crashAlert(error: unknown, { left, kept = [] }: LeftAtVenue, time: number): Alert {
  return {
    kind: 'stop',
    severity: 'critical',
    key: undefined,
    phase: 'event',
    title: 'ended by an error',
    lines: [
      error instanceof Error ? error.message : String(error),
      ...(kept.length === 0 ? [] : [`kept at the venue: ${kept.join(', ')}`]),
      ...(left.length === 0 ? [] : [`orders left: ${left.join(', ')}`]),
    ],
    time,
  };
}

/** A breach that a sentinel saw from outside, where the daemon itself cannot report it. */
export function breachAlert(
  { kind, words }: { readonly kind: string; readonly words: string },
  time: number,
): Alert {
  return {
    kind: 'problem',
    severity: 'critical',
    key: undefined,
    phase: 'event',
    title: `sentinel: the daemon cannot be relied on (${kind})`,
    lines: [words],
    time,
  };
}

/** `bare`: positions that are left without the stop that guarded them. */
export function provenAlert(
  { kind }: { readonly kind: string },
  { level, bare }: { readonly level: string; readonly bare: readonly string[] },
  time: number,
): Alert {
  return {
    kind: 'problem',
    severity: 'critical',
    key: undefined,
    phase: 'end',
    title: `sentinel: ${level} is proven after the daemon was ${kind}`,
    lines: bare,
    time,
  };
}

/** Breaches that a sentinel told of are over, without the sentinel having acted. */
export function wellAlert(ended: readonly { readonly kind: string }[], time: number): Alert {
  const kinds = [...new Set(ended.map(({ kind }) => kind))].join(', ');
  return {
    kind: 'problem',
    severity: 'critical',
    key: undefined,
    phase: 'end',
    title: `sentinel: the daemon is well again after it was ${kinds}`,
    lines: [],
    time,
  };
}

export interface EndFacts {
  readonly isPanic: boolean;
  readonly level: string;
  readonly reason: string;
  /** Orders and positions that may still be at the venue. */
  readonly unproven: readonly string[];
  /** Positions that are left without the stop that guarded them. */
  readonly bare?: readonly string[];
  /** False for a panic that could leave no halt; absent for a stop, which wants none. */
  readonly halted?: boolean | undefined;
}

/** An end that another process than the daemon has carried out. */
export function endAlert(
  { isPanic, level, reason, unproven, bare = [], halted }: EndFacts,
  time: number,
): Alert {
  const what = `${isPanic ? 'panic' : 'stop'} (${level})`;
  const unhalted = 'NOT halted, since no HALT could be written: what is started now may trade';
  const halt = halted === false ? unhalted : 'and halted until tickwright resume';
  return {
    kind: 'stop',
    severity: 'critical',
    key: undefined,
    phase: 'event',
    title: unproven.length > 0 ? `${what}: not proven` : `${what}: ended, ${halt}`,
    lines: [
      `reason: ${reason}`,
      ...(unproven.length > 0 && halted === false ? [unhalted] : []),
      ...bare,
      ...unproven,
    ],
    time,
  };
}
