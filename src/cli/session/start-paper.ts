import { join } from 'node:path';
import { type Halt, haltReasonOf, LIQUIDATION, strongestOf } from '../../model/halt-level.js';
import { HaltFile } from '../../runner/halt-file.js';
import { startBot } from '../../runner/bot.js';
import type { CaptureWriter } from '../../storage/capture/capture-writer.js';
import type { Machine } from '../machine.js';
import { bothObserve } from './observers.js';
import { paperGateway } from './paper-gateway.js';
import { endOf, type RunningSession, running, STOP_DEADLINE_MS } from './running-session.js';
import { endCaptured, openCapture } from './session-capture.js';
import { paperControls, type SessionControls } from './session-controls.js';
import type { SessionPlan } from './session-plan.js';
import { standstillOf } from './standstill.js';

const LIQUIDATED = 'the position on paper was liquidated';

/** A paper session has no journal, because it has nothing to lose. Its capture holds the inputs of the engine. */
export async function startPaper(
  machine: Machine,
  plan: Extract<SessionPlan, { mode: 'paper' }>,
): Promise<RunningSession> {
  const { connection, market, strategy, baseline, reserves, paper } = plan;
  const funds = Number(paper.capital);
  let capture: CaptureWriter | undefined;
  // Nothing is held, and thus liquidated, before there are controls.
  let halt: SessionControls['halt'] = () => undefined;
  // As live, the halt comes before the fill: the strategy's answer to it must not open a position again.
  const onLiquidated = () => {
    machine.log.error(LIQUIDATED, { pair: market.pair });
    halt('pause', LIQUIDATED, LIQUIDATION);
  };
  const bot = await startBot(machine, {
    ...plan,
    strategy: strategy.bound,
    api: connection.api,
    profile: connection.profile,
    funds,
    begin: async () => {
      capture = await openCapture(machine, plan, { funds });
      return { baseline, reserves, observer: bothObserve(capture, plan.watch) };
    },
    gateway: () => paperGateway(market, { ...paper, onLiquidated }),
  }).catch(async (error: unknown) => {
    await capture?.abandon();
    throw error;
  });
  const controls = paperControls(bot.core, connection.api, () => capture?.failure?.message);
  halt = (...words) => controls.halt(...words);
  const file = await watchHaltFile(machine, plan.haltFolder, controls);
  return running(bot, controls, async () => {
    file?.stop();
    const { path } = plan.capture;
    const end = await endCaptured((onDecided) => bot.stop(STOP_DEADLINE_MS, onDecided), capture);
    const standstill = standstillOf(booksOf(controls.halts()), market.pair);
    return { ...endOf(bot, end, { path, failure: capture?.failure }), standstill };
  });
}

/** As live: a person who practises on paper must see what such a file does. */
async function watchHaltFile(
  { files, timers, log }: Machine,
  folder: string | undefined,
  controls: Pick<SessionControls, 'halts' | 'halt'>,
): Promise<HaltFile | undefined> {
  if (folder === undefined) return undefined;
  const file = new HaltFile({
    files,
    timers,
    log,
    path: join(folder, 'HALT'),
    halted: () => strongestOf(controls.halts())?.level,
    halt(level, reason, by) {
      log.error('halted', { halt: level, reason, by });
      controls.halt(level, reason, by);
    },
  });
  await file.watch();
  return file;
}

/** Halts of a session without books; on paper nothing is quarantined. */
function booksOf(halts: readonly Halt[]): Parameters<typeof standstillOf>[0] {
  return {
    quarantine: () => undefined,
    halt: strongestOf(halts)?.level,
    haltReason: haltReasonOf(halts),
    halts,
  };
}
