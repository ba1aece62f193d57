import { resolve } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { REPLACE_MS, tellDaemon } from '../daemon/daemon-call.js';
import type { SessionDiff } from '../replay/replay-diff.js';
import { diffNewest, pairOf } from '../replay/session-of-pair.js';
import { readSettings } from '../settings/settings.js';
import { loadStrategy, strategyPath } from '../strategy/strategy.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText, say } from '../view/output.js';
import { diffJson, diffText } from '../view/replay-diff-view.js';

export interface SwapOptions {
  readonly config?: string | undefined;
  readonly pair?: string | undefined;
  readonly dryRun?: true | undefined;
  readonly reason: string;
  /** False with `--no-certificate`. */
  readonly certificate?: boolean | undefined;
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
}

/** Replaces a running strategy by another one, after showing what the other would have decided. */
export async function swap(name: string, options: SwapOptions): Promise<ExitCode> {
  const { config, reason, json, dryRun, yes } = options;
  const person = personAtTerminal();
  if (dryRun !== true) requireConsent(yes, person);
  const machine = thisMachine();
  const settings = await readSettings(machine, config);
  const pair = pairOf(settings, options.pair);
  const path = await strategyPath(machine, name);
  const { sha256, file } = await loadStrategy(machine, path, {});
  const other = { set: {}, file: path };
  if (dryRun === true) {
    const diff = await diffNewest(machine, settings, pair, other);
    if (json === true) await printJson(diffJson(diff));
    else await printText(diffText(diff));
    return diff.notReproduced === undefined ? EXIT.ok : EXIT.checkFailed;
  }
  const diff = await diffOf();
  if (json !== true) await printText(typeof diff === 'string' ? `no comparison: ${diff}` : diffText(diff));
  const question =
    `${file} (${sha256.slice(0, 12)}) takes the place of what runs on ${pair}: own orders are canceled, the position ` +
    'and the stops that guard it stay (on paper it is gone: the account begins anew), and it begins with the history that every start reads; what the old one remembered is gone';
  if (!(await hasConsent(yes, question, person))) return EXIT.failure;
  const uncertified = options.certificate === false;
  const words = { pair, file: resolve(file), sha256, reason, uncertified };
  const answer = await tellDaemon(settings.state, '/api/swap', words, REPLACE_MS);
  const { done } = answer as { readonly done: string };
  if (json === true)
    await printJson({
      done,
      persisted: false,
      diff: typeof diff === 'string' ? { none: diff } : diffJson(diff),
    });
  else {
    await say(
      `${done}\nif it fails within a minute, the one before runs again; ` +
        `at its next start the daemon runs what ${settings.file} says`,
    );
  }
  return EXIT.ok;

  /** The difference, or why there is none, which does not prevent the swap. */
  async function diffOf(): Promise<SessionDiff | string> {
    try {
      return await diffNewest(machine, settings, pair, other);
    } catch (error) {
      if (error instanceof UsageError && error.code === 'TICKWRIGHT_E_CAPTURE') return error.message;
      throw error;
    }
  }
}
