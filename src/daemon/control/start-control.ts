/** The engine's side of the control thread: it beats, tells, and does what is asked of it. */
import { UsageError } from '../../model/errors.js';
import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { type WorkerThread, sharedMonotonic, startWorker } from '../../platform/worker-thread.js';
import type { DaemonControl } from '../daemon-api.js';
import { Heartbeat } from './heartbeat.js';
import type { ControlCall, ControlData, ToControl, ToEngine } from './messages.js';

export interface ControlOptions extends Omit<ControlData, 'heartbeat'> {
  readonly daemon: DaemonControl;
  readonly timers: Timers;
  readonly log: Log;
}

export interface RunningControl {
  /** Of the listener on loopback, where there is one. */
  readonly port: number | undefined;
  close(): Promise<void>;
}

const BEAT_MS = 100;
const STATUS_MS = 1_000;

/** Resolves when it listens. @throws when an address cannot be had */
export async function startControl({
  daemon,
  timers,
  log,
  ...data
}: ControlOptions): Promise<RunningControl> {
  const heartbeat = new Heartbeat(sharedMonotonic);
  const cancels = new Set<CancelTimer>();
  let release: () => void = () => undefined;
  let thread: WorkerThread | undefined;
  const post = (message: ToControl) => thread?.post(message);
  const port = await new Promise<number | undefined>((resolve, reject) => {
    thread = startWorker(new URL('./worker.js', import.meta.url), {
      data: { ...data, heartbeat: heartbeat.shared } satisfies ControlData,
      onMessage(message) {
        const said = message as ToEngine;
        if (said.kind === 'ready') resolve(said.port);
        else void answer(said.id, said.call);
      },
      onFailed(error) {
        log.error('the control thread failed: the daemon goes on without it', { error: error.message });
        reject(error);
      },
    });
  });
  every(BEAT_MS, () => heartbeat.beat());
  every(STATUS_MS, () => post({ kind: 'status', status: daemon.status() }));
  release = daemon.listen((event) => post({ kind: 'event', event }));

  return {
    port,
    async close() {
      release();
      for (const cancel of cancels) cancel();
      cancels.clear();
      await thread?.end();
    },
  };

  async function answer(id: number, { method, args }: ControlCall): Promise<void> {
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
    const cancel = timers.after(ms, () => {
      cancels.delete(cancel);
      task();
      every(ms, task);
    });
    cancels.add(cancel);
  }
}
