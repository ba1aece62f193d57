import { REPLACE_MS, tellDaemon } from '../daemon/daemon-call.js';
import { diffNewest, pairOf } from '../replay/session-of-pair.js';
import { readSettings } from '../settings/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import type { Settings } from '../option-values.js';
import { printJson, printText, say } from '../view/output.js';
import { diffJson, diffText } from '../view/replay-diff-view.js';

export interface SetOptions {
  readonly config?: string | undefined;
  readonly pair?: string | undefined;
  readonly dryRun?: true | undefined;
  readonly reason: string;
  /** False with `--no-certificate`. */
  readonly certificate?: boolean | undefined;
  readonly json?: true | undefined;
}

/** Changes parameters of a running strategy, or shows what they would have changed. */
export async function set(params: Settings, options: SetOptions): Promise<ExitCode> {
  const { config, reason, json, dryRun } = options;
  const machine = thisMachine();
  const settings = await readSettings(machine, config);
  const pair = pairOf(settings, options.pair);
  if (dryRun === true) {
    const diff = await diffNewest(machine, settings, pair, { set: params });
    if (json === true) await printJson(diffJson(diff));
    else await printText(diffText(diff));
    return diff.notReproduced === undefined ? EXIT.ok : EXIT.checkFailed;
  }
  const words = { pair, params, reason, uncertified: options.certificate === false };
  const answer = await tellDaemon(settings.state, '/api/set', words, REPLACE_MS);
  const { done } = answer as { readonly done: string };
  if (json === true) await printJson({ done, persisted: false });
  else await say(`${done}\nnot written down: at its next start the daemon runs what ${settings.file} says`);
  return EXIT.ok;
}
