/** Processes by names that no other process, on any machine, ever has. */
export interface Processes {
  /** This one's. */
  readonly self: string;
  /** `unknown`: it runs, or ran, where nobody here can look. */
  stateOf(name: string): 'alive' | 'gone' | 'unknown';
}
