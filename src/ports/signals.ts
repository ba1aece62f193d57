/** Asks from the operating system to stop. */
export interface Signals {
  /** Calls back at SIGINT or SIGTERM; returns how to stop listening. */
  onStop(handler: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
}
