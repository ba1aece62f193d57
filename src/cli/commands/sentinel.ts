import { runSentinel } from '../compose/sentinel.js';
import { readSettings } from '../compose/settings.js';
import type { ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';

export interface SentinelOptions {
  readonly config?: string | undefined;
  readonly venue?: string | undefined;
  readonly once?: true | undefined;
  readonly allowEnvKey?: true | undefined;
}

/** Watches until it is stopped; with `once` until the daemon has ended, one way or the other. */
export async function sentinel(options: SentinelOptions): Promise<ExitCode> {
  const machine = thisMachine('info', { unattended: true });
  const settings = await readSettings(machine, options.config);
  const venue = settings.mode === 'live' ? await settings.venueWithSentinelKeys(options) : undefined;
  return runSentinel(machine, { settings, venue, once: options.once === true });
}
