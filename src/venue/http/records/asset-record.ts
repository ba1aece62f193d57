import { ASSET_MAX, type VenueAsset } from '../../asset.js';
import { rounded } from '../wire-number.js';

/** Specification: Asset. The price filter has both spellings of its bounds. `usdPrice`: the current one, for display. */
export function assetRecord(asset: VenueAsset, usdPrice: number) {
  const step = 1 / 10 ** asset.precision;
  const bounds = { min_qty: step, max_qty: ASSET_MAX, tick_size: step };
  return {
    key: asset.key,
    name: asset.name,
    description: asset.description,
    precision: asset.precision,
    display_precision: asset.displayPrecision,
    confirmations: asset.confirmations,
    platform: asset.platform,
    is_token: asset.isToken,
    withdrawable: asset.withdrawable,
    min_withdrawal: Number(asset.minWithdrawal),
    is_special_commission_asset: asset.isSpecialCommissionAsset,
    stablecoin: asset.stablecoin,
    fees: { withdrawal: Number(asset.fees.withdrawal), deposit: Number(asset.fees.deposit) },
    filters: {
      qty: { filter_type: 'LOT_SIZE', ...bounds },
      price: { filter_type: 'PRICE_FILTER', min_price: step, max_price: ASSET_MAX, ...bounds },
    },
    usd_price: rounded(usdPrice),
  };
}
