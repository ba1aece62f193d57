import { Decimal, plain } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { AssetAmount } from '../option-values.js';

const DEFAULT_CAPITAL = '100000';

/**
 * Initial cash in the market's quote asset, as normalised plain decimal text, so that the same amount gives the same
 * run however it was typed.
 *
 * @throws UsageError when the given amounts do not include the quote asset, or are 0.
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
