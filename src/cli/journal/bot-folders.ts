/** Finds the folders of a bot: its journal and the recordings of its sessions. */
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { journalFolder } from '../../storage/journal/journal-layout.js';
import type { Machine } from '../machine.js';
import { pairFolder } from './pair-folder.js';
import { readSettings } from '../settings/settings.js';

export interface BotFolder {
  readonly folder: string;
  readonly journal: string;
  /** The folder that contains a folder per session. */
  readonly capture: string;
  /** `undefined` if it is not known to which pair the folder belongs. */
  readonly pair: string | undefined;
}

export interface BotFolderOptions {
  readonly config?: string | undefined;
  /** The folder that `run --journal` got, or the journal in it. */
  readonly journal?: string | undefined;
}

/**
 * The folder that `--journal` names; otherwise those of the configuration's pairs and all others in its state folder.
 *
 * @throws UsageError when none of them has a journal
 */
export async function botFolders(machine: Machine, options: BotFolderOptions): Promise<readonly BotFolder[]> {
  const { files } = machine;
  if (options.journal !== undefined) {
    const isJournal = await holdsJournal(files, options.journal);
    const folder = isJournal ? dirname(options.journal) : options.journal;
    const each = botFolder(folder, isJournal ? options.journal : join(folder, 'journal'), undefined);
    const isThere =
      isJournal ||
      (await holdsJournal(files, each.journal)) ||
      (await files.stat(each.capture)) !== undefined;
    if (!isThere) {
      throw new UsageError(
        'TICKWRIGHT_E_NO_JOURNAL',
        `--journal must name the folder of a bot, received ${options.journal}, where there is neither a journal nor a recording of sessions`,
      );
    }
    return [each];
  }
  const { state, strategies } = await readSettings(machine, options.config);
  const names = new Set(strategies.map(({ pair }) => pair));
  const entries = (await files.stat(state)) === undefined ? [] : await files.list(state);
  for (const { name, kind } of entries) if (kind === 'directory') names.add(name);
  const found: BotFolder[] = [];
  for (const pair of names) {
    const folder = pairFolder(state, pair);
    const each = botFolder(folder, join(folder, 'journal'), pair);
    if ((await holdsJournal(files, each.journal)) || (await files.stat(each.capture)) !== undefined)
      found.push(each);
  }
  if (found.length > 0) return found;
  throw new UsageError(
    'TICKWRIGHT_E_NO_JOURNAL',
    `${state} must hold the journal of a bot, received none; --journal names another folder (sessions on paper write none)`,
  );
}

function botFolder(folder: string, journal: string, pair: string | undefined): BotFolder {
  return { folder, journal, capture: join(folder, 'capture'), pair };
}

/** Whether the folder is there and has records in it. */
export async function holdsJournal(files: Files, directory: string): Promise<boolean> {
  if ((await files.stat(directory))?.kind !== 'directory') return false;
  const { segments, snapshots } = await journalFolder(files, directory);
  return segments.length > 0 || snapshots.length > 0;
}

/** The session of an intent key, and the intent's number in it; `undefined` for other names. */
export function intentOfSession(
  key: string,
): { readonly session: string; readonly intentId: number } | undefined {
  const at = key.lastIndexOf('-');
  const intentId = Number(key.slice(at + 1));
  if (at <= 0 || !Number.isSafeInteger(intentId)) return undefined;
  return { session: basename(key.slice(0, at)), intentId };
}
