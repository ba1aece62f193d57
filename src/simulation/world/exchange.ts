import type { CancelTimer } from '../../ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpResponse } from '../../ports/http.js';
import type { AnswerForm } from '../../venue/faults/fate.js';
import { NO_BODY, splitTarget, type WireAnswer, type WireRequest } from '../../venue/http/wire.js';
import type { ConnectFaultKind } from './connect-rules.js';
import type { GroundTruth, SentWrite } from './ground-truth.js';
import type { Scheduler } from './scheduler.js';
import type { Trace } from './trace.js';

/** The part of a process that the network needs. */
export interface NetworkUser {
  readonly name: string;
  readonly isAlive: boolean;
  monotonic(): number;
  /** Passes a crash point. Returns false if the process is dead or dies there. */
  pass(point: string): boolean;
  /** Runs `task` when the process can run and its monotonic clock shows `due` or more; never if it is dead. */
  whenReady(due: number, task: () => void): void;
  /** A timer of the process without crash points. */
  quietly(ms: number, task: () => void): CancelTimer;
}

/** The waiting side of an exchange, to which the venue replies. */
export interface Recipient {
  /** Sends these bytes to the client after `delayMs`. */
  answer(answer: WireAnswer, form: AnswerForm, delayMs: number): void;
  reset(delayMs: number): void;
  /** Notes that possibly nothing arrives before the deadline. */
  mayWaitInVain(): void;
}

/** The part of the network that an exchange needs. */
export interface Carrier {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly truth: GroundTruth;
  readonly origin: string;
  /** Numbers all requests, from 1. */
  nextNumber(): number;
  /**
   * Latencies of a request in both directions, ms. Both are always drawn, so that a fault does not shift the draws of
   * other requests.
   */
  latencies(): { readonly up: number; readonly down: number };
  /**
   * Why there is no connection, and after how many ms that is known; or after how many ms there is one. `undefined`: it
   * is established at once.
   */
  connectFault(
    request: WireRequest,
    number: number,
  ): { readonly kind: ConnectFaultKind; readonly ms: number } | undefined;
  /** Delivers a request to the venue, which treats it by its fate and replies to the recipient. */
  arrive(request: WireRequest, write: SentWrite | undefined, recipient: Recipient): void;
}

/** The same limit as that of the undici transport. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

type Reason = HttpFailure['reason'];

const CONNECT_REASONS: Readonly<
  Record<Exclude<ConnectFaultKind, 'slow-connect'>, { readonly reason: Reason; readonly code: string }>
> = {
  refused: { reason: 'refused', code: 'ECONNREFUSED' },
  'no-such-host': { reason: 'refused', code: 'ENOTFOUND' },
  'connect-timeout': { reason: 'timeout', code: 'UND_ERR_CONNECT_TIMEOUT' },
};

interface Settle {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (failure: HttpFailure) => void;
  readonly done: () => void;
}

/** Names of crash points and trace entries for one kind of request. Cached, because there are few kinds. */
interface Names {
  readonly leaving: string;
  readonly left: string;
  readonly answering: string;
  readonly answered: string;
  readonly request: string;
  readonly answer: string;
}

const NAMES = new Map<string, Names>();

function namesOf(method: string, path: string): Names {
  const kind = `${method} ${path}`;
  let names = NAMES.get(kind);
  if (names === undefined) {
    names = {
      leaving: `http.${kind}.before`,
      left: `http.${kind}.after`,
      answering: `answer.${kind}.before`,
      answered: `answer.${kind}.after`,
      request: `${kind} leaves`,
      answer: `${kind} is answered`,
    };
    NAMES.set(kind, names);
  }
  return names;
}

/** One request with its reply, under a common deadline. */
export class Exchange implements Recipient {
  readonly isPoll: boolean;
  readonly #network: Carrier;
  readonly #user: NetworkUser;
  readonly #request: HttpRequest;
  readonly #wire: WireRequest;
  readonly #names: Names;
  readonly #settle: Settle;
  /** The deadline by the process's monotonic clock, ms. */
  readonly #deadline: number;
  readonly #onAbort = () => this.#learn(() => this.#fail('aborted', 'the request was given up'));
  #cancelDeadline: CancelTimer | undefined;
  #write: SentWrite | undefined;
  #downMs = 0;
  #isSent = false;
  #isSettled = false;

  constructor(network: Carrier, user: NetworkUser, request: HttpRequest, settle: Settle) {
    this.#network = network;
    this.#user = user;
    this.#request = request;
    this.#wire = wireRequest(request, network.origin);
    this.#names = namesOf(request.method, this.#wire.path);
    this.#settle = settle;
    this.#deadline = user.monotonic() + request.deadlineMs;
    this.isPoll = request.lane !== 'order';
    request.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Sends the request, in whole or not at all; after a slow connect it does so later. */
  leave(): void {
    if (!this.#user.pass(this.#names.leaving)) return;
    const number = this.#network.nextNumber();
    const { up, down } = this.#network.latencies();
    this.#downMs = down;
    const fault = this.#network.connectFault(this.#wire, number);
    if (fault === undefined) this.#send(number, up);
    else if (fault.kind === 'slow-connect') this.#in(fault.ms, () => this.#connected(number, up));
    else {
      const { reason, code } = CONNECT_REASONS[fault.kind];
      this.#in(fault.ms, () => this.#fail(reason, `no connection (${code})`));
    }
  }

  #connected(number: number, up: number): void {
    const { mayLeave = (answer) => answer(true) } = this.#request;
    mayLeave((may) => {
      if (this.#isSettled) return;
      // Connecting took a part of its time.
      this.mayWaitInVain();
      if (may) this.#send(number, up);
      else this.#fail('aborted', 'the request was given up');
    });
  }

  #send(number: number, up: number): void {
    const { scheduler, trace, truth } = this.#network;
    const { url, body } = this.#request;
    trace.note(scheduler.now, this.#names.request, body ?? url);
    this.#isSent = true;
    const { path } = this.#wire;
    this.#write = truth.left({ number, life: this.#user.name, path, sentAt: scheduler.now, body });
    if (up + this.#downMs >= this.#request.deadlineMs) this.mayWaitInVain();
    scheduler.quietly(scheduler.now + up, () => {
      this.#network.arrive(this.#wire, this.#write, this);
    });
    this.#user.pass(this.#names.left);
  }

  answer(answer: WireAnswer, form: AnswerForm, delayMs: number): void {
    const ms = delayMs + this.#downMs;
    switch (form.kind) {
      case 'whole':
        this.#arriveIn(ms, answer.status, answer);
        return;
      case 'padded': {
        // An answer that exceeds the limit is not built, only its failure is.
        const isTooLarge = answer.body.length + form.bytes > MAX_RESPONSE_BYTES;
        if (isTooLarge) this.#in(ms, () => this.#broke('too-large', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'));
        else this.#arriveIn(ms, answer.status, { ...answer, body: answer.body + ' '.repeat(form.bytes) });
        return;
      }
      case 'truncated': {
        const bytes = Buffer.from(answer.body);
        const part = bytes.subarray(0, Math.floor(bytes.length * form.keep));
        const isWhole = form.framing === 'whole' || part.length === bytes.length;
        if (isWhole) this.#arriveIn(ms, answer.status, { ...answer, body: part.toString('utf8') });
        else this.#in(ms, () => this.#broke('reset', 'ECONNRESET'));
        return;
      }
      case 'trickle': {
        const pieces = Math.max(1, Math.ceil(Buffer.byteLength(answer.body) / form.bytes));
        this.#arriveIn(ms + pieces * form.everyMs, answer.status, answer);
      }
    }
  }

  reset(delayMs: number): void {
    this.#in(delayMs + this.#downMs, () => this.#broke('reset', 'ECONNRESET'));
  }

  mayWaitInVain(): void {
    if (this.#isSettled || this.#cancelDeadline !== undefined) return;
    this.#cancelDeadline = this.#user.quietly(this.#deadline - this.#user.monotonic(), () => {
      this.#learn(() => this.#timeOut());
    });
  }

  /** Closes the connection on behalf of its owner. */
  destroy(): void {
    this.#learn(() => {
      if (!this.#isSent) this.#fail('refused', 'no connection (closed)');
      else if (this.isPoll) this.#broke('other', 'UND_ERR_DESTROYED');
      else this.#broke('reset', 'ECONNRESET');
    });
  }

  #arriveIn(ms: number, status: number, { headers, body }: WireAnswer): void {
    this.#in(ms, () => {
      this.#network.trace.note(this.#network.scheduler.now, this.#names.answer, status * 1e6 + body.length);
      if (!this.#end(status)) return;
      this.#settle.resolve({ status, headers, body });
      this.#settle.done();
    });
  }

  /** Lets the process learn something after `ms` of the world's time, or when it can run again. */
  #in(ms: number, task: () => void): void {
    const { scheduler } = this.#network;
    if (this.#user.monotonic() + ms >= this.#deadline) this.mayWaitInVain();
    scheduler.quietly(scheduler.now + ms, () => {
      if (this.#isSettled) return;
      this.#user.whenReady(0, () => {
        this.#learn(() => {
          // The process may have been suspended beyond the deadline, which takes precedence.
          if (this.#user.monotonic() >= this.#deadline) this.#timeOut();
          else task();
        });
      });
    });
  }

  #learn(task: () => void): void {
    if (this.#isSettled || !this.#user.pass(this.#names.answering)) return;
    task();
    this.#network.scheduler.wake(() => {
      this.#user.pass(this.#names.answered);
    });
  }

  #timeOut(): void {
    this.#fail('timeout', `no complete answer within ${Math.round(this.#request.deadlineMs)} ms`);
  }

  #broke(reason: Reason, code: string): void {
    this.#fail(reason, `the exchange broke (${code})`);
  }

  #fail(reason: Reason, message: string): void {
    this.#network.trace.note(this.#network.scheduler.now, this.#names.answer, reason);
    if (!this.#end(reason)) return;
    const { method } = this.#request;
    this.#settle.reject(new HttpFailure(reason, this.#isSent, `${method} ${this.#wire.path}: ${message}`));
    this.#settle.done();
  }

  #end(outcome: number | Reason): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#cancelDeadline?.();
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    this.#network.truth.settled(this.#write, outcome, this.#isSent);
    return true;
  }
}

function wireRequest({ method, url, headers, body }: HttpRequest, origin: string): WireRequest {
  const { path, query } = splitTarget(url.slice(origin.length));
  const bytes = body === undefined ? NO_BODY : new TextEncoder().encode(body);
  return { method, path, query, headers: lowerCase(headers), body: bytes };
}

/** Whether a header name is in lower case. Cached, because there are few names. */
const LOWER = new Map<string, boolean>();

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const name in headers) {
    if (isLowerCase(name)) continue;
    return Object.fromEntries(Object.entries(headers).map(([each, value]) => [each.toLowerCase(), value]));
  }
  return headers;
}

function isLowerCase(name: string): boolean {
  let isLower = LOWER.get(name);
  if (isLower === undefined) {
    isLower = name === name.toLowerCase();
    LOWER.set(name, isLower);
  }
  return isLower;
}
