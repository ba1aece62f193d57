/** What is known of a daemon that does not answer. */
import { join } from 'node:path';
import { readDaemonFile } from '../../daemon/daemon-file.js';
import { readHalts } from '../../daemon/halts-file.js';
import { offlinePair, type OfflineStatus } from '../../daemon/offline-status.js';
import { booksIn } from '../../runner/open-chronicle.js';
import { readJournal } from '../../storage/journal-reader.js';
import { thisMachine } from '../machine.js';
import { pairFolder } from './pair-folder.js';
import { readSettings } from './settings.js';

/** By the whole configuration. @throws UsageError with what is wrong in it */
export async function stateOf(config: string | undefined): Promise<string> {
  return (await readSettings(thisMachine(), config)).state;
}

export async function offlineStatus(config: string | undefined): Promise<OfflineStatus> {
  const machine = thisMachine();
  const { state, strategies } = await readSettings(machine, config);
  const { files, processes } = machine;
  const file = await readDaemonFile(files, state).catch(() => undefined);
  const isAlive = file !== undefined && processes.stateOf(file.process) === 'alive';
  const halts = await readHalts(files, state);
  const pairs = await Promise.all(
    strategies.map(async ({ pair }) => {
      const directory = join(pairFolder(state, pair), 'journal');
      if ((await files.stat(directory)) === undefined) return [];
      return [offlinePair(pair, booksIn(await readJournal(files, directory)), halts)];
    }),
  );
  return {
    schemaVersion: 1,
    state: isAlive ? 'hung' : 'unknown',
    pid: isAlive ? file.pid : undefined,
    mode: file?.mode,
    halts,
    pairs: pairs.flat(),
  };
}
