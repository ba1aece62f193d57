import type { Approved } from '../../model/command.js';
import { InvariantError } from '../../model/errors.js';
import type { CommandDelay } from './command-delay.js';
import { LatencyQueue } from './latency-queue.js';

/** Commands on their way to a venue of one pair; each is effective at e = sent + its delay. */
export class SentCommands extends LatencyQueue<Approved> {
  readonly #pair: string;
  readonly #delay: CommandDelay;

  constructor(pair: string, delay: CommandDelay) {
    super();
    this.#pair = pair;
    this.#delay = delay;
  }

  /** Sent at `sentAt`, ms. @throws InvariantError for another pair */
  send(command: Approved, sentAt: number): void {
    if (command.pair !== this.#pair) {
      throw new InvariantError(`a command must be for ${this.#pair}, received ${command.pair}`, {
        facts: { intentId: command.intentId },
      });
    }
    this.push(command, sentAt + this.#delay(command));
  }
}
