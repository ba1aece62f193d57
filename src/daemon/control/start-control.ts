/** The engine's side of the control thread: sends heartbeats, status and events, and carries out requests. */
import { TickwrightError, UsageError } from '../../model/errors.js';
import { moduleUrl } from '../../loader/module-url.js';
import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { sharedMonotonic, startWorker, type WorkerThread } from '../../platform/worker-thread.js';
import type { DaemonControl } from '../daemon-api.js';
import type { Heartbeat } from './heartbeat.js';
import {
  type ControlData,
  type ControlStrategy,
  DONE_LATE,
  type ToControl,
  type ToEngine,
} from './messages.js';

export interface ControlOptions extends Omit<ControlData, 'heartbeat'> {
  readonly daemon: DaemonControl;
  /** Beats from now on. */
  readonly heartbeat: Heartbeat;
  readonly timers: Timers;
  readonly log: Log;
  /** Removes secrets from every text that is sent to the control thread. */
  readonly scrub: (text: string) => string;
  /** Told, in words, when the address of the dashboard cannot be had and is waited for. */
  readonly onShut?: ((text: string) => void) | undefined;
  /** File of the thread; default: the one that ships. */
  readonly worker?: URL | undefined;
}

export interface RunningControl {
  /** Address of the dashboard; `undefined` when there is no loopback port, and while it is waited for. */
  readonly url: string | undefined;
  /** Why the address of the dashboard is still waited for, in words. */
  readonly problems: readonly string[];
  /** The strategy with this index was replaced by another one. */
  replaced(index: number, strategy: ControlStrategy): void;
  close(): Promise<void>;
}

const BEAT_MS = 100;
const STATUS_MS = 1_000;
const MOST_HEAP_BYTES = 64 * 2 ** 20;
const FIRST_PAUSE_MS = 1_000;
/** Less than a sentinel waits for an answer, so that a restart of the thread does not look like a hang. */
const LONGEST_PAUSE_MS = 10_000;
/** A thread that has run for this long is taken to be healthy, and its next failure restarts it without a long pause. */
const CALM_MS = 60_000;

/**
 * Resolves when the thread listens. A thread that dies later is started again. @throws when an address is not available
 */
export async function startControl(options: ControlOptions): Promise<RunningControl> {
  const {
    daemon,
    heartbeat,
    timers,
    log,
    scrub,
    onShut = () => undefined,
    worker = moduleUrl('daemon/control/worker'),
    ...data
  } = options;
  const strategies = [...data.strategies];
  const cancels = new Set<CancelTimer>();
  let { http } = data;
  let shut: string | undefined;
  let thread: WorkerThread | undefined;
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  const post = (message: ToControl) => thread?.post(scrubbed(message, scrub));

  await begin();
  // What the thread's death has cost must not cost the daemon more: another program may have taken the port meanwhile.
  if (http !== undefined) http = { ...http, waits: true };
  every(BEAT_MS, () => heartbeat.beat());
  every(STATUS_MS, () => post({ kind: 'status', status: daemon.status() }));
  const release = daemon.listen((event) => post({ kind: 'event', event }));

  return {
    get url() {
      return http === undefined || shut !== undefined
        ? undefined
        : `http://${hostText(http.host)}:${http.port}`;
    },
    get problems() {
      return shut === undefined ? [] : [shut];
    },
    replaced(index, strategy) {
      strategies[index] = strategy;
      post({ kind: 'strategy', index, strategy });
    },
    async close() {
      isClosed = true;
      release();
      for (const cancel of cancels) cancel();
      cancels.clear();
      await thread?.end();
    },
  };

  /** Resolves when it listens, or waits for the address of the dashboard alone. */
  function begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      let isReady = false;
      let cancelCalm: CancelTimer = () => undefined;
      const started = startWorker(worker, {
        name: 'control',
        data: { ...data, http, strategies, heartbeat: heartbeat.shared } satisfies ControlData,
        mostHeapBytes: MOST_HEAP_BYTES,
        onMessage(message) {
          const said = message as ToEngine;
          if (said.kind === 'ready') {
            isReady = true;
            cancelCalm = once(CALM_MS, () => {
              pauseMs = FIRST_PAUSE_MS;
            });
            listens(said);
            resolve();
          } else if (said.kind === 'opened') listens(said);
          else if (said.kind === 'call') void answer(said);
          else if (said.kind === 'problem')
            log.warn('the control thread has a problem', { problem: said.text });
          else {
            void started.end();
            reject(
              said.usage
                ? new UsageError('TICKWRIGHT_E_CONTROL', said.message)
                : new TickwrightError('TICKWRIGHT_E_CONTROL', said.message),
            );
          }
        },
        onFailed(error) {
          thread = undefined;
          cancelCalm();
          reject(error);
          if (isReady) again(error);
        },
      });
      thread = started;
    });
  }

  function listens({
    port,
    shut: why,
  }: {
    readonly port: number | undefined;
    readonly shut?: string | undefined;
  }) {
    if (http !== undefined && why === undefined) {
      if (shut !== undefined) log.info('control.http is open', { host: http.host, port });
      // A restarted thread uses the same port, so that open pages find it again.
      http = { ...http, port: port ?? http.port };
    }
    shut = why;
    if (why === undefined) return;
    log.warn('control.http is not open', { problem: why });
    onShut(why);
  }

  /** Starts the thread again: without it nobody can ask the daemon anything, and a hang of the engine goes unnoticed. */
  function again(error: Error): void {
    if (isClosed) return;
    log.error('the control thread failed and is started again', { error: error.message, afterMs: pauseMs });
    once(pauseMs, () => {
      begin().catch((reason: unknown) => again(reason instanceof Error ? reason : new Error(String(reason))));
    });
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  async function answer({ id, call, until }: Extract<ToEngine, { kind: 'call' }>): Promise<void> {
    const { method, args } = call;
    // The caller has been told that the engine does not answer: its request must not take effect later by surprise.
    if (sharedMonotonic() > until && !DONE_LATE.has(method)) return;
    try {
      const does = daemon[method].bind(daemon) as (...words: readonly unknown[]) => unknown;
      post({ kind: 'result', id, value: await does(...args) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const usage = error instanceof UsageError;
      if (!usage) log.error('a control request failed', { method, error: message });
      post({ kind: 'failed', id, usage, message });
    }
  }

  function every(ms: number, task: () => void): void {
    once(ms, () => {
      task();
      every(ms, task);
    });
  }

  /** Runs the task after `ms`, unless it is canceled or the control is closed before. */
  function once(ms: number, task: () => void): CancelTimer {
    const cancel = timers.after(ms, () => {
      cancels.delete(cancel);
      task();
    });
    cancels.add(cancel);
    return () => {
      cancels.delete(cancel);
      cancel();
    };
  }
}

function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** A copy of the data in which `scrub` was applied to each text. */
function scrubbed(data: unknown, scrub: (text: string) => string): unknown {
  if (typeof data === 'string') return scrub(data);
  if (Array.isArray(data)) return data.map((each) => scrubbed(each, scrub));
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, scrubbed(value, scrub)]));
}
