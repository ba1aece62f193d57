/** The session that a daemon runs on a pair, as its folder in the state shows it. */
import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { blackBoxFolders } from '../../storage/black-box-layout.js';
import type { Machine } from '../machine.js';
import { pairFolder } from './pair-folder.js';
import { diffBlackBox, type OtherStrategy, type SessionDiff } from './replay-diff.js';
import type { Settings } from './settings.js';

/** The pair that is meant: the one that is named, else the only one. @throws UsageError */
export function pairOf({ strategies, file }: Settings, given: string | undefined): string {
  const pairs = strategies.map(({ pair }) => pair);
  const [only] = pairs;
  if (given === undefined && only !== undefined && pairs.length === 1) return only;
  if (given !== undefined && pairs.includes(given)) return given;
  throw new UsageError(
    'TICKWRIGHT_E_PAIR',
    `--pair must name one of ${pairs.join(', ')} in ${file ?? 'a configuration'}, received ${given ?? 'nothing'}`,
  );
}

/** What another strategy would have decided on what the newest session saw; in this process, not in the daemon. */
export async function diffNewest(
  machine: Machine,
  { state }: Settings,
  pair: string,
  other: OtherStrategy,
): Promise<SessionDiff> {
  const { files } = machine;
  const root = join(pairFolder(state, pair), 'capture');
  const folders = await Promise.all((await blackBoxFolders(files, root)).map((path) => files.stat(path)));
  const newest = folders
    .filter((folder) => folder !== undefined)
    .toSorted((a, b) => b.modifiedMs - a.modifiedMs)[0];
  if (newest !== undefined) return diffBlackBox(machine, newest.path, other);
  throw new UsageError(
    'TICKWRIGHT_E_CAPTURE',
    `decisions are compared on what a live session recorded; ${root} must hold one, received none ` +
      '(sessions on paper record none: compare backtests)',
  );
}
