import { MAX_PRECISION } from '../model/grid.js';
import { type Money, moneyText } from '../model/money.js';
import type { DaemonStatus } from './daemon-api.js';
import type { DaemonPair } from './daemon-pair.js';

/** In units as of `sessionPnl`. */
interface Sum {
  /** P&L of a live account's day by its journaled beginning: unlike the other sums it survives a restart. */
  ofDay: Money | undefined;
  today: Money;
  session: Money;
}

/** P&L of the pairs by quote asset. A live account has one day for all of its pairs, so it is counted once. */
export function pnlByAsset(
  pairs: readonly Pick<DaemonPair, 'managed' | 'pnl'>[],
  mode: DaemonStatus['mode'],
): DaemonStatus['pnl'] {
  const sums = new Map<string, Sum>();
  for (const { managed, pnl } of pairs) {
    const core = managed.session?.core;
    if (pnl === undefined || core === undefined) continue;
    const { quote, quotePrecision } = core.engine.market;
    const sum = sums.get(quote) ?? { ofDay: undefined, today: 0n, session: 0n };
    sum.today += pnl.today;
    sum.session += pnl.session;
    const { dayPnl } = core.risk;
    if (mode === 'live' && managed.isRunning && core.isLive && dayPnl !== undefined)
      sum.ofDay ??= unitsOf(dayPnl, quotePrecision);
    sums.set(quote, sum);
  }
  const text = (amount: Money) => moneyText(amount, MAX_PRECISION);
  return Object.fromEntries(
    [...sums].map(([asset, { ofDay, today, session }]) => [
      asset,
      { today: text(ofDay ?? today), session: text(session) },
    ]),
  );
}

/** Quote units, rounded to the market's digits of money: a double has noise beyond them. */
function unitsOf(amount: number, quotePrecision: number): Money {
  return BigInt(Math.round(amount * 10 ** quotePrecision)) * 10n ** BigInt(MAX_PRECISION - quotePrecision);
}
