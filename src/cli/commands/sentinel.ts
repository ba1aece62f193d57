import { demandKey } from '../connection/key-check.js';
import { runSentinel } from '../daemon/sentinel.js';
import { readSettings } from '../settings/settings.js';
import type { ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';

export interface SentinelOptions {
  readonly config?: string | undefined;
  readonly venue?: string | undefined;
  readonly once?: true | undefined;
  readonly allowEnvKey?: true | undefined;
}

/** Watches the daemon until the sentinel is stopped; with `once`, until the daemon has ended in any way. */
export async function sentinel(options: SentinelOptions): Promise<ExitCode> {
  const machine = thisMachine('info', { unattended: true });
  const settings = await readSettings(machine, options.config);
  const venue = settings.mode === 'live' ? await settings.venueWithSentinelKeys(options) : undefined;
  const once = options.once === true;
  // With a refused key, the sentinel could not cancel orders, and that would show only when it is needed.
  if (venue !== undefined) {
    await demandKey(machine, venue).catch((error: unknown) => {
      // Beside a running daemon, a sentinel that can only alert is better than none.
      if (!once) throw error;
      machine.log.error('sentinel: the venue refuses its key: it can tell, and stop nothing', {
        reason: (error as Error).message,
      });
    });
  }
  return runSentinel(machine, { settings, venue, once });
}
