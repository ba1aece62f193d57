import type { DayBaseline } from '../../gate/daily-loss.js';
import { Decimal, plain } from '../../model/decimal.js';
import type { SessionCore } from '../../session/session-core.js';

/**
 * The figures from which the limits of the next paper session continue. Its account begins with the full capital again,
 * so the losses of this session are added to the day's beginning. `undefined` where no limit counts losses, or none has
 * begun to.
 */
export function paperDayAfter({ risk }: Pick<SessionCore, 'risk'>): DayBaseline | undefined {
  const { day, drawdown, streak, share, market } = risk;
  const words = day?.words;
  if (words === undefined) return undefined;
  const own = new Decimal(share.settled).plus(share.open);
  const anew = (equity: string) =>
    plain(new Decimal(equity).minus(own).toDecimalPlaces(market.quotePrecision));
  return {
    ...words,
    equity: anew(words.equity),
    memory: {
      peak: drawdown?.peak === undefined ? undefined : anew(drawdown.peak),
      fell: drawdown?.tripped ?? false,
      losses: streak?.losses ?? 0,
      pausedUntil: streak?.pausedUntil ?? 0,
    },
  };
}
