import type { Command, Refusal, Supersession } from '../model/command.js';

/** What an engine answers to one event. Every part of the want is in here, was dealt with before, or waits. */
export interface Decision {
  readonly commands: readonly Command[];
  readonly refusals: readonly Refusal[];
  readonly superseded: readonly Supersession[];
}

/** Nothing to do: the answer to almost every event, so it is one object. */
export const NOTHING: Decision = Object.freeze({ commands: [], refusals: [], superseded: [] });
