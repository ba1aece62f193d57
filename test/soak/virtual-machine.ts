/** A machine whose time is virtual and whose disk is real: time stands still while anything outside is under way. */
import { fork, type ChildProcess } from 'node:child_process';
import { thisMachine, type Machine } from '../../src/cli/machine.js';
import { seededRandom } from '../../src/model/random.js';
import { nodeFiles } from '../../src/platform/files.js';
import { sleep, type Timers } from '../../src/ports/clock.js';
import type { Files, SyncAppendFile } from '../../src/ports/files.js';
import {
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
} from '../../src/ports/http.js';
import { Scheduler } from '../../src/simulation/world/scheduler.js';
import { START_TIME } from './venue-child.js';

const WAY_MS = 15;
const LAG_LOOK_MS = 100;
const DAY_MS = 86_400_000;
/** Each day the venue is gone for so long, from noon on. */
const OUTAGE_MS = 10 * 60_000;
/** Of other requests: lost on the way, answered to nobody, refused. */
const FAULTS = { lost: 0.002, unanswered: 0.002, unavailable: 0.004 };

export class VirtualMachine {
  readonly scheduler: Scheduler;
  readonly machine: Machine;
  readonly transport: HttpTransport;
  /** For a daemon: its ten looks a second at its own lag bring no promise on its way, so nothing is waited for. */
  readonly lagTimers: Timers;
  requests = 0;
  faults = 0;
  journalBytes = 0;
  logLines = 0;
  readonly #timers = new Set<object>();
  readonly #venue: ChildProcess;
  readonly #answers = new Map<number, (answer: HttpResponse) => void>();
  readonly #random = seededRandom('soak');
  #pending = 0;
  #whenIdle: (() => void) | undefined;
  #calls = 0;

  private constructor(venue: ChildProcess) {
    this.#venue = venue;
    this.scheduler = new Scheduler({ drain: () => this.#drain() });
    const clock = {
      wall: () => START_TIME + Math.floor(this.scheduler.now),
      monotonic: () => this.scheduler.now,
    };
    const timersBy = (how: 'at' | 'quietly') => (ms: number, task: () => void) => {
      const key = {};
      this.#timers.add(key);
      const scheduled = this.scheduler[how](this.scheduler.now + Math.max(0, ms), () => {
        this.#timers.delete(key);
        task();
      });
      return () => {
        this.#timers.delete(key);
        scheduled.cancel();
      };
    };
    const after = timersBy('at');
    const quietly = timersBy('quietly');
    const soon = (task: () => void) => after(0, task);
    this.lagTimers = {
      after: (ms, task) => (ms === LAG_LOOK_MS ? quietly(ms, task) : after(ms, task)),
      soon,
    };
    const bytes = seededRandom('soak entropy');
    const count = () => void this.logLines++;
    this.machine = {
      ...thisMachine('error'),
      clock,
      timers: { after, soon },
      files: this.#counted({ ...methodsOf(nodeFiles), stat: (path: string) => this.#stat(path) }) as Files,
      disk: { freeBytes: () => Promise.resolve(2 ** 40) },
      entropy: { bytes: (length) => Uint8Array.from({ length }, () => bytes.integer(0, 255)) },
      log: { debug: count, info: count, warn: count, error: count },
      environment: {},
    };
    this.transport = { exchange: (request) => this.#exchange(request), close: () => Promise.resolve() };
    venue.on('message', ({ id, ...answer }: HttpResponse & { readonly id: number }) => {
      this.#answers.get(id)?.(answer);
      this.#answers.delete(id);
    });
  }

  static async start(args: readonly string[]): Promise<VirtualMachine> {
    const venue = fork('test/run.mjs', ['test/soak/main.ts', ...args], {
      execArgv: ['--max-old-space-size=6000'],
    });
    await new Promise((resolve, reject) => {
      venue.once('message', resolve);
      venue.once('exit', () => reject(new Error('the venue must start, and ended')));
    });
    return new VirtualMachine(venue);
  }

  /** Timers that wait. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Exchanges that are under way. */
  get sockets(): number {
    return this.#answers.size;
  }

  close(): void {
    this.#venue.kill('SIGKILL');
  }

  async #exchange(request: HttpRequest): Promise<HttpResponse> {
    const { timers } = this.machine;
    this.requests++;
    const draw = this.#random.next();
    const isOut =
      this.scheduler.now % DAY_MS >= DAY_MS / 2 && this.scheduler.now % DAY_MS < DAY_MS / 2 + OUTAGE_MS;
    const fate =
      isOut || draw < FAULTS.lost
        ? 'lost'
        : draw < FAULTS.lost + FAULTS.unanswered
          ? 'unanswered'
          : draw < 0.008
            ? 'unavailable'
            : 'pass';
    if (fate !== 'pass') this.faults++;
    try {
      await sleep(timers, WAY_MS, request.signal);
      if (fate === 'unavailable')
        return { status: 503, headers: {}, body: '{"code":503,"msg":"unavailable","result":null}' };
      if (fate !== 'lost') {
        const answer = await this.#ask(request);
        if (fate === 'pass') {
          await sleep(timers, WAY_MS, request.signal);
          return answer;
        }
      }
      await sleep(timers, Math.max(0, request.deadlineMs - WAY_MS), request.signal);
    } catch (error) {
      throw new HttpFailure('aborted', true, 'the request was given up', error);
    }
    throw new HttpFailure('timeout', true, `no answer within ${request.deadlineMs} ms`);
  }

  #ask({ method, url, headers, body = '' }: HttpRequest): Promise<HttpResponse> {
    const id = ++this.#calls;
    const { pathname: path, search } = new URL(url);
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.#pending++;
    return new Promise((resolve) => {
      this.#answers.set(id, (answer) => {
        this.#over();
        resolve(answer);
      });
      this.#venue.send({
        id,
        at: this.scheduler.now,
        method,
        path,
        query: search.slice(1),
        headers: lower,
        body,
      });
    });
  }

  #over(): void {
    if (--this.#pending > 0) return;
    this.#whenIdle?.();
    this.#whenIdle = undefined;
  }

  /** Promises first, and then whatever is under way outside of virtual time. */
  async #drain(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (this.#pending === 0) return;
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
  }

  /** Ten files a second that are not there need no disk. */
  #stat(path: string): ReturnType<Files['stat']> {
    return path.endsWith('/HALT') ? Promise.resolve(undefined) : nodeFiles.stat(path);
  }

  #counted(target: object): object {
    return new Proxy(target, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        return (...words: readonly unknown[]) => {
          const result: unknown = Reflect.apply(value, of, words);
          if (name === 'openAppendSync') return this.#counting(String(words[0]), result as SyncAppendFile);
          if (!(result instanceof Promise)) return result;
          this.#pending++;
          return result
            .finally(() => this.#over())
            .then((given: unknown) => (isHandle(given) ? this.#counted(given) : given));
        };
      },
    });
  }

  /** Bytes that go into journals. */
  #counting(path: string, file: SyncAppendFile): SyncAppendFile {
    if (!path.includes('/journal/')) return file;
    return new Proxy(file, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        return (...words: readonly unknown[]) => {
          const [first] = words;
          if (first instanceof Uint8Array) this.journalBytes += first.length;
          return Reflect.apply(value, of, words) as unknown;
        };
      },
    });
  }
}

function isHandle(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'close' in value;
}

function methodsOf(files: Files): Files {
  return { ...files };
}
