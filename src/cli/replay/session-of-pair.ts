/** The session that a daemon runs on a pair, as its folder in the state shows it. */
import { basename, join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { blackBoxFolders } from '../../storage/capture/black-box-layout.js';
import type { Machine } from '../machine.js';
import { journaledBooks } from '../journal/journaled.js';
import { pairFolder } from '../journal/pair-folder.js';
import { diffBlackBox, type OtherStrategy, type SessionDiff } from './replay-diff.js';
import type { Settings } from '../settings/settings.js';

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
  const folders = await blackBoxFolders(files, root);
  // The journal is in order whatever the clock of the machine does; files may be of a time that has not come yet.
  const books = await journaledBooks(files, state, pair).catch(() => undefined);
  const own = folders.find((path) => basename(path) === books?.session);
  const newest = own ?? (await newestOf(files, folders));
  if (newest !== undefined) return diffBlackBox(machine, newest, other);
  throw new UsageError(
    'TICKWRIGHT_E_CAPTURE',
    `decisions are compared on what a live session recorded; ${root} must hold one, received none ` +
      '(sessions on paper record none: compare backtests)',
  );
}

/** Written to last: of a journal that cannot be read, or does not reach back to the start of its session. */
async function newestOf(files: Files, folders: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(folders.map((path) => files.stat(path)));
  return found.filter((folder) => folder !== undefined).toSorted((a, b) => b.modifiedMs - a.modifiedMs)[0]
    ?.path;
}
