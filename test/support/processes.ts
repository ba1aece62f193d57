import type { Processes } from '../../src/ports/processes.js';

/** Processes of a machine that a test starts and ends by name. */
export class FakeProcesses {
  readonly alive = new Set<string>();
  /** Of other machines. */
  readonly elsewhere = new Set<string>();

  start(name: string): Processes {
    this.alive.add(name);
    return {
      self: name,
      stateOf: (other) => (this.elsewhere.has(other) ? 'unknown' : this.alive.has(other) ? 'alive' : 'gone'),
    };
  }
}
