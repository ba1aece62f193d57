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
 * @param tell tells those of it who are not at this terminal; a second signal does not wait for that either
 */
export async function tellingWhenInterrupted<T>(
  left: () => Promise<readonly string[]>,
  work: () => Promise<T>,
  tell: (left: readonly string[]) => Promise<void> = () => Promise.resolve(),
  { signals, write, exit }: Interruption = OF_PROCESS,
): Promise<T> {
  let isInterrupted = false;
  let isOver = false;
  const release = signals.onStop((signal) => {
    const code = SIGNAL_EXIT[signal];
    if (isInterrupted) return exit(code);
    isInterrupted = true;
    void left()
      .then(
        (found) => ({ found, text: leftText(found) }),
        (error: unknown) => {
          const text = `its journals cannot be read: ${String(error)}`;
          return { found: [text], text };
        },
      )
      .then(async ({ found, text }) => {
        if (isOver) return;
        const words = `interrupted, so nothing is proven: ${text}. The same command goes on.\n`;
        await write(words).catch(() => undefined);
        await tell(found);
      })
      .finally(() => {
        if (!isOver) exit(code);
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
