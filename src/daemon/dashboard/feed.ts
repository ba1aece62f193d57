/** Brings the daemon's events to the page, and detects when the daemon is silent. */
import type { RecentKind } from '../daemon-api.js';
import type { BoardMessage, Link } from './board.js';
import { isRecord, readEvents, readStatus, readStreamed } from './message.js';

export interface Answer {
  readonly status: number;
  /** `undefined` when it is not JSON. */
  readonly body: unknown;
}

export interface FeedPorts {
  /** Opens the stream of events. Calls `onEnd` once, when the stream broke or could not begin. The result closes it. */
  readonly stream: (handlers: {
    readonly onOpen: () => void;
    readonly onData: (data: string) => void;
    readonly onEnd: () => void;
  }) => () => void;
  /** Rejects when no answer comes within `patienceMs` (default: a few seconds). */
  readonly get: (path: string, patienceMs?: number) => Promise<Answer>;
  readonly after: (ms: number, task: () => void) => () => void;
  /** Monotonic ms that go on while the machine sleeps. */
  readonly now: () => number;
}

/** Long lists may take this long; requests that show whether the daemon lives may not. */
export const LIST_MS = 20_000;
const LOOK_MS = 1_000;
/** The stream brings a status each second. After this long without one, the page asks for it. */
const SILENT_MS = 2_500;
/** A stream that stays silent for this long while the engine answers is broken. */
const DEAD_MS = 10_000;
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** After a stream has held for this long, the backoff of the next failure starts from the beginning. */
const GOOD_MS = 10_000;
const RECENT: readonly (readonly [RecentKind, number])[] = [
  ['fill', 500],
  ['log', 300],
  ['refusal', 200],
  ['change', 100],
  ['equity', 8_640],
];

export class Feed {
  readonly #ports: FeedPorts;
  readonly #tell: (message: BoardMessage) => void;
  #failures = 0;
  #openedAt = 0;
  #heardAt = 0;
  /** Number of statuses from the stream. An answer to a request that was sent before the newest of them is outdated. */
  #told = 0;
  #isAsking = false;
  #isOver = false;
  /** Number of the present connection: answers to requests of earlier ones are ignored. */
  #connection = 0;
  #closeStream: () => void = () => undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(ports: FeedPorts, tell: (message: BoardMessage) => void) {
    this.#ports = ports;
    this.#tell = tell;
  }

  start(): void {
    this.#isOver = false;
    void this.#connect();
  }

  stop(): void {
    this.#isOver = true;
    this.#connection++;
    this.#closeStream();
    this.#cancelTimer();
  }

  async #connect(): Promise<void> {
    const connection = ++this.#connection;
    this.#link('connecting', 'asking the daemon');
    let answer: Answer;
    try {
      answer = await this.#ports.get('/api/session');
    } catch {
      if (connection === this.#connection) this.#lost('nothing answers at this address');
      return;
    }
    if (connection !== this.#connection) return;
    if (!this.#isWelcome(answer)) return;
    const { body } = answer;
    if (isRecord(body)) {
      const { scope, csrf } = body;
      const mayControl = scope === 'control' && typeof csrf === 'string';
      this.#tell({
        kind: 'access',
        access: mayControl ? { scope: 'control', csrf } : { scope: 'read', csrf: undefined },
      });
    }
    this.#closeStream = this.#ports.stream({
      onOpen: () => {
        if (connection === this.#connection) this.#opened(connection);
      },
      onData: (data) => {
        if (connection === this.#connection) this.#take(data);
      },
      onEnd: () => {
        if (connection !== this.#connection) return;
        const words = 'the stream could not begin: at most 8 pages may listen at once';
        this.#lost(this.#openedAt === 0 ? words : 'the stream broke');
      },
    });
  }

  #opened(connection: number): void {
    this.#openedAt = this.#ports.now();
    this.#heardAt = this.#openedAt;
    this.#link('open', 'the stream runs');
    for (const [kind, most] of RECENT) void this.#fetchRecent(connection, kind, most);
    this.#lookLater(connection);
  }

  async #fetchRecent(connection: number, of: RecentKind, most: number): Promise<void> {
    try {
      const { status, body } = await this.#ports.get(`/api/recent?kind=${of}&n=${most}`, LIST_MS);
      if (connection === this.#connection && status === 200) {
        this.#tell({ kind: 'recent', of, events: readEvents(body) });
      }
    } catch {
      // The stream goes on, so the list merely begins with the events from now on.
    }
  }

  #take(data: string): void {
    const said = readStreamed(data);
    if (said === undefined) return;
    const at = this.#ports.now();
    this.#heardAt = at;
    if (said.kind === 'event') this.#tell(said);
    // The first status may be the last word of a hung engine. Only the daemon knows its age.
    else if (said.status.state === 'hung') void this.#ask(this.#connection);
    else {
      this.#told++;
      this.#tell({ kind: 'status', status: said.status, at, silentMs: 0 });
    }
  }

  #lookLater(connection: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#ports.after(LOOK_MS, () => {
      if (connection !== this.#connection) return;
      if (this.#ports.now() - this.#heardAt > SILENT_MS) void this.#ask(connection);
      this.#lookLater(connection);
    });
  }

  /** The stream is silent: finds out whether the engine hangs, the stream is broken, or the daemon is gone. */
  async #ask(connection: number): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const told = this.#told;
    const heardAt = this.#heardAt;
    try {
      const [health, answer] = await Promise.all([
        this.#ports.get('/healthz'),
        this.#ports.get('/api/status'),
      ]);
      if (connection !== this.#connection || !this.#isWelcome(answer)) return;
      const status = readStatus(answer.body);
      const silentMs = isRecord(health.body) ? Number(health.body['silentMs']) : Number.NaN;
      const at = this.#ports.now();
      if (status !== undefined && Number.isFinite(silentMs) && told === this.#told) {
        this.#tell({ kind: 'status', status, at, silentMs: status.state === 'hung' ? silentMs : 0 });
      }
      if (status?.state !== 'hung' && at - this.#heardAt > DEAD_MS) this.#lost('the stream was silent');
    } catch {
      // A stream that spoke meanwhile shows that the daemon lives: then it was merely slow to answer.
      if (connection === this.#connection && heardAt === this.#heardAt)
        this.#lost('the daemon does not answer');
    } finally {
      this.#isAsking = false;
    }
  }

  #isWelcome({ status, body }: Answer): boolean {
    if (status >= 200 && status < 300) return true;
    const words = isRecord(body) && typeof body['error'] === 'string' ? body['error'] : `answer ${status}`;
    if (status === 401 || status === 403) {
      this.stop();
      this.#link('over', words);
    } else this.#lost(words);
    return false;
  }

  #lost(reason: string): void {
    if (this.#isOver) return;
    this.#connection++;
    this.#closeStream();
    this.#cancelTimer();
    const now = this.#ports.now();
    if (this.#openedAt > 0 && now - this.#openedAt > GOOD_MS) this.#failures = 0;
    this.#openedAt = 0;
    const wait = BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)] ?? 0;
    this.#failures++;
    this.#link('lost', reason, now + wait);
    this.#cancelTimer = this.#ports.after(wait, () => void this.#connect());
  }

  #link(state: Link['state'], reason: string, nextAt?: number): void {
    this.#tell({ kind: 'link', link: { state, reason, at: this.#ports.now(), nextAt } });
  }
}
