import type { Timers } from '../../ports/clock.js';
import type { Files } from '../../ports/files.js';
import { writeBlocked } from '../blocked-file.js';
import type { Heartbeat } from './heartbeat.js';
import type { ControlStrategy } from './messages.js';

export interface LastWordsOptions {
  readonly heartbeat: Pick<Heartbeat, 'atWork'>;
  readonly strategies: readonly ControlStrategy[];
  readonly files: Files;
  /** Epoch ms. */
  readonly wall: () => number;
  readonly timers: Timers;
  /** Prints one line and ends the process. */
  readonly kill: (lastWords: string) => void;
}

/** Bound on writing the file: a disk that hangs as well must not keep the process alive. */
const WRITE_MS = 5_000;

/**
 * What happens once when the engine hangs: the strategy whose code was running is written down, and the process is
 * killed.
 */
export function lastWords(options: LastWordsOptions): (silentMs: number) => void {
  const { heartbeat, strategies, files, wall, timers, kill } = options;
  let isOver = false;
  return (silent) => {
    if (isOver) return;
    isOver = true;
    const silentMs = Math.round(silent);
    const strategy = heartbeat.atWork === undefined ? undefined : strategies[heartbeat.atWork];
    const die = (more: object) =>
      kill(
        JSON.stringify({
          level: 'fatal',
          msg: 'the engine hangs: the process is killed',
          silentMs,
          ...more,
        }),
      );
    if (strategy === undefined) return die({});
    const { name, sha256, folder } = strategy;
    const whose = { strategy: name, note: 'it ran all the time, and is not started again by itself' };
    const cancel = timers.after(WRITE_MS, () => die({ ...whose, error: 'that cannot be written down' }));
    const blocked = { formatVersion: 1, strategy: name, sha256, at: wall(), silentMs } as const;
    writeBlocked(files, folder, blocked).then(
      () => {
        cancel();
        die(whose);
      },
      (error: unknown) => {
        cancel();
        die({ ...whose, error: `that cannot be written down: ${String(error)}` });
      },
    );
  };
}
