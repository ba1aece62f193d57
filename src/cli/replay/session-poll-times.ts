/** The poll times of a session, from its own recording. */
import { UsageError } from '../../model/errors.js';
import type { EngineEvent } from '../../model/event.js';
import { replay } from '../../runner/black-box/replay.js';
import { openCapture } from '../../storage/capture/capture-reader.js';
import type { Machine } from '../machine.js';
import { eventLoopDrain } from '../certify/certify.js';
import { findBlackBox, openBlackBox } from './recorded-session.js';
import { loadStrategy } from '../strategy/strategy.js';

/** When a recorded session received trades, or learned that there were none; venue ms, ascending. */
export async function pollTimes(machine: Machine, path: string): Promise<readonly number[]> {
  const times = new Set<number>();
  const look = (event: EngineEvent) => {
    if (event.kind === 'trade') times.add(event.receivedAt);
    else if (event.kind === 'mark') times.add(event.time);
  };
  const box = await findBlackBox(machine.files, path);
  if (box !== undefined) {
    await lookThrough(machine, box, look);
  } else {
    const capture = await openCapture(machine.files, path);
    for await (const record of capture.records()) if (record.kind === 'input') look(record.event);
  }
  return [...times].sort((a, b) => a - b);
}

/** A live session records answers only, so the events that its strategy got must be recomputed from them. */
async function lookThrough(
  machine: Machine,
  directory: string,
  look: (event: EngineEvent) => void,
): Promise<void> {
  const recorded = await openBlackBox(machine.files, directory);
  const { file, params } = recorded.strategy;
  const strategy = await loadStrategy(machine, file, params);
  const { firstDifference } = await replay({
    plan: recorded.planWith(strategy.bound),
    books: recorded.books,
    parts: recorded.parts(),
    drain: eventLoopDrain(machine.timers),
    watch: () => look,
  }).catch((error: unknown) => {
    throw strategy.explain(error);
  });
  if (firstDifference === undefined) return;
  throw new UsageError(
    'TICKWRIGHT_E_POLL',
    `--poll must be a session that can be executed again, received ${directory}, which cannot from event ` +
      `${firstDifference.event} on (tickwright replay says why)`,
  );
}
