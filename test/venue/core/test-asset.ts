import type { VenueAsset } from '../../../src/venue/asset.js';

export function testAsset(key: string, changes: Partial<VenueAsset> = {}): VenueAsset {
  return {
    key,
    name: key,
    description: '',
    precision: 8,
    displayPrecision: 8,
    confirmations: 1,
    platform: 'test',
    isToken: false,
    withdrawable: true,
    minWithdrawal: '10',
    isSpecialCommissionAsset: false,
    stablecoin: false,
    fees: { withdrawal: '1', deposit: '0' },
    usdPrice: '1',
    ...changes,
  };
}
