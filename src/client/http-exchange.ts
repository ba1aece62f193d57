import type { Dispatcher } from 'undici';
import type { Timers } from '../ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpResponse } from '../ports/http.js';

type Reason = HttpFailure['reason'];

/** Codes of connections that did not come to be or went away; everything else is `other`. */
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
 * One request and its one answer, with the deadline over all of it. As undici's handler it sees the moment just
 * before the head is written: before that, and only before that, it is certain that nothing was sent.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<HttpResponse>;
  readonly #request: HttpRequest;
  readonly #chunks: Buffer[] = [];
  readonly #cancelDeadline: () => void;
  readonly #onAbort = () => this.#fail('aborted', 'the request was given up');
  #resolve!: (response: HttpResponse) => void;
  #reject!: (failure: HttpFailure) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #sent = false;
  #status = 0;
  #headers: Record<string, string> = {};

  constructor(request: HttpRequest, timers: Timers) {
    this.#request = request;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#cancelDeadline = timers.after(request.deadlineMs, () => {
      this.#fail('timeout', `no complete answer within ${request.deadlineMs} ms`);
    });
    if (request.signal?.aborted === true) this.#onAbort();
    else request.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** True when the outcome is known, e.g. given up while the connection was still being made. */
  get settled(): boolean {
    return this.#settled;
  }

  /** The connection could not be made, or undici would not take the request. */
  failedToStart(error: Error): void {
    this.#failWith(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Undici starts a request again when the connection under it was replaced. Nothing is sent twice here.
    if (this.#settled || this.#sent) {
      controller.abort(new Error('given up'));
      return;
    }
    this.#controller = controller;
    this.#sent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status;
    this.#headers = {};
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.#headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const body = Buffer.concat(this.#chunks).toString('utf8');
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#failWith(error);
  }

  /** Undici's own errors carry options and socket facts: only their code goes on. */
  #failWith(error: Error): void {
    const code = String((error as NodeJS.ErrnoException).code ?? error.name);
    const reason = REASONS[code] ?? (this.#sent ? 'other' : 'refused');
    this.#fail(reason, `${this.#sent ? 'the exchange broke' : 'no connection'} (${code})`);
  }

  #fail(reason: Reason, message: string): void {
    if (!this.#settle()) return;
    this.#reject(
      new HttpFailure(reason, this.#sent, `${this.#request.method} ${pathOf(this.#request)}: ${message}`),
    );
    this.#controller?.abort(new Error('given up'));
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#cancelDeadline();
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

function pathOf(request: HttpRequest): string {
  return URL.canParse(request.url) ? new URL(request.url).pathname : '?';
}
