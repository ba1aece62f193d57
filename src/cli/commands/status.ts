import { join } from 'node:path';
import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { readDaemonFile } from '../../daemon/daemon-file.js';
import { offlinePair, type OfflineStatus } from '../../daemon/offline-status.js';
import { booksIn } from '../../runner/open-chronicle.js';
import { readJournal } from '../../storage/journal-reader.js';
import { pairFolder } from '../compose/daemon-entries.js';
import { askDaemon } from '../compose/daemon-call.js';
import { readSettings, type Settings } from '../compose/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';
import { offlineText, statusText } from '../view/status-text.js';

export interface StatusOptions {
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

/** A daemon that takes longer is asked no more: its journal is read. */
const ANSWER_MS = 150;

/** Exit code 3 when anything is not as it should be. */
export async function status(options: StatusOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const answer = await askDaemon(settings.state, 'GET', '/api/status', { timeoutMs: ANSWER_MS });
  if (answer?.status === 200) {
    const status = answer.document as DaemonStatus;
    if (options.json === true) await printJson(status);
    else await printText(statusText(status));
    return status.state === 'running' && status.problems.length === 0 ? EXIT.ok : EXIT.checkFailed;
  }
  const offline = await offlineStatus(machine, settings);
  if (options.json === true) await printJson(offline);
  else await printText(offlineText(offline));
  return EXIT.checkFailed;
}

async function offlineStatus(machine: Machine, { state, strategies }: Settings): Promise<OfflineStatus> {
  const { files, processes } = machine;
  const file = await readDaemonFile(files, state).catch(() => undefined);
  const isAlive = file !== undefined && processes.stateOf(file.process) === 'alive';
  const pairs = await Promise.all(
    strategies.map(async ({ pair }) => {
      const directory = join(pairFolder(state, pair), 'journal');
      if ((await files.stat(directory)) === undefined) return [];
      return [offlinePair(pair, booksIn(await readJournal(files, directory)))];
    }),
  );
  return {
    schemaVersion: 1,
    state: isAlive ? 'hung' : 'unknown',
    pid: isAlive ? file.pid : undefined,
    mode: file?.mode,
    pairs: pairs.flat(),
  };
}
