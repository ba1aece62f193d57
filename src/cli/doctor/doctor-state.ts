/** Checks the disk: the state folder, who holds it, and what its journals say. */
import { dirname } from 'node:path';
import { attachCommand, type StartedWith, wayOut } from '../../daemon/attach-command.js';
import { readDaemonFile } from '../../daemon/daemon-file.js';
import { shellWord } from '../../model/shell-word.js';
import { processId } from '../../platform/processes.js';
import { writeRefusal } from '../../platform/write-access.js';
import type { FileEntry } from '../../ports/files.js';
import { booksIn } from '../../runner/open-chronicle.js';
import { demandUnheld, JournalHeld } from '../../storage/journal/journal-lock.js';
import { readJournal } from '../../storage/journal/journal-reader.js';
import { shortageToGoOn, shortageToStart } from '../../storage/journal/journal-space.js';
import type { Machine } from '../machine.js';
import { bytesText } from '../view/bytes-text.js';
import { type Check, fail, failLive, ok, warn } from './doctor-check.js';
import { daemonOf } from '../daemon/daemon-lock.js';
import { daemonLockPath, runningDaemon } from '../daemon/end-daemon.js';
import { haltFilesIn } from '../stop/halt-files.js';
import { journalOf } from '../journal/journaled.js';
import { pairFolder } from '../journal/pair-folder.js';
import type { Settings } from '../settings/settings.js';
import { nearestEntry } from '../daemon/state-folder.js';
import { unattended, UNATTENDED_FIX } from '../daemon/unattended.js';

const STRANGERS = 0o077;
const OTHER_STATE = 'name another one as state: in the configuration';
const WRITABLE_STATE = `let this user write there, or ${OTHER_STATE}`;
const COMFORT_BYTES = 1024 * 1024 * 1024;

export async function stateChecks(
  machine: Machine,
  { state, strategies, file }: Pick<Settings, 'state' | 'strategies' | 'file'>,
  { live, venue }: { readonly live: boolean; readonly venue?: string | undefined },
): Promise<readonly Check[]> {
  const { files } = machine;
  const given = { config: file, venue };
  const pairs = strategies.map(({ pair }) => pair);
  const entry = await files.stat(state);
  const disk = await diskCheck(machine, state, live);
  if (entry === undefined) return [await makingCheck(machine, state), disk];
  if (entry.kind !== 'directory') {
    return [fail('state', `${state} is no folder`, OTHER_STATE)];
  }
  const journals = await Promise.all(pairs.map((pair) => journalCheck(machine, state, pair, given)));
  return [
    await folderCheck(state, entry, live),
    disk,
    await lockCheck(machine, state, pairs, given),
    ...journals.flat(),
    ...(await unattended(files, { state, strategies })).map(({ what }) =>
      warn('other pairs', what, UNATTENDED_FIX),
    ),
    ...(await haltFileCheck(machine, state, pairs)),
  ];
}

async function folderCheck(state: string, { mode }: FileEntry, live: boolean): Promise<Check> {
  const refusal = await writeRefusal(state);
  if (refusal !== undefined) {
    return fail(
      'state',
      `${state} must be a folder that can be written, received ${refusal}`,
      WRITABLE_STATE,
    );
  }
  if ((mode & STRANGERS) === 0) return ok('state', state);
  return failLive(
    live,
    'state',
    `${state} is open to others (mode ${mode.toString(8)})`,
    `chmod 700 ${shellWord(state)}`,
  );
}

/** Checks whether a missing state folder can be created. */
async function makingCheck({ files }: Machine, state: string): Promise<Check> {
  const there = await nearestEntry(files, state);
  if (there !== undefined && there.kind !== 'directory') {
    return fail('state', `${there.path} is no folder`, OTHER_STATE);
  }
  const refusal = there === undefined ? undefined : await writeRefusal(there.path);
  return refusal === undefined
    ? ok('state', `${state} is made at the first start`)
    : fail('state', `${state} must be a place for a folder, received ${refusal}`, WRITABLE_STATE);
}

async function diskCheck({ files, disk }: Machine, state: string, live: boolean): Promise<Check> {
  let there = state;
  while ((await files.stat(there)) === undefined && dirname(there) !== there) there = dirname(there);
  const shortage = (await shortageToGoOn(disk, there)) ?? (await shortageToStart(disk, there));
  const fix = `make room on the disk of ${there}`;
  if (shortage !== undefined) return failLive(live, 'disk', shortage, fix);
  const free = await disk.freeBytes(there);
  const text = `${bytesText(free)} free`;
  return free < COMFORT_BYTES ? warn('disk', text, fix) : ok('disk', text);
}

async function lockCheck(
  machine: Machine,
  state: string,
  pairs: readonly string[],
  given: StartedWith,
): Promise<Check> {
  const { files, processes } = machine;
  const file = await readDaemonFile(files, state).catch(() => undefined);
  const lives = file === undefined ? undefined : processes.stateOf(file.process);
  if (lives === 'alive') return ok('lock', `held by the daemon that runs, process ${file?.pid ?? '?'}`);
  const lock = daemonLockPath(state);
  try {
    if ((await files.stat(lock)) !== undefined) await demandUnheld(files, processes, lock, daemonOf(state));
  } catch (error) {
    if (!(error instanceof JournalHeld)) throw error;
    return warn('lock', error.message, 'tickwright status says who runs; only one may');
  }
  const running = await runningDaemon(machine, state);
  if (running !== undefined) {
    const text = `none, and the daemon runs, process ${processId(running)}: it began on a full disk`;
    return ok('lock', `${text}, and keeps others away by answering`);
  }
  if (file === undefined) return ok('lock', 'free');
  const shows = (pair: string) => attachCommand('--plan', pair, given);
  return warn(
    'lock',
    'free, but the daemon before did not end in order',
    ['the next start takes up what it left; what that is:', ...pairs.map(shows)].join('\n'),
  );
}

async function journalCheck(
  { files }: Machine,
  state: string,
  pair: string,
  given: StartedWith,
): Promise<readonly Check[]> {
  const directory = journalOf(state, pair);
  const name = `journal ${pair}`;
  if ((await files.stat(directory)) === undefined) return [];
  let books: ReturnType<typeof booksIn>;
  try {
    books = booksIn(await readJournal(files, directory));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const verify = `tickwright journal verify ${shellWord(directory)}`;
    return [fail(name, reason, `${verify} says more; restore it from a backup`)];
  }
  const doubts = books.intents(pair).filter(({ stage }) => stage === 'sent' || stage === 'in-doubt').length;
  const quarantine = books.quarantine(pair);
  return [
    ok(name, `whole; ${books.openOrders(pair).length} open orders, ${doubts} in doubt`),
    ...(books.halt === undefined
      ? []
      : [
          warn(
            `halt ${pair}`,
            `halted (${books.halt}): no order adds risk`,
            'tickwright resume, when you know why it was',
          ),
        ]),
    ...(quarantine === undefined
      ? []
      : [warn(`quarantine ${pair}`, quarantine, wayOut(pair, given).join('; '))]),
  ];
}

async function haltFileCheck(
  { files }: Machine,
  state: string,
  pairs: readonly string[],
): Promise<readonly Check[]> {
  const paths = await haltFilesIn(files, [state, ...pairs.map((pair) => pairFolder(state, pair))]);
  return paths.map((path) =>
    warn('HALT file', `${path} is there: nothing adds risk`, `rm ${shellWord(path)}, then tickwright resume`),
  );
}
