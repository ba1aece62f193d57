/** Watches the HALT file in the folder of a bot, from before its first order on. */
import { join } from 'node:path';
import type { Chronicle } from '../../execution/chronicle.js';
import type { Execution } from '../../execution/execution.js';
import { HaltFile } from '../../runner/halt-file.js';
import type { Machine } from '../machine.js';

export interface Halts {
  /** From now on, a halt also makes the execution act at once. */
  actOn(execution: Pick<Execution, 'halt'>): void;
  stop(): void;
}

/** `folder`: the folder that `--journal` names; without one nothing is watched. Resolves after the first look. */
export async function watchHalts(
  machine: Machine,
  folder: string | undefined,
  chronicle: Chronicle,
): Promise<Halts> {
  let execution: Pick<Execution, 'halt'> | undefined;
  if (folder === undefined) return { actOn: () => undefined, stop: () => undefined };
  const file = new HaltFile({
    ...machine,
    path: join(folder, 'HALT'),
    halted: () => chronicle.books.halt,
    halt(level, reason, by) {
      machine.log.error('halted', { halt: level, reason, by });
      if (execution !== undefined) execution.halt(level, reason, by);
      else chronicle.note({ kind: 'halt', level, reason, by, wall: machine.clock.wall() }, 'durable');
    },
  });
  await file.watch();
  return {
    actOn(running) {
      execution = running;
    },
    stop: () => file.stop(),
  };
}
