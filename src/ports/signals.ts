/** Requests of the operating system to stop. SIGHUP: the terminal has gone. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Signals {
  /** Calls back at each of them; returns how to stop listening. */
  onStop(handler: (signal: StopSignal) => void): () => void;
}
