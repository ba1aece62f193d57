/** Finds out what is known of a daemon that does not answer. */
import { readDaemonFile } from '../../daemon/daemon-file.js';
import { readHalts } from '../../daemon/halts-file.js';
import { type OfflineStatus, offlineStatusOf } from '../../daemon/offline-status.js';
import { processId } from '../../platform/processes.js';
import { legibleBooks } from '../../runner/legible-books.js';
import { thisMachine } from '../machine.js';
import { runningDaemon } from './end-daemon.js';
import { haltFilesIn } from '../stop/halt-files.js';
import { gridDigits, journalOf } from '../journal/journaled.js';
import { pairFolder } from '../journal/pair-folder.js';
import { readSettings } from '../settings/settings.js';
import { demandOpenState } from './state-access.js';
import { unattended, UNATTENDED_FIX } from './unattended.js';

/** The state folder that the configuration names. @throws UsageError when anything in the configuration is wrong */
export async function stateOf(config: string | undefined): Promise<string> {
  return (await readSettings(thisMachine(), config)).state;
}

export async function offlineStatus(config: string | undefined): Promise<OfflineStatus> {
  const machine = thisMachine();
  const { state, strategies } = await readSettings(machine, config);
  const { files } = machine;
  await demandOpenState(state);
  const file = await readDaemonFile(files, state).catch(() => undefined);
  const running = await runningDaemon(machine, state);
  // A daemon writes its file when it is ready. While it starts, the file may be that of an earlier daemon.
  const own = file !== undefined && file.process === running ? file : undefined;
  const left = await unattended(files, { state, strategies });
  const named = strategies.map(({ pair }) => pair);
  const others = new Set(left.map(({ pair }) => pair));
  const pairs = await Promise.all(
    [...named, ...others].map(async (pair) => {
      const directory = journalOf(state, pair);
      if ((await files.stat(directory)) === undefined) return [];
      const legible = await legibleBooks(files, directory);
      const digits = await gridDigits(files, state, pair, legible.books);
      return [{ pair, ...legible, digits }];
    }),
  );
  const head = {
    state: running === undefined ? 'not running' : own === undefined ? 'starting' : 'hung',
    pid: running === undefined ? undefined : processId(running),
    mode: own?.mode,
    venue: own?.venue,
  } as const;
  const halts = [...(await readHalts(files, state, 'live')), ...(await readHalts(files, state, 'paper'))];
  const folders = [state, ...strategies.map(({ pair }) => pairFolder(state, pair))];
  const status = offlineStatusOf(head, { halts, haltFiles: await haltFilesIn(files, folders) }, pairs.flat());
  const problems = left.map(({ what }) => `${what}: ${UNATTENDED_FIX}`);
  return { ...status, problems: [...status.problems, ...problems] };
}
