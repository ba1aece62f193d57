import type { DaemonEvent, DaemonStatus } from '../daemon-api.js';
import type { Heartbeat } from './heartbeat.js';
import {
  type CallName,
  type CallResult,
  type ControlCall,
  DONE_LATE,
  type ToControl,
  type ToEngine,
} from './messages.js';

/** The engine's thread did not answer in time. */
export class EngineSilent extends Error {
  /** `isDoneLate`: the request is still carried out once the engine goes on. */
  constructor(ageMs: number, isDoneLate = false) {
    const late = isDoneLate ? '; what was asked is done as soon as it goes on' : '';
    super(`the engine does not answer; its heart beat ${Math.round(ageMs)} ms ago${late}`);
    this.name = 'EngineSilent';
  }
}

/** The request was accepted and has not finished yet; another one is refused meanwhile. */
export class StillUnderWay extends Error {
  constructor(timeoutMs: number) {
    super(`what was asked is under way and not done after ${timeoutMs / 1_000} s; it goes on`);
    this.name = 'StillUnderWay';
  }
}

/** The daemon refused the request. */
export class CallRefused extends Error {
  readonly isUsage: boolean;
  constructor(message: string, isUsage: boolean) {
    super(message);
    this.name = 'CallRefused';
    this.isUsage = isUsage;
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly cancel: () => void;
}

export interface RemoteDaemonOptions {
  readonly post: (message: ToEngine) => void;
  readonly heartbeat: Heartbeat;
  readonly after: (ms: number, task: () => void) => () => void;
  /** Monotonic ms on the clock that both threads share. */
  readonly now: () => number;
}

/** How long a status is awaited while the heart beats: a loaded machine may need this long, ms. */
const STATUS_MS = 700;
/** The heart beats ten times a second. When it has missed some beats, a status is not awaited any longer. */
const PULSE_MS = 400;
const PULSE_LOOK_MS = 100;
const CALL_MS = 4_000;
/** Stopping a session in order and starting it anew takes this long at most, ms. */
const LONG_CALL_MS = 90_000;
const LONG_CALLS: ReadonlySet<CallName> = new Set(['set', 'swap']);
/** Reads fail at once while the engine hangs. Requests to act are sent all the same: they are there when it goes on. */
const READS: ReadonlySet<CallName> = new Set(['status', 'recent', 'candles']);
const MOST_WAITING = 256;
/** The heart beats ten times a second, so this long without a beat means a hang, ms. */
export const HUNG_MS = 2_000;

/** The daemon as the control thread sees it. The engine may hang; then this is what callers are told. */
export class RemoteDaemon {
  readonly #options: RemoteDaemonOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(message: DaemonEvent | DaemonStatus) => void>();
  #calls = 0;
  #last: DaemonStatus | undefined;

  constructor(options: RemoteDaemonOptions) {
    this.#options = options;
  }

  /** Since the engine's last sign of life, ms. */
  get silentMs(): number {
    return this.#options.heartbeat.ageMs;
  }

  take(message: Exclude<ToControl, { readonly kind: 'strategy' }>): void {
    if (message.kind === 'status') {
      this.#last = message.status;
      this.#tell(message.status);
    } else if (message.kind === 'event') this.#tell(message.event);
    else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      waiting?.cancel();
      if (message.kind === 'result') waiting?.resolve(message.value);
      else waiting?.reject(new CallRefused(message.message, message.usage));
    }
  }

  /** @throws EngineSilent, StillUnderWay, CallRefused */
  call<Method extends CallName>(
    method: Method,
    ...args: Extract<ControlCall, { method: Method }>['args']
  ): Promise<CallResult<Method>> {
    if (READS.has(method) && this.silentMs > HUNG_MS) return Promise.reject(new EngineSilent(this.silentMs));
    const timeoutMs = LONG_CALLS.has(method) ? LONG_CALL_MS : CALL_MS;
    return this.#call(method, args, timeoutMs) as Promise<CallResult<Method>>;
  }

  /** The status now; `undefined` when the engine does not answer or its heart does not beat. */
  async freshStatus(): Promise<DaemonStatus | undefined> {
    if (this.silentMs > HUNG_MS) return undefined;
    const answer = this.#call('status', [], STATUS_MS) as Promise<DaemonStatus>;
    const pulse = this.#pulse();
    try {
      return await Promise.race([answer, pulse.isLost]);
    } catch (error) {
      if (error instanceof EngineSilent) return undefined;
      throw error;
    } finally {
      pulse.forget();
      answer.catch(() => undefined);
    }
  }

  /** The status now, or that of a hung engine from before the hang, marked as such. `undefined`: there never was one. */
  async status(): Promise<DaemonStatus | undefined> {
    return (await this.freshStatus()) ?? this.#lastStatus();
  }

  /** Must be called each second: tells listeners when the engine has fallen silent. */
  tellSilence(): void {
    const last = this.silentMs > HUNG_MS ? this.#lastStatus() : undefined;
    if (last !== undefined) this.#tell(last);
  }

  /** Calls `listener` for events as they come and for the status each second; the result ends that. */
  listen(listener: (message: DaemonEvent | DaemonStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #lastStatus(): DaemonStatus | undefined {
    if (this.#last === undefined) return undefined;
    const { silentMs } = this;
    const words = `${new EngineSilent(silentMs).message}: what follows is what it said last`;
    return {
      ...this.#last,
      state: silentMs > HUNG_MS ? 'hung' : this.#last.state,
      problems: [words, ...this.#last.problems],
    };
  }

  /** `isLost` resolves once the heart has missed a few beats. */
  #pulse(): { readonly isLost: Promise<undefined>; readonly forget: () => void } {
    let forget: () => void = () => undefined;
    const isLost = new Promise<undefined>((resolve) => {
      const look = () => {
        if (this.silentMs > PULSE_MS) resolve(undefined);
        else forget = this.#options.after(PULSE_LOOK_MS, look);
      };
      forget = this.#options.after(PULSE_LOOK_MS, look);
    });
    return { isLost, forget: () => forget() };
  }

  #call(method: CallName, args: readonly unknown[], timeoutMs: number): Promise<unknown> {
    if (this.#waiting.size >= MOST_WAITING) return Promise.reject(new EngineSilent(this.silentMs));
    const id = ++this.#calls;
    const until = this.#options.now() + timeoutMs;
    return new Promise((resolve, reject) => {
      const cancel = this.#options.after(timeoutMs, () => {
        this.#waiting.delete(id);
        // The engine is alive and has accepted the call. It may be waiting for the venue.
        const isTaken = LONG_CALLS.has(method) && this.silentMs <= HUNG_MS;
        reject(
          isTaken ? new StillUnderWay(timeoutMs) : new EngineSilent(this.silentMs, DONE_LATE.has(method)),
        );
      });
      this.#waiting.set(id, { resolve, reject, cancel });
      this.#options.post({ kind: 'call', id, until, call: { method, args } as unknown as ControlCall });
    });
  }

  #tell(message: DaemonEvent | DaemonStatus): void {
    for (const listener of this.#listeners) listener(message);
  }
}
