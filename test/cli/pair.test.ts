import { describe, expect, it } from 'vitest';
import { chooseMarket } from '../../src/cli/compose/pair.js';
import { BTC } from '../support/markets.js';

const api = { markets: () => Promise.resolve(new Map([[BTC.pair, BTC]])) };

describe('the market to work on', () => {
  it('is the one that is named, else the only active one', async () => {
    expect(await chooseMarket(api, BTC.pair)).toBe(BTC);
    expect(await chooseMarket(api, undefined)).toBe(BTC);
  });

  it('is refused by the name of the option that named it', async () => {
    await expect(chooseMarket(api, 'NOPE')).rejects.toThrow(
      `--pair must be a market of the venue (${BTC.pair}), received NOPE`,
    );
    await expect(chooseMarket(api, 'NOPE', 'PAIR')).rejects.toThrow(
      `PAIR must be a market of the venue (${BTC.pair}), received NOPE`,
    );
  });
});
