import type { Signals } from '../ports/signals.js';

/** SIGINT and SIGTERM of this process. While a handler listens, the signal itself no longer ends the process. */
export const processSignals: Signals = {
  onStop(handler) {
    const onInterrupt = () => handler('SIGINT');
    const onTerminate = () => handler('SIGTERM');
    process.on('SIGINT', onInterrupt);
    process.on('SIGTERM', onTerminate);
    return () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    };
  },
};

/** Calls back at SIGUSR2; returns how to stop listening. */
export function onPauseSignal(handler: () => void): () => void {
  process.on('SIGUSR2', handler);
  return () => void process.off('SIGUSR2', handler);
}
