/** Assets that occur in an account's records but are no longer listed by the venue. */
import { Decimal } from '../model/decimal.js';
import type { BalanceRecord, FillRecord, TransferRecord } from '../model/venue-records.js';
import { LEDGER_DIGITS } from './units.js';

interface AssetRecords {
  readonly balances: readonly BalanceRecord[];
  readonly fills: readonly FillRecord[];
  readonly deposits: readonly TransferRecord[];
  readonly withdrawals: readonly TransferRecord[];
}

/** Adds the precision of unknown assets: as many digits as their longest figure has. */
export function withUnlisted(
  precisions: ReadonlyMap<string, number>,
  { balances, fills, deposits, withdrawals }: AssetRecords,
): ReadonlyMap<string, number> {
  const all = new Map(precisions);
  const take = (asset: string | undefined, ...figures: readonly (number | undefined)[]) => {
    if (asset === undefined || precisions.has(asset)) return;
    for (const figure of figures) {
      const digits = Math.min(new Decimal(figure ?? 0).decimalPlaces(), LEDGER_DIGITS);
      all.set(asset, Math.max(all.get(asset) ?? 0, digits));
    }
  };
  for (const { asset, free, locked, margin, withdrawn, pnl, fees } of balances) {
    take(asset, free, locked, margin, withdrawn, pnl, fees);
  }
  for (const { netCommissionAsset, netCommission } of fills) take(netCommissionAsset, netCommission);
  for (const { asset, quantity, net } of [...deposits, ...withdrawals]) take(asset, quantity, net);
  return all;
}
