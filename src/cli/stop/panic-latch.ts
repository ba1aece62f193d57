/** Latches a panic as a halt besides its HALT file: removing the file alone must not let the bot trade again. */
import { keepHalts, readHalts } from '../../daemon/halts-file.js';
import { sameHalt, withHalt } from '../../model/halt-level.js';
import type { Files } from '../../ports/files.js';
import type { Machine } from '../machine.js';
import { journaledBooks } from '../journal/journaled.js';

export interface PanicHalt {
  /** The modes whose next start begins halted. */
  readonly modes: readonly ('paper' | 'live')[];
  readonly reason: string;
}

/**
 * Keeps a halt in the files of the daemon. The panic's own process may be killed before it can write to a journal. Never
 * rejects: an error is logged. Resolves to a function that removes this halt again, and no earlier one.
 */
export async function keepHalt(
  { files, log }: Pick<Machine, 'files' | 'log'>,
  state: string,
  { modes, reason }: PanicHalt,
): Promise<() => Promise<void>> {
  const halt = { level: 'cancel', reason, by: 'panic' } as const;
  const undo: (() => Promise<void>)[] = [];
  const guarded = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      log.warn('the halt could not be kept beside the HALT file', { error: String(error) });
    });
  };
  for (const mode of new Set(modes)) {
    await guarded(async () => {
      const before = await readHalts(files, state, mode);
      await keepHalts(files, state, mode, withHalt(before, halt));
      if (before.some((each) => sameHalt(each, halt))) return;
      undo.push(async () => {
        const now = await readHalts(files, state, mode);
        const others = now.filter((each) => !sameHalt(each, halt));
        await keepHalts(files, state, mode, others);
      });
    });
  }
  return async () => {
    for (const each of undo) await guarded(each);
  };
}

/** Whether the journal of every pair has a halt. A journal that could not be written has none. */
export async function areHalted(
  files: Files,
  state: string,
  pairs: readonly { readonly pair: string }[],
): Promise<boolean> {
  const books = pairs.map(({ pair }) => journaledBooks(files, state, pair).catch(() => undefined));
  return (await Promise.all(books)).every((each) => each?.halt !== undefined);
}
