import { tellDaemon } from '../daemon/daemon-call.js';
import { readSettings } from '../settings/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, say } from '../view/output.js';

export interface PauseOptions {
  readonly config?: string | undefined;
  readonly reason: string;
  readonly json?: true | undefined;
}

/** No new order of the daemon adds risk until somebody resumes. Resting orders of `orders` and `submit` stay. */
export async function pause(options: PauseOptions): Promise<ExitCode> {
  const { state } = await readSettings(thisMachine(), options.config);
  const answer = await tellDaemon(state, '/api/pause', { reason: options.reason });
  const { unwritten } = answer as { readonly unwritten?: unknown };
  const isKept = typeof unwritten !== 'string';
  if (options.json === true) await printJson({ paused: true, ...(isKept ? {} : { unwritten }) });
  else
    await say(
      'paused: no new order adds risk until tickwright resume; orders that are open may stay and be filled',
    );
  if (!isKept) await say(`warning: ${unwritten}`);
  return EXIT.ok;
}
