import { counted } from '../../model/counted.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Delivery, Notice, Notifier } from './notifier.js';

export interface OutboxOptions {
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

const MOST_WAITING = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A notice of this age is dropped: nobody is alerted by it any more. */
const OLDEST_MS = 86_400_000;

/** Without the words of the error: they may name the address, which may be a token. */
const UNSENT: Delivery = { kind: 'failed', reason: 'it cannot be sent', retryAfterMs: undefined };

/** The state of a receiver that alerts do not reach. */
export interface Trouble {
  /** Epoch ms of the first failure in a row. */
  readonly since: number;
  /** Reason of the newest failure. */
  readonly reason: string;
  readonly waiting: number;
  /** Notices that were dropped or refused by the receiver: nobody will get them. */
  readonly lost: number;
}

interface Waiting {
  readonly notice: Notice;
  /** Monotonic ms. */
  readonly since: number;
}

/** Notices on their way to one receiver: sent in order, each until it arrives. The sender of a notice never waits. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: Waiting[] = [];
  #dropped = 0;
  #failures = 0;
  #trouble: Pick<Trouble, 'since' | 'reason'> | undefined;
  #lost = 0;
  #isSending = false;
  #cancelRetry: CancelTimer | undefined;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Set while the newest attempt has failed. */
  get trouble(): Trouble | undefined {
    if (this.#trouble === undefined) return undefined;
    return { ...this.#trouble, waiting: this.#waiting.length, lost: this.#lost };
  }

  post(notice: Notice): void {
    if (this.#isClosed) return;
    if (this.#waiting.length >= MOST_WAITING) this.#makeRoom();
    this.#waiting.push({ notice, since: this.#options.clock.monotonic() });
    this.#next();
  }

  /** Resolves when all notices have arrived, or after `graceMs`; after that nothing is sent. */
  async close(graceMs: number): Promise<void> {
    const { timers, log, notifier } = this.#options;
    if (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        const cancel = timers.after(graceMs, resolve);
        this.#onIdle = () => {
          cancel();
          resolve();
        };
        // The process is about to end, so the pause before the next attempt is cut short.
        this.#cancelRetry?.();
        this.#cancelRetry = undefined;
        this.#next();
      });
    }
    this.#isClosed = true;
    this.#cancelRetry?.();
    if (this.#waiting.length > 0) {
      log.warn('alerts were not delivered before the end', {
        to: notifier.name,
        count: this.#waiting.length,
      });
    }
    await notifier.close();
  }

  /** Drops the oldest notice that is not critical, else the oldest; never the one that is being sent. */
  #makeRoom(): void {
    const from = this.#isSending ? 1 : 0;
    const least = this.#waiting.findIndex(({ notice }, at) => at >= from && notice.severity !== 'critical');
    this.#waiting.splice(least === -1 ? from : least, 1);
    this.#dropped++;
    this.#lost++;
  }

  #next(): void {
    if (this.#isSending || this.#isClosed || this.#cancelRetry !== undefined) return;
    const first = this.#waiting[0];
    if (first === undefined) {
      this.#onIdle?.();
      return;
    }
    this.#isSending = true;
    void this.#send(first).finally(() => {
      this.#isSending = false;
      this.#next();
    });
  }

  async #send(waiting: Waiting): Promise<void> {
    const { notifier, clock, timers, log } = this.#options;
    const told = this.#dropped;
    // A notifier that rejects is one that failed: to ask it again at once would be a loop that nothing else gets out of.
    const delivery = await notifier.send(withDropped(waiting.notice, told)).catch(() => UNSENT);
    if (this.#isClosed) return;
    if (delivery.kind === 'delivered') {
      if (this.#failures > 0) log.info('alerts arrive again', { to: notifier.name });
      this.#failures = 0;
      // Those that were dropped while it was under way are told with the next one.
      this.#dropped -= told;
      this.#trouble = undefined;
      this.#lost = 0;
      this.#waiting.shift();
      return;
    }
    const { reason } = delivery;
    this.#trouble = { since: this.#trouble?.since ?? clock.wall(), reason };
    if (this.#failures++ === 0) log.warn('an alert does not arrive', { to: notifier.name, reason });
    if (delivery.kind === 'refused' || clock.monotonic() - waiting.since > OLDEST_MS) {
      log.warn('an alert is given up', { to: notifier.name, reason, title: waiting.notice.title });
      this.#lost++;
      this.#waiting.shift();
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS);
    this.#cancelRetry = timers.after(Math.max(pause, delivery.retryAfterMs ?? 0), () => {
      this.#cancelRetry = undefined;
      this.#next();
    });
  }
}

function withDropped(notice: Notice, dropped: number): Notice {
  if (dropped === 0) return notice;
  const were = dropped === 1 ? 'was' : 'were';
  return { ...notice, lines: [...notice.lines, `${counted(dropped, 'alert')} before it ${were} dropped`] };
}
