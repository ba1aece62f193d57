/** Replaces a running strategy by one with other parameters or other code. */
import { join } from 'node:path';
import type { ChangeRequest } from '../../daemon/daemon-api.js';
import { changeText, type StrategyChange } from '../../daemon/strategy-change.js';
import { UsageError } from '../../model/errors.js';
import type { StrategyConfig } from '../../config/load-config.js';
import type { Machine } from '../machine.js';
import { uncertified } from '../certify/certify.js';
import { type ConfiguredEntry, entryOf, type EntryParts } from './daemon-entries.js';
import { loadInPlaceOf } from '../replay/replay-diff.js';
import { loadStrategy } from '../strategy/strategy.js';
import { addToJournal } from '../journal/write-journal.js';

/** @throws UsageError for unknown parameters, and when the code is not the code that the user inspected */
export async function changeEntry(
  parts: EntryParts,
  entry: ConfiguredEntry,
  change: StrategyChange,
  { by, reason, uncertified: isAllowed }: ChangeRequest,
): Promise<ConfiguredEntry> {
  const { strategy, given } =
    'params' in change
      ? await withParams(parts, entry, change.params)
      : await withCode(parts, entry, change.code);
  const lacks = await lacking(parts, { ...entry.config, file: strategy.file, params: given }, isAllowed);
  let isNoted = parts.mode === 'paper';
  const note = async () => {
    if (isNoted) return;
    await noteIn(parts.machine, entry.folder, `${changeText(entry, next)}; by ${by}: ${reason}${lacks}`);
    isNoted = true;
  };
  const next: ConfiguredEntry = entryOf(
    parts,
    { config: entry.config, index: entry.index, strategy, given },
    note,
  );
  return next;
}

/**
 * What a live session lacks for its certificate, as a text for the journal. @throws UsageError unless it is allowed to
 * lack it
 */
async function lacking(
  { machine, settings, mode }: EntryParts,
  config: StrategyConfig,
  isAllowed: boolean,
): Promise<string> {
  if (mode === 'paper') return '';
  const [found] = await uncertified(machine, { ...settings, strategies: [config] });
  if (found === undefined) return '';
  if (isAllowed) return `; with --no-certificate: ${found.problem}`;
  throw new UsageError(
    'TICKWRIGHT_E_CERTIFICATE',
    `what trades live needs a valid certificate: ${found.problem}; tickwright certify makes one, --no-certificate does without and is journaled`,
  );
}

async function withParams(
  { machine }: EntryParts,
  { file, given: old, sha256, pair }: ConfiguredEntry,
  params: Readonly<Record<string, string>>,
) {
  const given = { ...old, ...params };
  const strategy = await loadStrategy(machine, file, given);
  if (strategy.sha256 === sha256) return { strategy, given };
  throw new UsageError(
    'TICKWRIGHT_E_SET',
    `${file} must still be what runs on ${pair}, received other code: tickwright swap runs that`,
  );
}

/**
 * Parameters that were given explicitly are kept if the new code has them; the others take the defaults of the new code.
 */
async function withCode(
  { machine }: EntryParts,
  { given: old }: ConfiguredEntry,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
) {
  const strategy = await loadInPlaceOf(machine, file, old);
  if (strategy.sha256 === sha256) return { strategy, given: strategy.given };
  throw new UsageError(
    'TICKWRIGHT_E_SWAP',
    `${file} must be the code that was looked at (${sha256.slice(0, 12)}), received ${strategy.sha256.slice(0, 12)}`,
  );
}

/** Must run between two sessions, while no other process or session writes to the journal. */
async function noteIn(machine: Machine, folder: string, text: string): Promise<void> {
  const wall = machine.clock.wall();
  await addToJournal(machine, join(folder, 'journal'), () => [{ kind: 'note', text, wall }]);
}
