/** A machine whose time is virtual and whose disk is real: time stands still while anything outside is under way. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { join } from 'node:path';
import { thisMachine, type Machine } from '../../src/cli/machine.js';
import { seededRandom } from '../../src/model/random.js';
import { sleep, type Timers } from '../../src/ports/clock.js';
import {
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
} from '../../src/ports/http.js';
import { Pipe } from './pipe.js';
import { soakFiles } from './soak-files.js';
import { SteppedTimers } from './stepped-timers.js';
import { type ChildRequest, START_TIME } from './venue-child.js';

const STEP_MS = 20;
const WAY_MS = 20;
const LAG_LOOK_MS = 100;
const DAY_MS = 86_400_000;
/** Each day the venue is gone for so long, from noon on. */
const OUTAGE_MS = 10 * 60_000;
/** Of other requests: lost on the way, answered to nobody, refused. */
const FAULTS = { lost: 0.002, unanswered: 0.002, unavailable: 0.004 };

export class VirtualMachine {
  readonly time = new SteppedTimers({ stepMs: STEP_MS, otherwise: () => this.#askAll() });
  readonly machine: Machine;
  readonly transport: HttpTransport;
  /** For a daemon: its ten looks a second at its own lag bring no promise on its way, so nothing is waited for. */
  readonly lagTimers: Timers;
  requests = 0;
  faults = 0;
  journalBytes = 0;
  logLines = 0;
  readonly #venue: ChildProcess;
  readonly #pipe: Pipe;
  readonly #exchanges = new Set<object>();
  readonly #asked: { readonly request: ChildRequest; readonly answer: (answer: HttpResponse) => void }[] = [];
  readonly #random = seededRandom('soak');

  private constructor(venue: ChildProcess, pipe: Pipe) {
    this.#venue = venue;
    this.#pipe = pipe;
    const { time } = this;
    const clock = { wall: () => START_TIME + Math.floor(time.now), monotonic: () => time.now };
    const timers: Timers = {
      after: (ms, task) => time.after(ms, task),
      soon: (task) => time.soon(task),
    };
    this.lagTimers = {
      ...timers,
      after: (ms, task) => (ms === LAG_LOOK_MS ? time.quietly(ms, task) : time.after(ms, task)),
    };
    const bytes = seededRandom('soak entropy');
    const count = () => void this.logLines++;
    this.machine = {
      ...thisMachine('error'),
      clock,
      timers,
      files: soakFiles({
        during: (work) => time.during(work),
        onJournalBytes: (count) => void (this.journalBytes += count),
        wall: () => clock.wall(),
      }),
      disk: { freeBytes: () => Promise.resolve(2 ** 40) },
      entropy: { bytes: (length) => Uint8Array.from({ length }, () => bytes.integer(0, 255)) },
      log: { debug: count, info: count, warn: count, error: count },
      environment: {},
    };
    this.transport = {
      exchange: (request) => this.#counted(this.#exchange(request)),
      close: () => Promise.resolve(),
    };
  }

  /** `folder`: for the pipes to the venue. */
  static async start(pairs: number, folder: string): Promise<VirtualMachine> {
    execFileSync('mkfifo', [join(folder, 'questions'), join(folder, 'answers')]);
    const args = ['test/soak/main.ts', '--venue', String(pairs), '--pipes', folder];
    const venue = fork('test/run.mjs', args, { execArgv: ['--max-old-space-size=6000'] });
    await new Promise((resolve, reject) => {
      venue.once('message', resolve);
      venue.once('exit', () => reject(new Error('the venue must start, and ended')));
    });
    return new VirtualMachine(venue, Pipe.open(folder, 'asks'));
  }

  /** Exchanges that are under way. */
  get exchanges(): number {
    return this.#exchanges.size;
  }

  close(): void {
    this.#venue.kill('SIGKILL');
  }

  #counted(exchange: Promise<HttpResponse>): Promise<HttpResponse> {
    this.#exchanges.add(exchange);
    return exchange.finally(() => this.#exchanges.delete(exchange));
  }

  async #exchange(request: HttpRequest): Promise<HttpResponse> {
    const { timers } = this.machine;
    this.requests++;
    const draw = this.#random.next();
    const isOut = this.time.now % DAY_MS >= DAY_MS / 2 && this.time.now % DAY_MS < DAY_MS / 2 + OUTAGE_MS;
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
      throw new HttpFailure('aborted', true, 'the request was given up', { cause: error });
    }
    throw new HttpFailure('timeout', true, `no answer within ${request.deadlineMs} ms`);
  }

  #ask({ method, url, headers, body = '' }: HttpRequest): Promise<HttpResponse> {
    const { pathname: path, search } = new URL(url);
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const request = { at: this.time.now, method, path, query: search.slice(1), headers: lower, body };
    return new Promise((answer) => {
      this.#asked.push({ request, answer });
    });
  }

  /** What arrives at one moment, in one piece: waking the other process costs more than its answers. */
  #askAll(): boolean {
    if (this.#asked.length === 0) return false;
    const asked = this.#asked.splice(0);
    this.#pipe.send(asked.map(({ request }) => request));
    const answers = this.#pipe.receive() as readonly HttpResponse[] | undefined;
    if (answers === undefined) throw new Error('the venue must answer, and ended');
    asked.forEach(({ answer }, index) => {
      answer(answers[index] as HttpResponse);
    });
    return true;
  }
}
