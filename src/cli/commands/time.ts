import { type ReadOptions, withVenue } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { momentText } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';

export async function time(options: ReadOptions): Promise<ExitCode> {
  const now = await withVenue(options, ({ api }) => api.time());
  if (options.json === true) await printJson({ time: now });
  else await printText(momentText(now));
  return EXIT.ok;
}
