import { exitNow, writeError } from '../../platform/process.js';
import { processSignals } from '../../platform/signals.js';
import type { StopSignal } from '../../ports/signals.js';
import { SIGNAL_EXIT } from '../exit-code.js';

export interface StopRequest {
  /** Resolves at the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly requested: Promise<StopSignal>;
  /** Stops listening and restores the earlier effect of the signals. */
  release(): void;
}

/**
 * Listens for Ctrl-C, SIGTERM and SIGHUP. The first one asks for an orderly stop; a second Ctrl-C or SIGTERM ends the
 * process at once.
 *
 * @param leftOpen says what stays behind at a second signal; `undefined` when nothing does.
 */
export function stopRequest(leftOpen: () => string | undefined = () => undefined): StopRequest {
  let first: StopSignal | undefined;
  let resolve: (reason: StopSignal) => void = () => undefined;
  const requested = new Promise<StopSignal>((done) => {
    resolve = done;
  });
  const release = processSignals.onStop((signal) => {
    if (first === undefined) {
      first = signal;
      resolve(signal);
      return;
    }
    // A closing terminal sends SIGHUP twice, by its shell and by the system, so a second one is not a user's impatience.
    if (signal === 'SIGHUP') return;
    const rest = leftOpen();
    void writeError(`stopped at once${rest === undefined ? '' : `: ${rest}`}\n`).finally(() =>
      exitNow(SIGNAL_EXIT[signal]),
    );
  });
  return { requested, release };
}
