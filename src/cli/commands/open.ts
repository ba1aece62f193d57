import { tellDaemon } from '../daemon/daemon-call.js';
import { readSettings } from '../settings/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';

export interface OpenOptions {
  readonly config?: string | undefined;
  readonly control?: true | undefined;
  readonly json?: true | undefined;
}

/** Prints a link to the dashboard. It admits the first person who opens it, for reading or for control. */
export async function open(options: OpenOptions): Promise<ExitCode> {
  const { state } = await readSettings(thisMachine(), options.config);
  const answer = await tellDaemon(state, '/api/link', { control: options.control === true });
  const { url } = answer as { readonly url: string };
  if (options.json === true) await printJson({ url });
  else await printText(url);
  return EXIT.ok;
}
