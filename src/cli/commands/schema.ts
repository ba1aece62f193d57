import { EXIT, type ExitCode } from '../exit-code.js';
import { configSchemaText } from '../scaffold/schema-text.js';
import { printText } from '../view/output.js';

/** Prints the configuration's JSON Schema, for editors. */
export async function schema(): Promise<ExitCode> {
  await printText((await configSchemaText()).trimEnd());
  return EXIT.ok;
}
