import type { Dispatcher } from 'undici';
import type { Timers } from '../ports/clock.js';
import { HttpFailure, type HttpHead, type HttpRequest, type HttpResponse } from '../ports/http.js';

type Reason = HttpFailure['reason'];

/** Reasons by error code, for connections that failed or were closed; every other code is `other`. */
const REASONS: Readonly<Record<string, Reason>> = {
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
};

/**
 * One request and its one answer, under one deadline. The sender calls `start` just before the first byte is written: before
 * that call, and only then, it is certain that nothing was sent.
 */
export class HttpExchange {
  readonly response: Promise<HttpResponse>;
  readonly #request: HttpRequest;
  readonly #chunks: Buffer[] = [];
  readonly #timers: Timers;
  #cancelDeadline: (() => void) | undefined;
  readonly #onAbort = () => this.giveUp();
  #resolve!: (response: HttpResponse) => void;
  #reject!: (failure: HttpFailure) => void;
  #abort: (() => void) | undefined;
  #settled = false;
  #sent = false;
  #head: HttpHead | undefined;

  constructor(request: HttpRequest, timers: Timers) {
    this.#request = request;
    this.#timers = timers;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (request.signal?.aborted === true) this.#onAbort();
    else request.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The outcome is known, e.g. the exchange was given up while its connection was being made. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Starts the deadline: in the turn that sends the request, but after the sending, so that no order waits for a timer. */
  limit(): void {
    if (this.#settled) return;
    const { deadlineMs } = this.#request;
    this.#cancelDeadline = this.#timers.after(deadlineMs, () => {
      this.#fail('timeout', `no complete answer within ${Math.round(deadlineMs)} ms`);
    });
  }

  /** Call it just before the first byte. Returns false when nothing may be written: given up, or sent already. */
  start(abort: () => void): boolean {
    if (this.#settled || this.#sent) return false;
    this.#abort = abort;
    this.#sent = true;
    return true;
  }

  giveUp(): void {
    this.#fail('aborted', 'the request was given up');
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#head = { status, headers };
  }

  data(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  end(): void {
    if (!this.#settle()) return;
    const [only] = this.#chunks;
    const whole = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    this.#resolve({ status, headers, body: whole.toString('utf8') });
  }

  /**
   * Takes an error of the connection or the reader. Only its code
   * is passed on: the error may carry options and addresses.
   */
  failed(error: Error): void {
    const code = String((error as NodeJS.ErrnoException).code ?? error.name);
    const reason = REASONS[code] ?? (this.#sent ? 'other' : 'refused');
    this.#fail(reason, `${this.#sent ? 'the exchange broke' : 'no connection'} (${code})`, code);
  }

  #fail(reason: Reason, message: string, detail?: string): void {
    if (!this.#settle()) return;
    this.#reject(
      new HttpFailure(reason, this.#sent, `${this.#request.method} ${pathOf(this.#request)}: ${message}`, {
        ...(detail === undefined ? {} : { detail }),
        ...(this.#head === undefined ? {} : { head: this.#head }),
      }),
    );
    this.#abort?.();
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#cancelDeadline?.();
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

/** An exchange as undici takes it. */
export function dispatchHandler(exchange: HttpExchange): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      const giveUp = () => controller.abort(new Error('given up'));
      // Undici restarts a request whose connection was replaced. `start` refuses that, so that nothing is sent twice.
      if (!exchange.start(giveUp)) giveUp();
    },
    onResponseStart(_controller, status, headers) {
      const texts: Record<string, string> = {};
      for (const name in headers) {
        const value = headers[name];
        if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(', ') : value;
      }
      exchange.head(status, texts);
    },
    onResponseData: (_controller, chunk) => exchange.data(chunk),
    onResponseEnd: () => exchange.end(),
    onResponseError: (_controller, error) => exchange.failed(error),
  };
}

function pathOf(request: HttpRequest): string {
  return URL.canParse(request.url) ? new URL(request.url).pathname : '?';
}
