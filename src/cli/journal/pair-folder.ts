import { join } from 'node:path';

/** The folder of one pair in a daemon's state. */
export function pairFolder(state: string, pair: string): string {
  return join(state, pair);
}
