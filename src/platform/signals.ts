import type { Signals, StopSignal } from '../ports/signals.js';

const STOP_SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What asks this process to stop. While a handler listens, the signal itself no longer ends the process. */
export const processSignals: Signals = {
  onStop(handler) {
    const listeners = STOP_SIGNALS.map((signal) => ({ signal, listener: () => handler(signal) }));
    for (const { signal, listener } of listeners) process.on(signal, listener);
    return () => {
      for (const { signal, listener } of listeners) process.off(signal, listener);
    };
  },
};

/** Calls back at SIGUSR2; returns how to stop listening. */
export function onPauseSignal(handler: () => void): () => void {
  process.on('SIGUSR2', handler);
  return () => void process.off('SIGUSR2', handler);
}
