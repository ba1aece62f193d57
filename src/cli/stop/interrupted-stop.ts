import { exitNow, writeError } from '../../platform/process.js';
import { processSignals } from '../../platform/signals.js';
import type { Signals } from '../../ports/signals.js';
import { type ExitCode, SIGNAL_EXIT } from '../exit-code.js';

export interface Interruption {
  readonly signals: Signals;
  readonly write: (text: string) => Promise<void>;
  readonly exit: (code: ExitCode) => void;
}

const OF_PROCESS: Interruption = { signals: processSignals, write: writeError, exit: exitNow };

/**
 * Runs a stop and its proof. At Ctrl-C, SIGTERM or SIGHUP the process says what may be at the venue and ends: the bot may
 * have ended by then, so nobody else would say it. A second signal waits for no journal. When the work ends before the
 * journals are read, the caller goes on, which is about to end the process anyway.
 *
 * @param left what the journals have at the venue, in words
 */
export async function tellingWhenInterrupted<T>(
  left: () => Promise<readonly string[]>,
  work: () => Promise<T>,
  { signals, write, exit }: Interruption = OF_PROCESS,
): Promise<T> {
  let isInterrupted = false;
  let isOver = false;
  const release = signals.onStop((signal) => {
    const code = SIGNAL_EXIT[signal];
    if (isInterrupted) return exit(code);
    isInterrupted = true;
    void left()
      .then(leftText, (error: unknown) => `its journals cannot be read: ${String(error)}`)
      .then((text) => {
        if (isOver) return undefined;
        const said = write(`interrupted, so nothing is proven: ${text}. The same command goes on.\n`);
        return said.finally(() => exit(code));
      });
  });
  try {
    return await work();
  } finally {
    isOver = true;
    release();
  }
}

function leftText(left: readonly string[]): string {
  if (left.length === 0) return 'its journals know of nothing at the venue';
  return `by its journals the venue may have ${left.join('; ')}`;
}
