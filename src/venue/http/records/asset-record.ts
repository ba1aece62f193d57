import type { AssetRecord } from '../../../model/venue-records.js';

/** The asset whose price in USD is 1 by definition. */
const DOLLAR = 'USD';

/** Specification: Asset. The price filter carries both spellings of its bounds. */
export function assetRecord(asset: AssetRecord) {
  const step = 1 / 10 ** asset.precision;
  const bounds = { min: step, max: 1_000_000_000 };
  return {
    key: asset.key,
    name: asset.name,
    description: asset.name,
    precision: asset.precision,
    display_precision: asset.key === DOLLAR ? 2 : asset.precision,
    confirmations: asset.confirmations,
    platform: asset.key,
    is_token: false,
    withdrawable: asset.withdrawable,
    min_withdrawal: asset.minWithdrawal,
    is_special_commission_asset: false,
    stablecoin: asset.key === DOLLAR,
    fees: { withdrawal: 0, deposit: 0 },
    filters: {
      qty: { filter_type: 'LOT_SIZE', min_qty: bounds.min, max_qty: bounds.max, tick_size: step },
      price: {
        filter_type: 'PRICE_FILTER',
        min_price: bounds.min,
        max_price: bounds.max,
        min_qty: bounds.min,
        max_qty: bounds.max,
        tick_size: step,
      },
    },
    usd_price: asset.key === DOLLAR ? 1 : 0,
  };
}
