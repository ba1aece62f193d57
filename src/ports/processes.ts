/** Processes, by names that no other process on any machine ever has. */
export interface Processes {
  /** The name of this process. */
  readonly self: string;
  /** `unknown`: the process is, or was, on another machine or in another container, where this one cannot look. */
  stateOf(name: string): 'alive' | 'gone' | 'unknown';
}
