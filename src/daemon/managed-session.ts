import { TickwrightError, UsageError } from '../model/errors.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { EndOfOrders, OpenOrderText } from '../runner/session-gateway.js';
import type { SessionObserver } from '../session/session-core.js';
import type { HaltStatus } from './daemon-api.js';
import type { DaemonSession } from './daemon-session.js';

/** One strategy on one pair, before it runs. */
export interface DaemonEntry {
  readonly pair: string;
  readonly strategy: string;
  /** As text, by name. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * Starts its session, which `watch` watches from its first input on.
   *
   * @throws UsageError for what waiting does not mend.
   */
  open(watch: SessionObserver): Promise<DaemonSession>;
}

export interface ManagedSessionOptions {
  readonly entry: DaemonEntry;
  readonly watch: SessionObserver;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** What was halted before it ran; it starts with that. */
  readonly halted: () => HaltStatus | undefined;
  readonly onRunning: (session: DaemonSession) => void;
  /** Its strategy threw: it is stopped, and its orders are canceled. */
  readonly onFailed: (reason: string) => void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Keeps one session running, and apart: what goes wrong in it stops nothing else. */
export class ManagedSession {
  readonly entry: DaemonEntry;
  readonly #options: ManagedSessionOptions;
  #session: DaemonSession | undefined;
  #failure: string | undefined;
  #waitsFor = 'not started yet';
  #cancelRetry: CancelTimer | undefined;
  #opening: Promise<void> = Promise.resolve();
  #ended: Promise<readonly OpenOrderText[]> | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: ManagedSessionOptions) {
    this.entry = options.entry;
    this.#options = options;
  }

  /** While it runs, and after its strategy failed: what it came to is still to be seen. */
  get session(): DaemonSession | undefined {
    return this.#session;
  }

  /** Why its strategy was stopped. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Why there is no session. */
  get reason(): string {
    return this.#failure ?? this.#waitsFor;
  }

  get isRunning(): boolean {
    return this.#session !== undefined && this.#failure === undefined;
  }

  /** Resolves after the first attempt. @throws UsageError for what waiting does not mend */
  async start(): Promise<void> {
    const attempt = this.#open();
    this.#opening = attempt.catch(() => undefined);
    await attempt;
  }

  /** Cancels own orders until they are seen to be gone; the same end, however often it is asked for. Resolves to what is left. */
  stop(orders?: EndOfOrders): Promise<readonly OpenOrderText[]> {
    this.#ended ??= this.#end(orders);
    return this.#ended;
  }

  async #end(orders: EndOfOrders | undefined): Promise<readonly OpenOrderText[]> {
    this.#cancelRetry?.();
    this.#waitsFor = 'stopped';
    await this.#opening;
    if (this.#session === undefined) return [];
    return (await this.#session.stop(orders)).leftOpen;
  }

  async #open(): Promise<void> {
    const { entry, watch, log, halted, onRunning } = this.#options;
    this.#waitsFor = 'starting';
    try {
      const session = await entry.open(watch);
      this.#session = session;
      const halt = halted();
      if (halt !== undefined && session.halted() === undefined)
        session.halt(halt.level, halt.reason, halt.by);
      session.failed.catch((error: unknown) => this.#fail(error));
      onRunning(session);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const reason = error instanceof TickwrightError ? error.message : String(error);
      this.#waitsFor = `cannot start: ${reason}`;
      log.warn('a session cannot start; it is tried again', {
        pair: entry.pair,
        reason,
        afterMs: this.#pauseMs,
      });
      this.#retry();
    }
  }

  #retry(): void {
    if (this.#ended !== undefined) return;
    const { timers, log, entry } = this.#options;
    this.#cancelRetry = timers.after(this.#pauseMs, () => {
      this.#opening = this.#open().catch((error: unknown) => {
        this.#failure = String(error instanceof Error ? error.message : error);
        log.error('a session cannot start', { pair: entry.pair, reason: this.#failure });
        this.#options.onFailed(this.#failure);
      });
    });
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined || this.#ended !== undefined) return;
    const { log, entry, onFailed } = this.#options;
    this.#failure = error instanceof Error ? error.message : String(error);
    log.error('a strategy failed and is stopped; its orders are canceled, its position stays', {
      pair: entry.pair,
      strategy: entry.strategy,
      error: this.#failure,
    });
    onFailed(this.#failure);
    void this.stop().catch((reason: unknown) => {
      log.error('a failed strategy cannot be stopped in order', {
        pair: entry.pair,
        reason: String(reason),
      });
    });
  }
}
