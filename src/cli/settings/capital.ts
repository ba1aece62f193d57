import { Decimal, plain } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { AssetAmount } from '../option-values.js';

const DEFAULT_CAPITAL = '100000';

/**
 * Cash of the market's quote asset at the start, plain decimal text: the same amount is the same run, however it was typed.
 *
 * @throws UsageError when what is given is another asset's, or nothing.
 */
export function capitalOf({ pair, quote }: Market, given: readonly AssetAmount[] | undefined): string {
  if (given === undefined) return DEFAULT_CAPITAL;
  const amount = given.find(({ asset }) => asset === quote)?.amount;
  if (amount === undefined) {
    const assets = given.map(({ asset }) => asset).join(', ');
    throw new UsageError(
      'TICKWRIGHT_E_CAPITAL',
      `--capital must be in the quote asset of ${pair}, ${quote}, received ${assets}`,
    );
  }
  if (!(Number(amount) > 0)) {
    throw new UsageError('TICKWRIGHT_E_CAPITAL', `--capital must be above 0, received ${quote}=${amount}`);
  }
  return plain(new Decimal(amount));
}
