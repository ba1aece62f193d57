/** What the engine's thread and the control thread say to each other. */
import type { DaemonControl, DaemonEvent, DaemonStatus } from '../daemon-api.js';

/** What can be asked of the engine's thread. */
export type ControlCall = {
  [Method in CallName]: { readonly method: Method; readonly args: Parameters<DaemonControl[Method]> };
}[CallName];

export type CallName = Exclude<keyof DaemonControl, 'listen'>;

export type CallResult<Method extends CallName> = Awaited<ReturnType<DaemonControl[Method]>>;

/** What lowers risk is done although whoever asked for it waits no longer. */
export const DONE_LATE: ReadonlySet<CallName> = new Set(['pause', 'cancelAll', 'flatten', 'stop']);

export type ToEngine =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly call: ControlCall;
      /** When nobody waits for it any more, on the clock that both threads share. */
      readonly until: number;
    }
  | Ready
  /** The control thread cannot begin. `usage`: nor could it when it is tried again. */
  | { readonly kind: 'unable'; readonly usage: boolean; readonly message: string }
  | { readonly kind: 'problem'; readonly text: string };

export interface Ready {
  readonly kind: 'ready';
  /** Of the listener on loopback, where there is one. */
  readonly port: number | undefined;
}

export type ToControl =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  /** `usage`: what was asked cannot be. */
  | { readonly kind: 'failed'; readonly id: number; readonly usage: boolean; readonly message: string }
  | { readonly kind: 'event'; readonly event: DaemonEvent }
  /** Each second. */
  | { readonly kind: 'status'; readonly status: DaemonStatus }
  /** Another one runs in the place with this index. */
  | { readonly kind: 'strategy'; readonly index: number; readonly strategy: ControlStrategy };

export interface ControlStrategy {
  readonly name: string;
  readonly sha256: string;
  /** Of its pair. */
  readonly folder: string;
}

/** What the control thread starts with. */
export interface ControlData {
  readonly heartbeat: SharedArrayBuffer;
  readonly socket: string;
  /** Port 0 takes any that is free. */
  readonly http: { readonly host: string; readonly port: number } | undefined;
  /** Files of the tokens are made there. */
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
