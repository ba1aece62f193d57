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
  /** Removes secrets from everything that comes from outside, before the session sees it. */
  readonly scrub?: ((text: string) => string) | undefined;
  readonly onTurn: (turn: Turn) => void;
  /**
   * Called when the session acted between turns: it depends on something unrecorded, so a replay proves nothing any more.
   */
  readonly onStray: (error: Error) => void;
}

interface OpenTurn {
  readonly number: number;
  readonly wall: number;
  readonly monotonic: number;
  readonly cause: Cause;
  readonly journalFailed: string | undefined;
  /** Each deed makes its text when the turn is over, so that no order waits for the description. */
  readonly did: (() => Deed)[];
}

/**
 * The ports of a live session, made so that the session is a function of its recorded turns. Each thing from outside gets a
 * turn of its own: the next one waits until every promise that can go on has, and the clocks stand still meanwhile.
 */
export class Recorder {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly transport: HttpTransport;
  /** Watches decisions. */
  readonly observer: SessionObserver;
  readonly #options: RecorderOptions;
  #open: OpenTurn | undefined;
  /**
   * Waiting turns: `#words` holds commands of people, news of the account's other sessions, and timers that fired;
   * `#answers` holds answers to requests, which come after the words.
   */
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

  /** Number of turns that are over. */
  get turns(): number {
    return this.#open === undefined ? this.#turns : this.#turns - 1;
  }

  /** Wraps a journal so that its records and its failure are part of the turns. */
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

  /** Begins the recording: `work` makes the session, in the first turn. */
  start<T>(work: () => Promise<T>): Promise<T> {
    this.#phase = 'recording';
    // A journal that failed before the recording must reach the session as an event of a turn.
    this.#journalFailure = undefined;
    return this.#call({ kind: 'start' }, work);
  }

  /** Runs a command on the session in a turn of its own. */
  command<T>(command: OperatorCommand, work: () => Promise<T>): Promise<T> {
    return this.#call({ kind: 'command', command }, work);
  }

  /** Ends the recording: what comes later is not recorded. Resolves when the last turn is over. */
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
      // Node runs all promise jobs between two callbacks, so the open turn is over.
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
          const headers = knownHeaders(answer.headers, scrub);
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

  /** The question whether a request may leave comes from outside, as its answer does, so it gets a turn of its own. */
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

  /** Runs `work` in a turn of its own: now, or once the open turn and those before it in its queue are over. */
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

  /** Starts the next waiting turn, words first, so that an answer is handled with every command that came before it. */
  #deliverWaiting(): void {
    if (this.#phase === 'recording') (this.#words.shift() ?? this.#answers.shift())?.();
    else for (const deliver of [...this.#words.splice(0), ...this.#answers.splice(0)]) deliver();
  }

  /** Notes a deed. `deed` is called later, so what it describes must not change until then. */
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
