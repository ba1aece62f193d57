import { durationText } from '../model/duration.js';
import type { TapeEvent } from './id-ledger.js';

/** A minute, or a tenth of what was asked for, may pass without a trade on a tape of which nothing is missing. */
const QUIET_MS = 60_000;
const QUIET_SHARE = 0.1;
const SECOND_MS = 1_000;

/** How much history a warm-up asked for and how much it had, where that is noticeably less. Bounds are venue ms. */
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
