import type { Lots } from '../../model/grid.js';
import type { Money } from '../../model/money.js';
import type { Side } from '../../model/side.js';
import type { CashBalance, Holding } from './account.js';
import type { Fine } from './margin-rates.js';

/** One side of an execution on a spot market; `amount` is quantity × price in units of the quote asset. */
interface Exchange {
  readonly side: Side;
  readonly lots: Lots;
  readonly amount: Money;
}

/** Exchanges base and quote (`money.md` §9). The caller books the fee. */
export function exchange(quote: CashBalance, base: CashBalance, execution: Exchange, holding: Holding): void {
  const { side, lots, amount } = execution;
  const quantity = baseUnits(holding, base, lots);
  if (side === 'buy') {
    quote.cash -= amount;
    base.isOpened = true;
    base.cash += quantity;
  } else {
    quote.isOpened = true;
    quote.cash += amount;
    base.cash -= quantity;
  }
}

/** Units of the base asset in a quantity. Start-up checks that a lot is a whole number of units. */
export function baseUnits(holding: Holding, base: CashBalance, lots: number): Money {
  const digits = base.precision - holding.state.market.quantityGrid.decimals;
  return BigInt(lots) * 10n ** BigInt(digits);
}

/** What the working orders of a spot pair lock of an asset: buys the amount with its fee, sells the quantity. */
export function spotLock(holding: Holding, cash: CashBalance): Fine {
  if (holding.workingCount === 0) return 0n;
  const isQuote = holding.cash === cash;
  const side = isQuote ? 'buy' : 'sell';
  let steps = 0n;
  for (let order = holding.firstWorking; order !== undefined; order = order.nextWorking) {
    if (order.side !== side) continue;
    steps += isQuote ? BigInt(order.leaves) * BigInt(order.limitTicks) : BigInt(order.leaves);
  }
  if (!isQuote) return steps * baseUnits(holding, cash, 1) * cash.scale;
  const { rules, market } = holding.state;
  const fee = rules.fee > 0n ? rules.fee : 0n;
  return steps * market.unitsPerTickLot * (rules.scale + fee);
}
