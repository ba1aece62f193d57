/** The capture of a session without a black box: the inputs and decisions of its engine. */
import type { BotEnd } from '../../runner/bot.js';
import type { LiveBeginning } from '../../runner/live-session.js';
import type { StartingCash } from '../../runner/starting-cash.js';
import type { CaptureFooter } from '../../storage/capture/capture.js';
import { CaptureWriter } from '../../storage/capture/capture-writer.js';
import type { Machine } from '../machine.js';
import { captureHeader } from './capture.js';
import type { SessionPlan } from './session-plan.js';

export async function openCapture(
  machine: Machine,
  plan: SessionPlan & Partial<Pick<LiveBeginning, 'sent'>>,
  cash: Partial<StartingCash> | undefined,
): Promise<CaptureWriter> {
  const { path, keepMs } = plan.capture;
  const header = await captureHeader(machine.files, plan, cash ?? {});
  const onFailure = (error: Error) =>
    machine.log.warn('the capture has stopped; trading goes on', { path, error: error.message });
  return CaptureWriter.open(machine.files, { timers: machine.timers, path, keepMs, header, onFailure });
}

/** The capture ends with the inputs and decisions up to the moment when the stop began. */
export async function endCaptured(
  stop: (onDecided: (decided: CaptureFooter) => void) => Promise<BotEnd>,
  capture: CaptureWriter | undefined,
): Promise<BotEnd> {
  let captured: Promise<unknown> = Promise.resolve();
  const end = await stop((decided) => {
    captured = capture?.finish(decided).catch(() => undefined) ?? captured;
  });
  await captured;
  return end;
}
