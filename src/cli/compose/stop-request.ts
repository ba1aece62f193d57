import { exitNow, writeError } from '../../platform/process.js';
import { processSignals } from '../../platform/signals.js';
import { EXIT } from '../exit-code.js';

export type StopReason = 'SIGINT' | 'SIGTERM';

export interface StopRequest {
  /** Resolves at the first Ctrl-C or SIGTERM. */
  readonly requested: Promise<StopReason>;
  /** The signals do what they did before. */
  release(): void;
}

/**
 * Listens for Ctrl-C and SIGTERM. The first one asks for an orderly stop; the second ends the process at once.
 *
 * @param leftOpen says what stays behind at a second signal; `undefined` when nothing does.
 */
export function stopRequest(leftOpen: () => string | undefined = () => undefined): StopRequest {
  let first: StopReason | undefined;
  let resolve: (reason: StopReason) => void = () => undefined;
  const requested = new Promise<StopReason>((done) => {
    resolve = done;
  });
  const release = processSignals.onStop((signal) => {
    if (first === undefined) {
      first = signal;
      resolve(signal);
      return;
    }
    const rest = leftOpen();
    const code = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    void writeError(`stopped at once${rest === undefined ? '' : `: ${rest}`}\n`).finally(() => exitNow(code));
  });
  return { requested, release };
}
