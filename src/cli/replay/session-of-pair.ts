/** Finds the session that a daemon runs on a pair, in its state folder. */
import { basename, join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { blackBoxFolders } from '../../storage/capture/black-box-layout.js';
import type { Machine } from '../machine.js';
import { journaledBooks } from '../journal/journaled.js';
import { pairFolder } from '../journal/pair-folder.js';
import { diffBlackBox, type OtherStrategy, type SessionDiff } from './replay-diff.js';
import type { Settings } from '../settings/settings.js';

/**
 * The requested pair, or else the only one.
 *
 * @throws UsageError when it is not clear
 */
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

/**
 * What another strategy would have decided in the newest session. Computed in this process rather than in the daemon.
 */
export async function diffNewest(
  machine: Machine,
  { state }: Settings,
  pair: string,
  other: OtherStrategy,
): Promise<SessionDiff> {
  const { files } = machine;
  const root = join(pairFolder(state, pair), 'capture');
  const folders = await blackBoxFolders(files, root);
  // The journal is in order even if the machine's clock was changed; times of files could lie in the future.
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

/** The folder that was written last, for a journal that is unreadable or does not contain the start of its session. */
async function newestOf(files: Files, folders: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(folders.map((path) => files.stat(path)));
  return found.filter((folder) => folder !== undefined).toSorted((a, b) => b.modifiedMs - a.modifiedMs)[0]
    ?.path;
}
