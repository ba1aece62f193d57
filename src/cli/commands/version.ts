import { EXIT, type ExitCode } from '../exit-code.js';
import { packageVersion } from '../package.js';
import { nodeFiles } from '../../platform/files.js';
import { printText } from '../view/output.js';

export async function version(): Promise<ExitCode> {
  await printText(await packageVersion(nodeFiles));
  return EXIT.ok;
}
