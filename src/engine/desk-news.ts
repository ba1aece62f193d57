import { appended } from '../model/appended.js';
import type { Command, Refusal, Supersession } from '../model/command.js';
import { type Decision, NOTHING } from './decision.js';

const NONE: readonly never[] = [];

/** What a desk has to tell since its last decision. Mostly one of each kind, so lists are replaced rather than grown. */
export class DeskNews {
  #commands: readonly Command[] = NONE;
  #refusals: readonly Refusal[] = NONE;
  #superseded: readonly Supersession[] = NONE;
  /** One of the three lists is not empty. */
  #isAny = false;

  get isAny(): boolean {
    return this.#isAny;
  }

  get hasCommands(): boolean {
    return this.#commands.length > 0;
  }

  command(command: Command): void {
    this.#isAny = true;
    this.#commands = appended(this.#commands, command);
  }

  refusal(refusal: Refusal): void {
    this.#isAny = true;
    this.#refusals = appended(this.#refusals, refusal);
  }

  supersession(supersession: Supersession): void {
    this.#isAny = true;
    this.#superseded = appended(this.#superseded, supersession);
  }

  /** Takes back the orders by hand, which leave with the next decision. */
  takeSubmitted(): readonly Command[] {
    const submitted = this.#commands.filter(({ kind, want }) => kind === 'place' && want === undefined);
    if (submitted.length > 0) {
      this.#commands = this.#commands.filter((command) => !submitted.includes(command));
    }
    return submitted;
  }

  /** Returns and clears the news since the last call. */
  decision(): Decision {
    if (!this.#isAny) return NOTHING;
    this.#isAny = false;
    const decision = { commands: this.#commands, refusals: this.#refusals, superseded: this.#superseded };
    this.#commands = NONE;
    this.#refusals = NONE;
    this.#superseded = NONE;
    return decision;
  }
}
