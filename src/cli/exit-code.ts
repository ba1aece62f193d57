import type { StopSignal } from '../ports/signals.js';

/** What the process ends with. Scripts rely on these numbers. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** The command line, the configuration or a file is not what it must be. */
  usage: 2,
  /** A check was carried out and says no. */
  checkFailed: 3,
  /** Own orders may still be at the venue. */
  stopNotProven: 5,
  /** A journal does not hold what was written into it, or holds what this version does not understand. */
  journalDamaged: 65,
  venueUnreachable: 69,
  bug: 70,
  /** Another process writes the journal, or the recording, or trades with the key. */
  journalHeld: 75,
  /** The daemon ended in order because of its memory, to be started anew. */
  recycle: 71,
  keyRefused: 77,
  /** The configuration cannot be run by a daemon: starting it again would not help. */
  unusableConfig: 78,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Of what was ended in order by a signal: 128 and its number, as in a shell. */
export const SIGNAL_EXIT = {
  SIGHUP: EXIT.hungUp,
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
} as const satisfies Record<StopSignal, ExitCode>;
