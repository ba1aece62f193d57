import { join } from 'node:path';

/** Folder of one pair's session in the state of a daemon. */
export function pairFolder(state: string, pair: string): string {
  return join(state, pair);
}
