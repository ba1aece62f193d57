/** The halt of a panic beside its HALT file: who removes the file has resumed nothing. */
import { keepHalts, readHalts } from '../../daemon/halts-file.js';
import { sameHalt, withHalt } from '../../model/halt-level.js';
import type { Files } from '../../ports/files.js';
import type { Machine } from '../machine.js';
import { journaledBooks } from '../journal/journaled.js';

export interface PanicHalt {
  /** Whose starts it holds back. */
  readonly modes: readonly ('paper' | 'live')[];
  readonly reason: string;
}

/**
 * For a panic that may tell no journal, and may be ended itself before it has. Never rejects: what cannot be kept is
 * logged. Resolves to what takes it back, and nothing that was there before.
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

/** The journal of each pair says so, which none does that could not be written. */
export async function areHalted(
  files: Files,
  state: string,
  pairs: readonly { readonly pair: string }[],
): Promise<boolean> {
  const books = pairs.map(({ pair }) => journaledBooks(files, state, pair).catch(() => undefined));
  return (await Promise.all(books)).every((each) => each?.halt !== undefined);
}
