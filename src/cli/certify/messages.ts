/** The messages between the threads of a certification. */
import type { RunEnd } from '../../certify/run-scenario.js';
import type { OnDoubt } from '../../engine/order-desk.js';
import type { Limits } from '../../gate/limits.js';

/** What a thread gets at its start. */
export interface CertifyData {
  /** Path of the strategy's file. */
  readonly file: string;
  /** Parameters as text, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly pair: string;
  readonly limits: Limits;
  readonly onDoubt: OnDoubt;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The memory of the `WorkMark`. */
  readonly mark: SharedArrayBuffer;
}

/** Tells a thread to run a job, by its number. */
export interface DoJob {
  readonly job: number;
  readonly scenario: string;
  readonly seed: number;
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'run'; readonly job: number; readonly end: RunEnd }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
