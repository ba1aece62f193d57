import type { StopSignal } from '../ports/signals.js';

/** The exit codes of the program. Scripts rely on these numbers. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** The command line, the configuration or a file is invalid. */
  usage: 2,
  /** A check was carried out, and failed. */
  checkFailed: 3,
  /** Own orders may still be at the venue. */
  stopNotProven: 5,
  /** A journal is damaged, or has records that this version does not understand. */
  journalDamaged: 65,
  venueUnreachable: 69,
  bug: 70,
  /** Another process writes the journal or the recording, or trades with the key. */
  journalHeld: 75,
  /** The daemon ended in order because of its memory, and is to be restarted. */
  recycle: 71,
  keyRefused: 77,
  /** A daemon cannot run this configuration, so restarting it would not help. */
  unusableConfig: 78,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Exit codes after an orderly end by a signal: 128 plus its number, as in a shell. */
export const SIGNAL_EXIT = {
  SIGHUP: EXIT.hungUp,
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
} as const satisfies Record<StopSignal, ExitCode>;
