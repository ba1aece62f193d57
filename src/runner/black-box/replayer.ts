import type { JournalRecord } from '../../model/journal-record.js';
import { type BotJournal, type Durability, JournalFailed } from '../../ports/bot-journal.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpResponse, type HttpTransport } from '../../ports/http.js';
import type { SessionObserver } from '../../session/session-core.js';
import { decisionDeed, recordDeed, requestDeed } from './deeds.js';
import { type Deed, deedKind, type DeedKind, type OperatorCommand, type Turn } from './turn.js';

/** Where the recording and the computation part, within a turn. */
export interface TurnDifference {
  /**
   * - `request`, `record`, `decision`: the two sides differ, or only one side has it
   * - `input`: nobody waits for what the turn brings, or the engine saw another number of inputs
   * - `timers`: another number of timers was set
   * - `error`: the session threw
   */
  readonly kind: DeedKind | 'input' | 'timers' | 'error';
  readonly recorded: unknown;
  readonly recomputed: unknown;
}

export interface ReplayedSession {
  start(): Promise<unknown>;
  command(command: OperatorCommand): Promise<unknown>;
}

/** The ports of a session that is executed again on recorded turns. Nothing that it does reaches the outside world. */
export class Replayer {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly transport: HttpTransport;
  readonly journal: BotJournal;
  readonly observer: SessionObserver;
  readonly #drain: () => Promise<void>;
  readonly #tasks = new Map<number, () => void>();
  readonly #exchanges = new Map<
    number,
    {
      readonly resolve: (response: HttpResponse) => void;
      readonly reject: (failure: HttpFailure) => void;
      readonly mayLeave: HttpRequest['mayLeave'];
    }
  >();
  #turn: Turn | undefined;
  #did: Deed[] = [];
  #timersSet = 0;
  #requests = 0;
  #inputs = 0;
  #journalFailure: JournalFailed | undefined;

  /** `drain` resolves when all pending promise jobs have run. */
  constructor(drain: () => Promise<void>) {
    this.#drain = drain;
    this.clock = {
      wall: () => this.#turn?.wall ?? 0,
      monotonic: () => this.#turn?.monotonic ?? 0,
    };
    this.timers = { after: (_, task) => this.#timer(task), soon: (task) => this.#timer(task) };
    this.transport = {
      exchange: (request) => this.#exchange(request),
      close: () => Promise.resolve(),
    };
    const failure = () => this.#journalFailure;
    this.journal = {
      append: (record, durability) => this.#append(record, durability),
      get failure() {
        return failure();
      },
    };
    this.observer = {
      input: (input) => {
        this.#inputs = input;
      },
      decision: (...decision) => void this.#did.push(decisionDeed(...decision)),
    };
  }

  /** Executes one turn; `undefined`: the session did exactly what the recording says. */
  async live(turn: Turn, session: ReplayedSession): Promise<TurnDifference | undefined> {
    this.#turn = turn;
    this.#did = [];
    const { cause, journalFailed } = turn;
    if (journalFailed !== undefined) this.#journalFailure = new JournalFailed(journalFailed);
    switch (cause.kind) {
      case 'start':
        session.start().catch(() => undefined);
        break;
      case 'command':
        session.command(cause.command).catch(() => undefined);
        break;
      case 'timer': {
        const task = this.#tasks.get(cause.timer);
        if (task === undefined) return nobody(`timer ${cause.timer}`);
        this.#tasks.delete(cause.timer);
        try {
          task();
        } catch (error) {
          return { kind: 'error', recorded: 'none', recomputed: String(error) };
        }
        break;
      }
      case 'connected': {
        const mayLeave = this.#exchanges.get(cause.request)?.mayLeave;
        if (mayLeave === undefined) return nobody(`the connection of request ${cause.request}`);
        mayLeave(() => undefined);
        break;
      }
      case 'answer':
      case 'failure': {
        const exchange = this.#exchanges.get(cause.request);
        if (exchange === undefined) return nobody(`the ${cause.kind} of request ${cause.request}`);
        this.#exchanges.delete(cause.request);
        if (cause.kind === 'failure') {
          exchange.reject(new HttpFailure(cause.reason, cause.sent, cause.message));
        } else exchange.resolve({ status: cause.status, headers: cause.headers, body: cause.body });
      }
    }
    await this.#drain();
    return this.#compared(turn);
  }

  #compared({ did, timers, inputs }: Turn): TurnDifference | undefined {
    const count = Math.max(did.length, this.#did.length);
    for (let at = 0; at < count; at++) {
      const recorded = did[at];
      const recomputed = this.#did[at];
      if (recorded === recomputed || normal(recorded) === normal(recomputed)) continue;
      const kind = deedKind((recorded ?? recomputed) as Deed);
      return { kind, recorded: parsed(recorded), recomputed: parsed(recomputed) };
    }
    if (inputs !== this.#inputs) {
      return { kind: 'input', recorded: `${inputs} inputs`, recomputed: `${this.#inputs} inputs` };
    }
    if (timers !== this.#timersSet) {
      return { kind: 'timers', recorded: `${timers} timers`, recomputed: `${this.#timersSet} timers` };
    }
    return undefined;
  }

  #timer(task: () => void): CancelTimer {
    const timer = ++this.#timersSet;
    this.#tasks.set(timer, task);
    return () => {
      this.#tasks.delete(timer);
    };
  }

  #exchange(request: HttpRequest): Promise<HttpResponse> {
    const number = ++this.#requests;
    this.#did.push(requestDeed(number, request));
    return new Promise((resolve, reject) => {
      this.#exchanges.set(number, { resolve, reject, mayLeave: request.mayLeave });
    });
  }

  #append(record: JournalRecord, durability: Durability): void {
    const failed = failureIn(this.#turn?.did[this.#did.length]);
    this.#did.push(recordDeed(record, durability, failed));
    if (failed === undefined) return;
    this.#journalFailure = new JournalFailed(failed);
    throw this.#journalFailure;
  }
}

function nobody(what: string): TurnDifference {
  return { kind: 'input', recorded: what, recomputed: 'nothing that waits for it' };
}

/** The recorded failure of a journal write, which comes from outside; `undefined`: the write worked. */
function failureIn(deed: Deed | undefined): string | undefined {
  if (deed === undefined || deedKind(deed) !== 'record' || !deed.endsWith('"}')) return undefined;
  const { failed } = JSON.parse(deed) as { readonly failed?: unknown };
  return typeof failed === 'string' ? failed : undefined;
}

/** Reads and writes JSON again, so that deeds that differ only in their text compare as equal. */
function normal(deed: Deed | undefined): string | undefined {
  return deed === undefined ? undefined : JSON.stringify(JSON.parse(deed));
}

function parsed(deed: Deed | undefined): unknown {
  return deed === undefined ? 'nothing' : (JSON.parse(deed) as unknown);
}
