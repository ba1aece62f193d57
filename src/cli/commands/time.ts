import { withConnection } from '../compose/connection.js';
import { readSettings } from '../compose/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { momentText } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';

export interface TimeOptions {
  readonly venue?: string | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

export async function time(options: TimeOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const now = await withConnection(machine, settings.venue(options.venue), ({ api }) => api.time());
  if (options.json === true) await printJson({ time: now });
  else await printText(momentText(now));
  return EXIT.ok;
}
