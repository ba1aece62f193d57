import type { Protection } from '../../session/protection.js';
import { length, percent } from './numbers.js';

/** For how long positions had no stop at the venue, in words. */
export function bareText({ heldMs, bareMs, longestBareMs, limitHits = 0 }: Protection): string {
  const share = heldMs === 0 ? '0' : String(bareMs / heldMs);
  const closed = limitHits === 0 ? '' : `; ${limitHits} × limits.maxBareTime was reached`;
  return `${percent(share)} of the time held, ${length(longestBareMs)} at the longest${closed}`;
}
