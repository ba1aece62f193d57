/** A live session with what records it: a black box beside its journal, or a capture where it has no journal. */
import type { Chronicle } from '../../execution/chronicle.js';
import type { BotEnd, RunningBot } from '../../runner/bot.js';
import { type BoxedPlan, sessionIn } from '../../runner/black-box/session-in-box.js';
import { type LiveCommands, LiveSession } from '../../runner/live-session.js';
import type { EndOfOrders } from '../../runner/session-gateway.js';
import type { CaptureWriter } from '../../storage/capture/capture-writer.js';
import type { Machine } from '../machine.js';
import type { BlackBox } from './black-box.js';
import { bothObserve } from './observers.js';
import { STOP_DEADLINE_MS } from './running-session.js';
import { endCaptured, openCapture } from './session-capture.js';
import type { SessionPlan } from './session-plan.js';

export interface RecordedLive {
  readonly live: LiveSession;
  /** The way for all commands: a black box records each before it is carried out. */
  readonly commands: LiveCommands;
  /** Must be awaited before `start`. */
  prepare(): Promise<void>;
  start(): Promise<RunningBot>;
  stop(orders: EndOfOrders | undefined): Promise<BotEnd>;
  /** Closes the recording of a session that never began. */
  abandon(): Promise<void>;
  /** The file or folder of the recording. */
  readonly path: string;
  /** Why the recording is incomplete; `undefined` when it is complete. */
  readonly failure: Error | undefined;
}

export interface RecordedParts {
  readonly plan: Extract<SessionPlan, { mode: 'live' }>;
  readonly boxed: BoxedPlan;
  readonly chronicle: Chronicle;
}

/** Records the inputs and decisions of the engine only. */
export function capturedLive(machine: Machine, { plan, boxed, chronicle }: RecordedParts): RecordedLive {
  const live = new LiveSession({ ...machine, api: plan.connection.api, chronicle }, boxed);
  let capture: CaptureWriter | undefined;
  return {
    live,
    commands: live,
    prepare: () => Promise.resolve(),
    start: () =>
      live.start(
        async ({ cash, ...known }) => {
          capture = await openCapture(machine, { ...plan, ...known }, cash);
          return bothObserve(capture, plan.watch);
        },
        (asOf) => plan.watch?.cashRead?.(asOf),
      ),
    stop: (orders) => endCaptured((onDecided) => live.stop(STOP_DEADLINE_MS, onDecided, orders), capture),
    async abandon() {
      await capture?.abandon();
    },
    path: plan.capture.path,
    get failure() {
      return capture?.failure;
    },
  };
}

/** Records everything that comes from outside. */
export function boxedLive(
  { log }: Machine,
  { plan, boxed, chronicle }: RecordedParts,
  box: BlackBox,
): RecordedLive {
  const { recorder, directory } = box;
  const live = sessionIn(recorder, { chronicle, log, clientOn: plan.connection.clientOn }, boxed);
  return {
    live,
    commands: box.commandsTo(live),
    prepare: () => box.prepare(),
    start() {
      box.begin(chronicle.books.state());
      return recorder.start(() =>
        live.start(
          () => bothObserve(recorder.observer, plan.watch),
          (asOf) => plan.watch?.cashRead?.(asOf),
        ),
      );
    },
    async stop(orders) {
      const end = await box.stop(STOP_DEADLINE_MS, live, orders);
      await box.finish(end);
      return end;
    },
    abandon: () => box.abandon(),
    path: directory,
    get failure() {
      return box.failure;
    },
  };
}
