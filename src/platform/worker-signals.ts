import { constants } from 'node:os';

interface SignalHandle {
  onsignal: () => void;
  start(number: number): number;
}

/** Node's own, which its declarations do not know. */
interface Bindings {
  binding(name: 'signal_wrap'): { readonly Signal: new () => SignalHandle };
}

const { SIGINT, SIGTERM, SIGHUP } = constants.signals;

/**
 * Calls back in a worker at what asks the process to stop, also while the main thread does not return. It must listen for
 * these signals itself: once a worker does, they no longer end the process. Node's public API calls back in the main
 * thread alone, hence its inner one. False where this Node has none.
 */
export function onStopInWorker(handler: () => void): boolean {
  try {
    process.noDeprecation = true;
    const { Signal } = (process as unknown as Bindings).binding('signal_wrap');
    for (const number of [SIGINT, SIGTERM, SIGHUP]) {
      const handle = new Signal();
      handle.onsignal = handler;
      handle.start(number);
    }
    return true;
  } catch {
    return false;
  }
}
