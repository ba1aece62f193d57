import { type Money, moneyText } from '../model/money.js';
import type { DaemonStatus } from './daemon-api.js';
import type { DaemonPair } from './daemon-pair.js';

interface Sum {
  /** P&L of a live account's day by its journaled beginning, quote units: unlike the other sums it survives a restart. */
  ofDay: number | undefined;
  today: Money;
  session: Money;
  readonly precision: number;
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
    const { quote, quotePrecision: precision } = core.engine.market;
    const sum = sums.get(quote) ?? { ofDay: undefined, today: 0n, session: 0n, precision };
    sum.today += pnl.today;
    sum.session += pnl.session;
    if (mode === 'live' && managed.isRunning && core.isLive) sum.ofDay ??= core.risk.dayPnl;
    sums.set(quote, sum);
  }
  return Object.fromEntries(
    [...sums].map(([asset, { ofDay, today, session, precision }]) => {
      const sinceMidnight = ofDay === undefined ? today : BigInt(Math.round(ofDay * 10 ** precision));
      const text = (amount: Money) => moneyText(amount, precision);
      return [asset, { today: text(sinceMidnight), session: text(session) }];
    }),
  );
}
