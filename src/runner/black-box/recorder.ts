import { TickwrightError } from '../../model/errors.js';
import type { JournalRecord } from '../../model/journal-record.js';
import { type BotJournal, type Durability, JournalFailed } from '../../ports/bot-journal.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpResponse, type HttpTransport } from '../../ports/http.js';
import type { SessionObserver } from '../../session/session-core.js';
import { decisionDeed, recordDeed, requestDeed } from './deeds.js';
import { type Cause, type Deed, knownHeaders, type OperatorCommand, type Turn } from './turn.js';

export interface RecorderOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly transport: HttpTransport;
  /** Takes secrets out of whatever comes from outside, before the session sees it. */
  readonly scrub?: ((text: string) => string) | undefined;
  readonly onTurn: (turn: Turn) => void;
  /** The session did something between turns: it depends on what is not recorded, and the record is no proof any more. */
  readonly onStray: (error: Error) => void;
}

interface OpenTurn {
  readonly number: number;
  readonly wall: number;
  readonly monotonic: number;
  readonly cause: Cause;
  readonly journalFailed: string | undefined;
  /** Each as its text, made when the turn is over: an order does not wait until it is described. */
  readonly did: (() => Deed)[];
}

/**
 * The ports of a live session, made so that it becomes a function of its turns. Each thing that comes from outside gets
 * a turn of its own: nothing else comes until all promises have gone on that could. The clocks stand still meanwhile.
 */
export class Recorder {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly transport: HttpTransport;
  /** Watches decisions. */
  readonly observer: SessionObserver;
  readonly #options: RecorderOptions;
  #open: OpenTurn | undefined;
  /** What people and the account's other sessions have said, and timers that fired meanwhile, in this order: they are first. */
  readonly #words: (() => void)[] = [];
  readonly #answers: (() => void)[] = [];
  #phase: 'before' | 'recording' | 'over' = 'before';
  #turns = 0;
  #timersSet = 0;
  #requests = 0;
  #inputs = 0;
  #journal: BotJournal | undefined;
  #journalFailure: JournalFailed | undefined;

  constructor(options: RecorderOptions) {
    const { clock, timers, transport } = options;
    this.#options = options;
    this.clock = {
      wall: () => this.#open?.wall ?? clock.wall(),
      monotonic: () => this.#open?.monotonic ?? clock.monotonic(),
    };
    this.timers = {
      after: (ms, task) => this.#timer(task, (fire) => timers.after(ms, fire)),
      soon: (task) => this.#timer(task, (fire) => timers.soon(fire)),
    };
    this.transport = {
      exchange: (request) => this.#exchange(request),
      expectOrders: (expected) => transport.expectOrders?.(expected),
      close: () => transport.close(),
    };
    this.observer = {
      input: (input) => {
        this.#inputs = input;
      },
      decision: (...decision) => this.#did(() => decisionDeed(...decision)),
    };
  }

  /** Turns that are over. */
  get turns(): number {
    return this.#open === undefined ? this.#turns : this.#turns - 1;
  }

  /** A journal whose records and whose failure are part of the turns. */
  journal(inner: BotJournal): BotJournal {
    this.#journal = inner;
    const failure = () => (this.#phase === 'recording' ? this.#journalFailure : inner.failure);
    return {
      append: (record, durability) => this.#append(inner, record, durability),
      get failure() {
        return failure();
      },
    };
  }

  /** The session begins: `work` makes it, in the first turn. */
  start<T>(work: () => Promise<T>): Promise<T> {
    this.#phase = 'recording';
    // A journal that has failed by now is news to the session.
    this.#journalFailure = undefined;
    return this.#call({ kind: 'start' }, work);
  }

  /** Somebody asks something of the session. */
  command<T>(command: OperatorCommand, work: () => Promise<T>): Promise<T> {
    return this.#call({ kind: 'command', command }, work);
  }

  /** The session is over: what still comes is not recorded. Resolves when the last turn is. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#options.timers.soon(resolve);
    });
    this.#close();
    this.#phase = 'over';
    this.#deliverWaiting();
  }

  #call<T>(cause: Cause, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#deliver(this.#words, cause, () => {
        work().then(resolve, reject);
      });
    });
  }

  #timer(task: () => void, set: (fire: () => void) => CancelTimer): CancelTimer {
    const timer = ++this.#timersSet;
    this.#mustBeOpen('set a timer');
    let isCanceled = false;
    const fire = () => {
      if (isCanceled) this.#deliverWaiting();
      else this.#turn({ kind: 'timer', timer }, task);
    };
    const cancel = set(() => {
      // Node runs all promises between two callbacks: what was open is over.
      this.#close();
      if (this.#words.length === 0) {
        fire();
        return;
      }
      this.#words.push(fire);
      this.#deliverWaiting();
    });
    return () => {
      isCanceled = true;
      cancel();
    };
  }

  #exchange(request: HttpRequest): Promise<HttpResponse> {
    const number = ++this.#requests;
    const { transport, scrub = (text: string) => text } = this.#options;
    this.#did(() => requestDeed(number, request));
    return new Promise((resolve, reject) => {
      transport.exchange(this.#asked(number, request)).then(
        (answer) => {
          const { status } = answer;
          const headers = knownHeaders(answer.headers);
          const body = scrub(answer.body);
          this.#deliver(this.#answers, { kind: 'answer', request: number, status, headers, body }, () =>
            resolve({ status, headers, body }),
          );
        },
        (error: unknown) => {
          const { reason, sent, message } = asFailure(error);
          const failure = new HttpFailure(reason, sent, scrub(message));
          const facts = { reason, sent, message: failure.message };
          this.#deliver(this.#answers, { kind: 'failure', request: number, ...facts }, () => reject(failure));
        },
      );
    });
  }

  /** That it is asked whether it may leave comes from outside, like its answer. */
  #asked(number: number, request: HttpRequest): HttpRequest {
    const { mayLeave } = request;
    if (mayLeave === undefined) return request;
    return {
      ...request,
      mayLeave: (answer) => {
        this.#deliver(this.#answers, { kind: 'connected', request: number }, () => mayLeave(answer));
      },
    };
  }

  #append(inner: BotJournal, record: JournalRecord, durability: Durability): void {
    try {
      inner.append(record, durability);
    } catch (error) {
      if (!(error instanceof JournalFailed)) throw error;
      this.#journalFailure = error;
      this.#did(() => recordDeed(record, durability, error.message));
      throw error;
    }
    this.#did(() => recordDeed(record, durability));
  }

  /** In a turn of its own: now, or when the one that is open is over and those before it in its queue. */
  #deliver(queue: (() => void)[], cause: Cause, work: () => void): void {
    if (this.#phase === 'recording' && this.#open !== undefined) {
      queue.push(() => this.#turn(cause, work));
    } else this.#turn(cause, work);
  }

  #turn(cause: Cause, work: () => void): void {
    if (this.#phase !== 'recording') {
      work();
      return;
    }
    const { clock, timers } = this.#options;
    const failure = this.#journal?.failure;
    const isNews = failure !== undefined && this.#journalFailure === undefined;
    if (isNews) this.#journalFailure = failure;
    const turn: OpenTurn = {
      number: ++this.#turns,
      wall: clock.wall(),
      monotonic: clock.monotonic(),
      cause,
      journalFailed: isNews ? failure.message : undefined,
      did: [],
    };
    this.#open = turn;
    timers.soon(() => {
      if (this.#open !== turn) return;
      this.#close();
      this.#deliverWaiting();
    });
    work();
  }

  #close(): void {
    const turn = this.#open;
    if (turn === undefined) return;
    this.#open = undefined;
    const did = turn.did.map((deed) => deed());
    this.#options.onTurn({ ...turn, did, timers: this.#timersSet, inputs: this.#inputs });
  }

  /** The next one; the others wait for the end of its turn. No answer is decided on what a word has changed by then. */
  #deliverWaiting(): void {
    if (this.#phase === 'recording') (this.#words.shift() ?? this.#answers.shift())?.();
    else for (const deliver of [...this.#words.splice(0), ...this.#answers.splice(0)]) deliver();
  }

  /** `deed` is asked for its text later: nothing that it tells of may change till then. */
  #did(deed: () => Deed): void {
    if (this.#mustBeOpen('act')) this.#open?.did.push(deed);
  }

  #mustBeOpen(what: string): boolean {
    if (this.#phase !== 'recording' || this.#open !== undefined) return this.#phase === 'recording';
    const message = `a session must ${what} in a turn only, received it after turn ${this.#turns}`;
    this.#options.onStray(new TickwrightError('TICKWRIGHT_E_STRAY', message));
    return false;
  }
}

function asFailure(error: unknown): Pick<HttpFailure, 'reason' | 'sent' | 'message'> {
  if (error instanceof HttpFailure) return error;
  return { reason: 'other', sent: true, message: error instanceof Error ? error.message : String(error) };
}
