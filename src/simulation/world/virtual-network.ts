import type { Span } from '../../model/fault-rule.js';
import type { Random } from '../../model/random.js';
import type { HttpTransport } from '../../ports/http.js';
import type { AnswerForm, Fate } from '../../venue/faults/fate.js';
import type { FaultyVenue } from '../../venue/http/faulty-venue.js';
import { substituteAnswer } from '../../venue/http/substitute-answer.js';
import { headerOf, type WireAnswer, type WireRequest } from '../../venue/http/wire.js';
import { type ConnectDecision, type ConnectRule, ConnectRules } from './connect-rules.js';
import { Connections } from './connections.js';
import type { Carrier, NetworkUser, Recipient } from './exchange.js';
import type { GroundTruth, SentWrite } from './ground-truth.js';
import type { Scheduler } from './scheduler.js';
import type { Trace } from './trace.js';

export interface NetworkOptions {
  /**
   * One-way latency, ms, uniformly distributed; with probability `tail` ten times as long. Default [5, 30], tail 0.01.
   */
  readonly upMs?: Span | undefined;
  readonly downMs?: Span | undefined;
  readonly tail?: number | undefined;
  readonly connect?: readonly ConnectRule[] | undefined;
  /** The most requests of one life on the lane `poll` that may be under way at once; others wait, unsent. Default 2. */
  readonly pollConnections?: number | undefined;
}

/** The venue at the other end. */
export interface NetworkVenue {
  /** Venue time, ms. */
  now(): number;
  /** Executes a request once. `answer`: the answer for the client; `own`: the venue's answer before faults change it. */
  execute(
    request: WireRequest,
    fate: Fate | undefined,
  ): { readonly answer: WireAnswer; readonly own: WireAnswer };
  readonly faulty: FaultyVenue | undefined;
  /** Headers that every answer carries. */
  headers(): Readonly<Record<string, string>>;
  /** Name of the account that a key belongs to; `undefined` for an unknown key. */
  accountOf(key: string): string | undefined;
}

export interface NetworkParts {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly random: Random;
  readonly truth: GroundTruth;
  readonly venue: NetworkVenue;
  readonly origin: string;
}

const CONNECT_TIMEOUT_MS = 3_000;
/** Just below the timeout of connecting. */
const SLOW_CONNECT_MS = 2_900;
const TAIL_FACTOR = 10;

/** Carries requests of processes to a venue and its answers back, as the undici transport would experience it. */
export class VirtualNetwork implements Carrier {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly truth: GroundTruth;
  readonly origin: string;
  readonly #venue: NetworkVenue;
  readonly #random: Random;
  readonly #rules: ConnectRules;
  readonly #up: Span;
  readonly #down: Span;
  readonly #tail: number;
  readonly #pollConnections: number;
  readonly #onFault: ((name: string) => void)[] = [];
  #requests = 0;
  #isHealed = false;

  constructor(parts: NetworkParts, options: NetworkOptions = {}) {
    this.scheduler = parts.scheduler;
    this.trace = parts.trace;
    this.truth = parts.truth;
    this.origin = parts.origin;
    this.#venue = parts.venue;
    this.#random = parts.random.fork('latency');
    this.#up = options.upMs ?? [5, 30];
    this.#down = options.downMs ?? [5, 30];
    this.#tail = options.tail ?? 0.01;
    this.#pollConnections = options.pollConnections ?? 2;
    const seed = String(parts.random.fork('connect').next());
    this.#rules = new ConnectRules(options.connect ?? [], seed, parts.venue.now());
  }

  get connectDecisions(): readonly ConnectDecision[] {
    return this.#rules.decisions;
  }

  /** Calls the listener when a fault strikes a request, with `connect-…` or the name of its rule. */
  onFault(listener: (name: string) => void): void {
    this.#onFault.push(listener);
  }

  /** Ends faults for all later requests. */
  heal(): void {
    this.#isHealed = true;
  }

  transport(user: NetworkUser): HttpTransport {
    return new Connections(this, user, this.#pollConnections);
  }

  // The methods below serve exchanges.

  nextNumber(): number {
    this.#requests += 1;
    return this.#requests;
  }

  latencies(): { readonly up: number; readonly down: number } {
    return { up: this.#draw(this.#up), down: this.#draw(this.#down) };
  }

  connectFault(request: WireRequest, number: number): ReturnType<Carrier['connectFault']> {
    if (this.#isHealed) return undefined;
    const { method, path } = request;
    const account = this.#venue.accountOf(headerOf(request, 'x-api-key') ?? '');
    const kind = this.#rules.consider({ method, path, account, time: this.#venue.now() }, number);
    if (kind === undefined) return undefined;
    this.#struck(`connect-${kind}`);
    if (kind === 'slow-connect') return { kind, ms: SLOW_CONNECT_MS };
    return { kind, ms: kind === 'connect-timeout' ? CONNECT_TIMEOUT_MS : this.#up[0] + this.#down[0] };
  }

  arrive(request: WireRequest, write: SentWrite | undefined, client: Recipient): void {
    const { scheduler, truth } = this;
    truth.arrived(write, scheduler.now);
    const { faulty } = this.#venue;
    const fate = this.#isHealed ? undefined : faulty?.meet(request);
    if (faulty === undefined || fate === undefined) {
      client.answer(this.#execute(request, write, undefined), WHOLE, 0);
      return;
    }
    for (const { rule } of faulty.plan.latest) this.#struck(rule);
    const { executions, reply, delayMs } = fate;
    // The client may reach its deadline; only an answer that certainly arrives in time needs no look at its clock.
    if (reply.kind !== 'own' || executions[reply.execution] !== 0) client.mayWaitInVain();
    for (const [index, afterMs] of executions.entries()) {
      this.#after(afterMs, () => {
        const answer = this.#execute(request, write, fate);
        if (reply.kind === 'own' && reply.execution === index) client.answer(answer, reply.form, delayMs);
      });
    }
    if (reply.kind === 'own' || reply.kind === 'nothing') return;
    if (reply.kind === 'reset') client.reset(delayMs);
    else {
      // Built when it leaves, so that its date is that of its departure.
      this.#after(delayMs, () => {
        const answer = substituteAnswer(reply, fate, { venue: faulty, headers: this.#venue.headers() });
        client.answer(answer, WHOLE, 0);
      });
    }
  }

  #execute(request: WireRequest, write: SentWrite | undefined, fate: Fate | undefined): WireAnswer {
    const { answer, own } = this.#venue.execute(request, fate);
    this.truth.executed(write, this.#venue.now(), own);
    this.trace.note(this.scheduler.now, 'executed', write?.number ?? request.path);
    return answer;
  }

  #struck(name: string): void {
    for (const listener of this.#onFault) listener(name);
  }

  #after(ms: number, task: () => void): void {
    if (ms <= 0) task();
    else this.scheduler.quietly(this.scheduler.now + ms, task);
  }

  #draw([low, high]: Span): number {
    const ms = low + this.#random.next() * (high - low);
    return this.#random.next() < this.#tail ? ms * TAIL_FACTOR : ms;
  }
}

const WHOLE: AnswerForm = { kind: 'whole' };
