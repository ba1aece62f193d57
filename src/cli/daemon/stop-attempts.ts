/** The attempts of a sentinel at one stop, and which of their proofs stay. */
import type { Files } from '../../ports/files.js';
import type { StoppedBot } from '../stop/stop-bot.js';

/**
 * A stop that stays unproven is attempted every minute or two, for as long as its venue does not answer. An attempt that
 * changed nothing at the venue, and sent no order that may have, leaves its proof only until the next one is written, so
 * that days of this fill no folder.
 */
export class StopAttempts {
  readonly #files: Pick<Files, 'remove'>;
  /** The newest attempt, if it changed nothing: of which process it was, and the path of its proof. */
  #idle: { readonly process: string; readonly file: string } | undefined;

  constructor(files: Pick<Files, 'remove'>) {
    this.#files = files;
  }

  /** Takes an attempt to stop what this process left at the venue. Never rejects. */
  async note(process: string, { proof, file }: StoppedBot): Promise<void> {
    if (file === undefined) return;
    const before = this.#idle;
    this.#idle = proof.pairs.some(hasChanged) ? undefined : { process, file };
    if (before?.process === process && before.file !== file)
      await this.#files.remove(before.file).catch(() => undefined);
  }
}

function hasChanged({ canceled, closes, position: { before, after } }: StoppedBot['proof']['pairs'][number]) {
  return (
    canceled.length > 0 ||
    (before !== undefined && after !== undefined && before !== after) ||
    // What a closing order did shows in the position only if that could be read once more.
    closes.some(({ outcome }) => !/^(refused|rejected|canceled unfilled)/.test(outcome))
  );
}
