import type { BookedBaseline } from '../execution/books-state.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import { changeSince, type ListedTransfer } from '../ledger/transfer-mark.js';
import { LEDGER_DIGITS } from '../ledger/units.js';
import { Decimal, plain } from '../model/decimal.js';
import { moneyText } from '../model/money.js';

/**
 * A noted baseline in terms of a cash that includes `transfers`: what was paid in and out since it was noted moves the
 * equities that the cash is compared with. As it is where these transfers or those of the note are not known.
 */
export function movedBaseline(
  { transfers: mark, ...noted }: BookedBaseline,
  transfers: readonly ListedTransfer[] | undefined,
): DayBaseline {
  if (mark === undefined || transfers === undefined) return noted;
  const change = moneyText(changeSince(mark, transfers), LEDGER_DIGITS);
  const moved = (equity: string) => plain(new Decimal(equity).plus(change));
  const { memory } = noted;
  const peak = memory?.peak;
  return {
    ...noted,
    equity: moved(noted.equity),
    ...(memory === undefined || peak === undefined ? {} : { memory: { ...memory, peak: moved(peak) } }),
  };
}
