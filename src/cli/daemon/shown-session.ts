/** Shows a session of the foreground in the dashboard, by running it in a daemon of its own. */
import { Heartbeat } from '../../daemon/control/heartbeat.js';
import { startControl } from '../../daemon/control/start-control.js';
import { Daemon } from '../../daemon/daemon.js';
import type { DaemonEntry } from '../../daemon/daemon-entry.js';
import { InvariantError } from '../../model/errors.js';
import { memoryGauge, processFacts } from '../../platform/process.js';
import { sharedMonotonic } from '../../platform/worker-thread.js';
import type { Machine } from '../machine.js';
import { daemonSocket, tellDaemon } from './daemon-call.js';
import { DASHBOARD_FOLDER, packageVersion } from '../package.js';
import type { RunningSession } from '../session/running-session.js';
import { startSession } from '../session/session.js';
import type { SessionPlan } from '../session/session-plan.js';

export interface ShownSession {
  readonly session: RunningSession;
  /** A one-time link: whoever opens it first may watch. */
  readonly link: string;
}

const RUNS = 'backtest/runs';
const LOOPBACK = '127.0.0.1';

/** Starts the session and serves a read-only dashboard until the session is stopped. */
export async function startShown(machine: Machine, plan: SessionPlan): Promise<ShownSession> {
  const { clock, timers, log, files, scrubber } = machine;
  const scrub = (text: string) => scrubber.scrub(text);
  const state = await files.temporaryDirectory('tickwright-demo-');
  const heartbeat = new Heartbeat(sharedMonotonic);
  const begun: { session?: RunningSession; refusal?: unknown } = {};
  const entry: DaemonEntry = {
    pair: plan.market.pair,
    strategy: plan.strategy.bound.name,
    params: plan.strategy.params,
    sha256: plan.strategy.sha256,
    async open(watch) {
      const session = await startSession(machine, { ...plan, watch }).catch((error: unknown) => {
        begun.refusal = error;
        throw error;
      });
      begun.session = session;
      const { controls, core, feed, failed } = session;
      return {
        ...controls,
        core,
        feed,
        failed,
        openOrders: () => session.openOrders(),
        stop: (orders) => session.stop(orders),
      };
    },
  };
  const daemon = new Daemon({
    clock,
    timers,
    log,
    scrub,
    mode: plan.mode,
    venue: plan.connection.url,
    version: await packageVersion(files),
    pid: processFacts().pid,
    entries: [entry],
    gauge: memoryGauge,
    memoryCeilingBytes: Number.POSITIVE_INFINITY,
  });
  const control = await startControl({
    daemon,
    heartbeat,
    timers,
    log,
    scrub,
    socket: await daemonSocket(state),
    http: { host: LOOPBACK, port: 0, waits: false },
    state,
    dashboard: DASHBOARD_FOLDER,
    runs: RUNS,
    // A person watches this session, so a hang need not kill the process.
    hangMs: Number.MAX_SAFE_INTEGER,
    noteMs: Number.MAX_SAFE_INTEGER,
    strategies: [{ name: entry.strategy, sha256: entry.sha256, folder: state }],
  });
  const close = async () => {
    await control.close();
    await files.remove(state);
  };
  try {
    await daemon.start();
    const { session, refusal } = begun;
    if (session === undefined) {
      throw refusal instanceof Error ? refusal : new InvariantError('a session must begin or say why not');
    }
    const { url: link } = (await tellDaemon(state, '/api/link', { control: false })) as {
      readonly url: string;
    };
    return { session: { ...session, stop: () => end(session) }, link };
  } catch (error) {
    await daemon.finish();
    await close();
    throw error;
  }

  /** Ends the session in the same way, whoever asks for it. */
  async function end(of: RunningSession): ReturnType<RunningSession['stop']> {
    await daemon.finish();
    const how = await of.stop();
    await close();
    return how;
  }
}
