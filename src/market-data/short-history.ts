import { durationText } from '../model/duration.js';
import type { TapeEvent } from './id-ledger.js';

/** A complete tape may be without a trade for a minute, or for a tenth of the time that was asked for. */
const QUIET_MS = 60_000;
const QUIET_SHARE = 0.1;
const SECOND_MS = 1_000;

/** The history that a warm-up asked for and the history that it got; `undefined`: not noticeably less. Bounds: venue ms. */
export function shortHistory(
  tape: readonly TapeEvent[],
  { from, now }: { readonly from: number; readonly now: number },
): { readonly wanted: string; readonly had: string } | undefined {
  const first = tape.find((event) => event.kind === 'trade');
  const missing = (first?.trade.time ?? now) - from;
  if (missing <= Math.max(QUIET_MS, QUIET_SHARE * (now - from))) return undefined;
  const seconds = Math.floor((now - from - missing) / SECOND_MS);
  return {
    wanted: durationText(now - from),
    had: seconds < 1 ? 'none' : durationText(seconds * SECOND_MS),
  };
}
