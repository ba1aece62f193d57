/** The messages between the engine's thread and the control thread. */
import type { DaemonControl, DaemonEvent, DaemonStatus } from '../daemon-api.js';

/** A call of the daemon's control interface in the engine's thread. */
export type ControlCall = {
  [Method in CallName]: { readonly method: Method; readonly args: Parameters<DaemonControl[Method]> };
}[CallName];

export type CallName = Exclude<keyof DaemonControl, 'listen'>;

export type CallResult<Method extends CallName> = Awaited<ReturnType<DaemonControl[Method]>>;

/** These lower risk, so they are carried out even if the caller has stopped waiting. */
export const DONE_LATE: ReadonlySet<CallName> = new Set(['pause', 'cancelAll', 'flatten', 'stop']);

export type ToEngine =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly call: ControlCall;
      /** When the caller stops waiting, ms on the monotonic clock that both threads share. */
      readonly until: number;
    }
  | Ready
  /** The loopback listener, which was shut, is there. */
  | { readonly kind: 'opened'; readonly port: number }
  /** The control thread cannot begin. `usage`: trying again cannot cure it. */
  | { readonly kind: 'unable'; readonly usage: boolean; readonly message: string }
  | { readonly kind: 'problem'; readonly text: string };

export interface Ready {
  readonly kind: 'ready';
  /** Port of the loopback listener; `undefined` without one, and while it is `shut`. */
  readonly port: number | undefined;
  /** Why the loopback listener is not there yet, in words. */
  readonly shut?: string | undefined;
}

/** Address of the loopback listener. Port 0 takes any free port. */
export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** When it cannot be had, the daemon goes on without it and tries again; otherwise that ends the start. */
  readonly waits: boolean;
}

export type ToControl =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  /** `usage`: the request itself was wrong. */
  | { readonly kind: 'failed'; readonly id: number; readonly usage: boolean; readonly message: string }
  | { readonly kind: 'event'; readonly event: DaemonEvent }
  /** Sent each second. */
  | { readonly kind: 'status'; readonly status: DaemonStatus }
  /** The strategy with this index was replaced. */
  | { readonly kind: 'strategy'; readonly index: number; readonly strategy: ControlStrategy };

export interface ControlStrategy {
  readonly name: string;
  readonly sha256: string;
  /** Folder of its pair. */
  readonly folder: string;
}

/** What the control thread starts with. */
export interface ControlData {
  readonly heartbeat: SharedArrayBuffer;
  readonly socket: string;
  readonly http: HttpAddress | undefined;
  /** Folder in which the token files are made. */
  readonly state: string;
  /** Folder of the dashboard's files; `undefined`: no dashboard. */
  readonly dashboard: string | undefined;
  /** Folder of backtest runs. */
  readonly runs: string;
  /** How long the engine may be silent before the process is killed, ms. */
  readonly hangMs: number;
  /** How long the engine may be silent before it is written down in whose code, for whoever kills the process earlier, ms. */
  readonly noteMs: number;
  /** By the index that the heart names: whose code ran when it hung. */
  readonly strategies: readonly ControlStrategy[];
}
