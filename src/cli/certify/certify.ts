/** What a certificate covers, by configuration and command line; and whether there is a valid one. */
import {
  type CertifiedThing,
  certificateHash,
  certificatePath,
  certificateProblem,
} from '../../certify/certificate.js';
import { SCENARIOS } from '../../certify/scenario.js';
import type { LimitsConfig, StrategyConfig } from '../../config/load-config.js';
import { Decimal, plain } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Timers } from '../../ports/clock.js';
import type { Machine } from '../machine.js';
import { certifyCommand } from '../view/certify-command.js';
import { packageVersion } from '../package.js';
import { pairFolder } from '../journal/pair-folder.js';
import type { Settings } from '../settings/settings.js';
import { type LoadedStrategy, loadStrategy } from '../strategy/strategy.js';
import { addToJournal } from '../journal/write-journal.js';
import { join } from 'node:path';
import { JournalDamaged, JournalUnreadable } from '../../storage/journal/journal-errors.js';
import { PRIVATE_DIRECTORY } from '../../storage/journal/journal-layout.js';

/** Number of event loop turns that are requested at once, so that it asks the system once for all of them. */
const TURNS_AT_ONCE = 64;

/** Resolves once all promises that can continue on their own have done so: they continue before the next callback. */
export function eventLoopDrain(timers: Timers): () => Promise<void> {
  let turnsLeft = 0;
  let waiting: (() => void)[] = [];
  const turn = () => {
    turnsLeft -= 1;
    const resolved = waiting;
    waiting = [];
    for (const resolve of resolved) resolve();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (turnsLeft > 0) return;
      turnsLeft = TURNS_AT_ONCE;
      for (let i = 0; i < TURNS_AT_ONCE; i++) timers.soon(turn);
    });
}

/** Everything that a certificate of a strategy covers, as text. */
export function certifiedThing(
  { sha256, params }: Pick<LoadedStrategy, 'sha256' | 'params'>,
  {
    pair,
    onDoubt,
    limits,
    engine,
  }: {
    readonly pair: string;
    readonly onDoubt: string;
    readonly limits: LimitsConfig | undefined;
    readonly engine: string;
  },
): CertifiedThing {
  return { strategy: sha256, pair, params, limits: limitTexts(limits), onDoubt, engine };
}

function limitTexts(limits: LimitsConfig | undefined): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, bound] of Object.entries(limits ?? {})) {
    if (bound === undefined) continue;
    texts[name] = bound instanceof Decimal ? plain(bound) : String(bound);
  }
  return texts;
}

/** A strategy of the configuration that `start --live` must not run as it is. */
export interface Uncertified {
  readonly strategy: StrategyConfig;
  readonly hash: string;
  readonly problem: string;
}

/** The strategies of the configuration without a valid certificate. */
export async function uncertified(machine: Machine, settings: Settings): Promise<readonly Uncertified[]> {
  const { files } = machine;
  const engine = await packageVersion(files);
  const found: Uncertified[] = [];
  for (const strategy of settings.strategies) {
    const { file, pair, onDoubt, params } = strategy;
    const loaded = await loadStrategy(machine, file, params);
    const thing = certifiedThing(loaded, { pair, onDoubt, limits: settings.limits, engine });
    const hash = certificateHash(thing);
    const path = certificatePath(settings.state, hash);
    const text = (await files.stat(path))?.kind === 'file' ? await files.readText(path) : undefined;
    const problem = certificateProblem(text, hash, SCENARIOS.length);
    if (problem !== undefined) found.push({ strategy, hash, problem });
  }
  return found;
}

/** @throws UsageError for the first strategy without a valid certificate, unless these are `allowed` */
export async function demandCertificates(
  machine: Machine,
  settings: Settings,
  allowed: boolean,
): Promise<readonly Uncertified[]> {
  const found = await uncertified(machine, settings);
  const [first] = found;
  if (first === undefined || allowed) return found;
  const { file, pair } = first.strategy;
  throw new UsageError(
    'TICKWRIGHT_E_CERTIFICATE',
    `--live needs a valid certificate for ${file} on ${pair}: ${first.problem}; ` +
      `make one by ${certifyCommand(file, { config: settings.file, pair })}, or start with --no-certificate, which is journaled`,
  );
}

/** Notes strategies that `--no-certificate` allows in the journals of their pairs, before anything else happens. */
export async function noteUncertified(
  machine: Machine,
  { state }: Settings,
  found: readonly Uncertified[],
): Promise<void> {
  for (const { strategy, problem } of found) {
    const directory = join(pairFolder(state, strategy.pair), 'journal');
    await machine.files.makeDirectory(directory, PRIVATE_DIRECTORY);
    const text = `started with --no-certificate: ${strategy.file} on ${strategy.pair}: ${problem}`;
    const wall = machine.clock.wall();
    try {
      await addToJournal(machine, directory, () => [{ kind: 'note', text, wall }]);
    } catch (error) {
      if (!(error instanceof JournalDamaged || error instanceof JournalUnreadable)) throw error;
      // The session of this pair is refused for the same reason, so it sends nothing; other sessions are not affected.
      machine.log.error('a journal cannot be written', { pair: strategy.pair, error: error.message });
    }
  }
}
