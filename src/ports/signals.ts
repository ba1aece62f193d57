/** Asks from the operating system to stop; SIGHUP says that the terminal is gone. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Signals {
  /** Calls back at each of them; returns how to stop listening. */
  onStop(handler: (signal: StopSignal) => void): () => void;
}
