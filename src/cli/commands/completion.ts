import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { nodeFiles } from '../../platform/files.js';
import { shippedStrategies } from '../package.js';
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { completionTable } from '../completion/table.js';
import { zshCompletion } from '../completion/zsh.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printText } from '../view/output.js';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Prints the script with which a shell completes the command lines of `program`. */
export async function completion(
  shell: keyof typeof SCRIPTS,
  program: CommandUnknownOpts,
): Promise<ExitCode> {
  const strategies = await shippedStrategies(nodeFiles);
  await printText(SCRIPTS[shell](completionTable(program, strategies)));
  return EXIT.ok;
}
