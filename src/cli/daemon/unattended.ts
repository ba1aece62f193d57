/** Finds what live sessions left on pairs that the configuration no longer names: no start takes these pairs up. */
import type { Files } from '../../ports/files.js';
import type { Machine } from '../machine.js';
import type { Settings } from '../settings/settings.js';
import { type Left, leftOnPairs } from './what-ran.js';

type Named = Pick<Settings, 'state' | 'strategies'>;

export interface UnattendedWatch {
  /** Problems by the newest look, in words. */
  readonly problems: readonly string[];
  stop(): void;
}

/**
 * Time between two looks. A person may settle the pair meanwhile, by hand and `attach --accept`; no other process writes
 * its journal.
 */
const LOOK_MS = 60_000;

/** One entry for each thing that is left. */
export async function unattended(files: Files, { state, strategies }: Named): Promise<readonly Left[]> {
  const named = new Set(strategies.map(({ pair }) => pair));
  const left = await leftOnPairs(files, state, 'flat', (pair) => !named.has(pair));
  return left.map(({ pair, what }) => ({
    pair,
    what: `${what} (by its journal), on a pair that the configuration does not name`,
  }));
}

export const UNATTENDED_FIX =
  'name the pair again, or end it: tickwright stop --cancel and --flat see to every pair that has a journal';

/** Reports at the start what is left, and looks again as long as something is. */
export async function watchUnattended(
  { files, timers, log }: Pick<Machine, 'files' | 'timers' | 'log'>,
  named: Named,
): Promise<UnattendedWatch> {
  let problems = await unattended(files, named);
  for (const { what } of problems) log.warn('nobody looks after what an earlier life left', { what });
  let isStopped = false;
  let cancel = () => {};
  const lookLater = () => {
    if (isStopped || problems.length === 0) return;
    cancel = timers.after(LOOK_MS, () => {
      void unattended(files, named)
        // A journal that cannot be read at this moment keeps its last problems.
        .catch(() => problems)
        .then((found) => {
          problems = found;
          lookLater();
        });
    });
  };
  lookLater();
  return {
    get problems() {
      return problems.map(({ what }) => `${what}: ${UNATTENDED_FIX}`);
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
