import { shellWord } from '../../model/shell-word.js';

/**
 * Where a session recorded what it saw, and the command that recomputes it. `isAll`: whether all input of the process
 * was recorded.
 */
export function recordedText(
  path: string,
  { isAll, keepMs }: { readonly isAll: boolean; readonly keepMs: number | undefined },
): string {
  if (isAll)
    return `All of it is recorded in ${path}; tickwright replay ${shellWord(path)} executes it again.`;
  const partly = keepMs === undefined ? '' : ' (the newest ten minutes at most: --for keeps all)';
  return `Its inputs are in ${path}${partly}; tickwright parity ${shellWord(path)} computes its decisions again.`;
}
