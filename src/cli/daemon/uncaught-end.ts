import { writeBlocked } from '../../daemon/blocked-file.js';
import type { Daemon } from '../../daemon/daemon.js';
import { StrategyError } from '../../model/errors.js';
import type { Machine } from '../machine.js';
import type { Trading } from '../uncaught.js';
import type { ConfiguredEntry } from './daemon-entries.js';

type Entry = Pick<ConfiguredEntry, 'explain' | 'folder' | 'sha256' | 'strategy'>;

/**
 * How a daemon ends at an error that nobody caught: in order, as at any other error. The strategy that threw it is noted
 * like one that hung, so that the next start runs the others without it; on each pair that has it, since a stack does
 * not tell them apart.
 */
export function uncaughtEnd(
  { files, clock, log, scrubber }: Pick<Machine, 'files' | 'clock' | 'log' | 'scrubber'>,
  /** Those that run at present. */
  entries: readonly Entry[],
  daemon: Pick<Daemon, 'fail'>,
): Trading {
  let blamed: readonly Entry[] = [];
  return {
    explain(error) {
      const found = entries.flatMap((entry) => {
        const words = entry.explain(error);
        return words instanceof StrategyError && words !== error ? [{ entry, words }] : [];
      });
      const codes = new Map(found.map(({ entry, words }) => [entry.sha256, words]));
      const [words, ...others] = codes.values();
      if (words === undefined) return error;
      // A package of several strategies: nobody knows whose call of it failed.
      if (others.length > 0) {
        const either = [words, ...others].map(({ message }) => message).join('\nor ');
        return new StrategyError(words.code, either, { cause: error });
      }
      blamed = found.map(({ entry }) => entry);
      return words;
    },
    async end(error) {
      daemon.fail(error);
      const text =
        scrubber.scrub(error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
      for (const { folder, strategy, sha256 } of blamed) {
        const blocked = {
          formatVersion: 1,
          strategy,
          sha256,
          at: clock.wall(),
          silentMs: 0,
          error: text,
        } as const;
        await writeBlocked(files, folder, blocked).catch((failure: unknown) =>
          log.error('a strategy that ended the daemon cannot be noted', { strategy, error: String(failure) }),
        );
      }
    },
  };
}
