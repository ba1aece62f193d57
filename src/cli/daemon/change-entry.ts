/** A running strategy with other parameters, or another one in its place. */
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

/** @throws UsageError for parameters that are not the strategy's, and for code that nobody looked at */
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

/** What a live session lacks, for the journal. @throws UsageError unless that is allowed */
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

/** What the old one was given is kept where the new one takes it too; what was left to defaults is left to the new ones. */
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

/** Between two lives of the session, when nobody writes it. */
async function noteIn(machine: Machine, folder: string, text: string): Promise<void> {
  const wall = machine.clock.wall();
  await addToJournal(machine, join(folder, 'journal'), () => [{ kind: 'note', text, wall }]);
}
