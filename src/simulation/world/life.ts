import type { Random } from '../../model/random.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import type { Entropy } from '../../ports/entropy.js';
import type { Files } from '../../ports/files.js';
import type { HttpTransport } from '../../ports/http.js';
import type { Log } from '../../ports/log.js';
import type { Processes } from '../../ports/processes.js';
import type { Signals } from '../../ports/signals.js';
import { CrashPlan, type CrashPoint, type Death } from './crash-plan.js';
import { KeptLog, type LogLine } from './kept-log.js';
import { Killed } from './killed.js';
import { LifeClock } from './life-clock.js';
import type { FilesOwner } from './append-files.js';
import { LifeFiles } from './life-files.js';
import type { Scheduled, Scheduler } from './scheduler.js';
import type { Trace } from './trace.js';
import type { VirtualDisk } from './virtual-disk.js';
import type { NetworkUser } from './exchange.js';

export type { CrashPoint, Death } from './crash-plan.js';
export type { LogLine } from './kept-log.js';

export interface LifeOptions {
  /** Unique in its world. */
  readonly name: string;
  readonly disk: VirtualDisk;
  /** Wall clock minus venue clock at birth, ms; default 0. */
  readonly wallOffsetMs?: number | undefined;
  /** How much faster both clocks run, parts per million; default 0. */
  readonly driftPpm?: number | undefined;
  /** Number of log lines to keep; default 200. */
  readonly logLines?: number | undefined;
  /** Called with every log line. */
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /**
   * Called when the task of a timer throws, like `uncaughtException`. Default: the scheduler's run rejects with the
   * error.
   */
  readonly onUncaught?: ((error: unknown) => void) | undefined;
}

/** What the world provides for a process. */
export interface LifeParts {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly random: Random;
  /** Venue time at which the world began, ms. */
  readonly worldStart: number;
  readonly connect: (user: NetworkUser) => HttpTransport;
  /** Whether the process of this name is running. */
  readonly isAlive: (name: string) => boolean;
}

/**
 * One life of one process: its ports, and its death. After its death nothing that it does has an effect: timers do not
 * fire, promises never settle, its files throw `Killed`, its clocks stand still. Requests that have left still arrive.
 */
export class Life implements FilesOwner, NetworkUser {
  readonly name: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly files: Files;
  readonly transport: HttpTransport;
  readonly entropy: Entropy;
  readonly signals: Signals;
  readonly log: Log;
  readonly processes: Processes;
  readonly #scheduler: Scheduler;
  readonly #trace: Trace;
  readonly #disk: VirtualDisk;
  readonly #clock: LifeClock;
  readonly #files: Random;
  readonly #uncaught: (error: unknown) => void;
  readonly #stopHandlers = new Set<(signal: 'SIGINT' | 'SIGTERM') => void>();
  readonly #mourners: ((at: CrashPoint) => void)[] = [];
  readonly #kept: KeptLog;
  readonly #timerTrace: string;
  readonly #plan = new CrashPlan();
  #diedAt: CrashPoint | undefined;
  readonly #afterTimer = () => {
    this.pass('timer.after');
  };

  constructor(options: LifeOptions, { scheduler, trace, random, worldStart, connect, isAlive }: LifeParts) {
    const { name, disk, wallOffsetMs = 0, driftPpm = 0 } = options;
    this.name = name;
    this.#scheduler = scheduler;
    this.#trace = trace;
    this.#disk = disk;
    this.#timerTrace = `timer of ${name}`;
    this.#files = random.fork('files');
    this.#uncaught =
      options.onUncaught ??
      ((error) => {
        throw error as Error;
      });
    this.#clock = new LifeClock(scheduler, { worldStart, wallOffsetMs, driftPpm });
    this.clock = this.#clock;
    this.timers = {
      after: (ms, task) => this.#after(ms, task, true),
      soon: (task) => this.#after(0, task, true),
    };
    this.files = new LifeFiles(this, disk);
    this.transport = connect(this);
    this.processes = { self: name, stateOf: (other) => (isAlive(other) ? 'alive' : 'gone') };
    this.entropy = entropyOf(random.fork('entropy'));
    this.signals = {
      onStop: (handler) => {
        this.#stopHandlers.add(handler);
        return () => this.#stopHandlers.delete(handler);
      },
    };
    this.#kept = new KeptLog({ ...options, now: () => (this.isAlive ? scheduler.now : undefined) });
    this.log = this.#kept.log;
    trace.note(scheduler.now, 'boot', name);
  }

  get isAlive(): boolean {
    return this.#diedAt === undefined;
  }

  /** Where it died: a crash point, or `kill`; `undefined` while it lives. */
  get diedAt(): CrashPoint | undefined {
    return this.#diedAt;
  }

  /** The newest log lines, oldest first. */
  get logLines(): readonly LogLine[] {
    return this.#kept.lines;
  }

  /** Runs once when it dies, within the call that kills it, so that notes can be taken. */
  onDeath(task: (at: CrashPoint) => void): void {
    this.#mourners.push(task);
  }

  kill(death: Death = 'kill'): void {
    this.#die('kill', death);
  }

  /** Number of crash points passed so far. */
  get points(): number {
    return this.#plan.points;
  }

  /** Lets it die at the n-th crash point of this life, from 1. */
  crashAt(n: number, death: Death = 'kill'): void {
    this.#plan.at(n, death);
  }

  /**
   * Lets it die at the first crash point that fulfils the predicate. `count`: number of the point among those of its
   * name, from 1.
   */
  crashWhen(predicate: (name: CrashPoint, count: number) => boolean, death: Death = 'kill'): void {
    this.#plan.when(predicate, death);
  }

  /** Cancels a planned crash. */
  crashNever(): void {
    this.#plan.never();
  }

  /** Sets the wall clock, by `ms` forward. */
  jumpWall(ms: number): void {
    this.#clock.jumpWall(ms);
    this.#trace.note(this.#scheduler.now, 'wall clock set', ms);
  }

  /**
   * Suspends it for `ms`. `machine`: its monotonic clock stands still as well · `process`: only the process is stopped
   */
  suspend(ms: number, what: 'machine' | 'process'): void {
    this.#clock.suspend(ms, what === 'machine');
    this.#trace.note(this.#scheduler.now, `${what} suspended`, ms);
  }

  /** Asks it to stop, like the operating system does. */
  signal(signal: 'SIGINT' | 'SIGTERM'): void {
    this.#whenReady(0, () => {
      this.#trace.note(this.#scheduler.now, signal, this.name);
      this.#call(() => {
        for (const handler of this.#stopHandlers) handler(signal);
      });
    });
  }

  // The methods below serve the ports.

  now(): number {
    return this.#clock.wall();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  chance(): number {
    return this.#files.next();
  }

  pass(point: CrashPoint, lastAct?: () => void): boolean {
    if (this.#diedAt !== undefined) return false;
    const death = this.#plan.pass(point);
    if (death === undefined) return true;
    lastAct?.();
    this.#die(point, death);
    return false;
  }

  killed(): never {
    throw new Killed(this.name);
  }

  doneAt(ms: number): number {
    return this.#scheduler.now + ms;
  }

  later<T>(work: () => T, ms: number, notBefore = 0): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.isAlive) return;
      const delay = Math.max(ms, notBefore - this.#scheduler.now);
      this.#scheduler.quietly(this.#scheduler.now + delay, () => {
        this.#whenReady(0, () => {
          try {
            const value = work();
            resolve(value);
          } catch (error) {
            // oxlint-disable-next-line prefer-promise-reject-errors -- whatever the work threw
            if (this.isAlive) reject(error);
          }
          this.#scheduler.wake();
        });
      });
    });
  }

  /** Runs `task` when the process can run and its monotonic clock shows `due` or more; never when it is dead. */
  whenReady(due: number, task: () => void): void {
    this.#whenReady(due, task);
  }

  /** A timer for internal use, without crash points. */
  quietly(ms: number, task: () => void): CancelTimer {
    return this.#after(ms, task, false);
  }

  #whenReady(due: number, task: () => void): void {
    if (!this.isAlive) return;
    const at = this.#clock.readyAt(due);
    if (at > this.#scheduler.now) this.#scheduler.quietly(at, () => this.#whenReady(due, task));
    else task();
  }

  #after(ms: number, task: () => void, isPoint: boolean): CancelTimer {
    if (!this.isAlive) return NOTHING;
    const due = this.#clock.monotonic() + (ms > 0 ? ms : 0);
    let scheduled: Scheduled;
    const fire = () => {
      if (!this.isAlive) return;
      const at = this.#clock.readyAt(due);
      if (at > this.#scheduler.now) {
        scheduled = this.#scheduler.quietly(at, fire);
        return;
      }
      if (!isPoint) {
        task();
        return;
      }
      if (!this.pass('timer.before')) return;
      this.#trace.note(this.#scheduler.now, this.#timerTrace, 0);
      this.#call(task);
      this.#scheduler.wake(this.#afterTimer);
    };
    scheduled = this.#scheduler.quietly(Math.max(this.#scheduler.now, this.#clock.readyAt(due)), fire);
    return () => {
      scheduled.cancel();
    };
  }

  /** Calls code under test. Ignores what it throws when it is dead. */
  #call(task: () => void): void {
    this.#scheduler.wake();
    try {
      task();
    } catch (error) {
      if (this.isAlive) this.#uncaught(error);
    }
  }

  #die(at: CrashPoint, death: Death): void {
    if (this.#diedAt !== undefined) return;
    this.#diedAt = at;
    this.#clock.freeze();
    this.#trace.note(this.#scheduler.now, `death by ${death}`, `${this.name} at ${at}`);
    if (death === 'power') this.#disk.losePower();
    for (const task of this.#mourners) task(at);
  }
}

const NOTHING: CancelTimer = () => undefined;

function entropyOf(random: Random): Entropy {
  return { bytes: (count) => Uint8Array.from({ length: count }, () => random.integer(0, 255)) };
}
