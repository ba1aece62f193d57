import { Books } from '../../src/execution/books.js';
import { Chronicle } from '../../src/execution/chronicle.js';
import type { ExecutionOptions } from '../../src/execution/execution-options.js';
import { Execution } from '../../src/execution/execution.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import type { ExecutionReport } from '../../src/model/report.js';
import { type BotJournal, type Durability, JournalFailed } from '../../src/ports/bot-journal.js';
import { type Log, SILENT } from '../../src/ports/log.js';
import type { LastWord } from '../../src/ports/venue-api.js';
import { decodeJournalRecord } from '../../src/storage/journal/journal-decoder.js';
import { encodeJournalRecord } from '../../src/storage/journal/journal-encoder.js';
import { FakeVenueApi } from './fake-venue-api.js';
import { BTC } from './markets.js';
import { VirtualTime } from './virtual-time.js';

/** A journal in memory that survives its writers: records as the real one encodes them. */
export class MemoryJournal {
  readonly #lines: string[] = [];
  #synced = 0;

  get records(): readonly JournalRecord[] {
    return this.#lines.map((line) => decodeJournalRecord(line));
  }

  append(record: JournalRecord, durability: Durability): void {
    this.#lines.push(encodeJournalRecord(record));
    if (durability === 'durable') this.#synced = this.#lines.length;
  }

  /** What no sync covered is gone. */
  losePower(): void {
    this.#lines.length = this.#synced;
  }

  /** What a start reads. */
  books(): Books {
    const books = new Books();
    for (const record of this.records) books.apply(record);
    return books;
  }
}

type Api = ExecutionOptions['api'];

/** One life of a bot: killed, it asks nothing, hears nothing and writes nothing any more. */
export interface BotLife {
  readonly session: string;
  readonly execution: Execution;
  readonly chronicle: Chronicle;
  readonly reports: readonly ExecutionReport[];
  readonly isDead: boolean;
  kill(): void;
}

export interface LifeOptions extends Partial<ExecutionOptions> {
  /** Called before each record; to kill the life there. */
  readonly onRecord?: (record: JournalRecord, life: BotLife) => void;
  /** The journal takes no record any more once this says so. */
  readonly journalFails?: () => boolean;
}

/** A bot that dies and starts again, with one journal, at one venue. */
export class RestartDesk {
  readonly time = new VirtualTime();
  readonly venue = new FakeVenueApi(this.time, BTC);
  readonly journal = new MemoryJournal();
  readonly errors: string[] = [];
  #lives = 0;

  /** Begins the next life, and lets no time go by. */
  begin({ onRecord, journalFails, ...options }: LifeOptions = {}): BotLife {
    const session = `s${++this.#lives}`;
    const state = { isDead: false };
    const alive = () => !state.isDead;
    const books = this.journal.books();
    const failed = new JournalFailed('the disk is full');
    const port: BotJournal = {
      append: (record, durability) => {
        if (alive()) onRecord?.(record, life);
        if (journalFails?.() === true) throw failed;
        if (alive()) this.journal.append(record, durability);
      },
      get failure() {
        return journalFails?.() === true ? failed : undefined;
      },
    };
    const chronicle = new Chronicle(port, books);
    const log: Log = { ...SILENT, error: (message) => alive() && this.errors.push(message) };
    const wall = this.time.clock.wall();
    chronicle.note({ kind: 'start', session, wall, engine: 'test', hashes: {} }, 'durable');
    const execution = new Execution({
      api: mortal(this.venue, alive),
      market: BTC,
      timers: {
        after: (ms, task) => this.time.timers.after(ms, () => alive() && task()),
        soon: (task) => this.time.timers.soon(() => alive() && task()),
      },
      clock: this.time.clock,
      log,
      session,
      echo: 'oco',
      visibilityMs: 0,
      lateMs: 6_000,
      staleMs: 20_000,
      lists: ['active', 'all'],
      listLimit: 100,
      watchEveryMs: 1_000,
      chronicle,
      ...options,
    });
    const reports: ExecutionReport[] = [];
    execution.reports$.subscribe((report) => alive() && reports.push(report));
    const life: BotLife = {
      session,
      execution,
      chronicle,
      reports,
      get isDead() {
        return state.isDead;
      },
      kill: () => {
        state.isDead = true;
      },
    };
    execution.start();
    return life;
  }

  /** Begins the next life and waits until it knows where it stands. */
  async start(options: LifeOptions = {}): Promise<BotLife> {
    const life = this.begin(options);
    await this.time.until(life.execution.settled());
    return life;
  }
}

/** An API whose answers reach only the living, and whose requests only they can make. */
function mortal(api: Api, alive: () => boolean): Api {
  const never = new Promise<never>(() => undefined);
  const heard = <T>(ask: () => Promise<T>): Promise<T> => {
    if (!alive()) return never;
    return new Promise((resolve, reject) => {
      ask().then(
        (answer) => alive() && resolve(answer),
        (error: unknown) => alive() && reject(error as Error),
      );
    });
  };
  return {
    clock: api.clock,
    cancel: (id) => heard(() => api.cancel(id)),
    cancelMany: (ids) => heard(() => api.cancelMany(ids)),
    order: (id) => heard(() => api.order(id)),
    orders: (state, query) => heard(() => api.orders(state, query)),
    position: (pair) => heard(() => api.position(pair)),
    fills: (query) => heard(() => api.fills(query)),
    place: (market, terms, tag, options, lastWord) => {
      // Who dies while the last word is asked for has sent nothing.
      const word: LastWord = (request) => {
        const refusal = lastWord?.(request);
        return alive() ? refusal : 'dead';
      };
      return heard(() => api.place(market, terms, tag, options, word));
    },
  };
}
