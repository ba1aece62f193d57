import { beforeEach, describe, expect, it } from 'vitest';
import { defineMarket } from '../../../src/model/market.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { Account } from '../../../src/venue/core/account.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { testAsset as asset } from './test-asset.js';

const BTC = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0', taker: '0' },
});

const ASSETS = [
  asset('USD'),
  asset('BTC', {
    confirmations: 3,
    minWithdrawal: '0.001',
    fees: { withdrawal: '0.0005', deposit: '0.0001' },
    usdPrice: '50000',
  }),
  asset('GEM', { withdrawable: false, minWithdrawal: '0', confirmations: 0, precision: 2, usdPrice: '0.1' }),
];

/** Units of 10^-8. */
const units = (amount: number) => BigInt(Math.round(amount * 1e8));

describe('the wallet', () => {
  let core: VenueCore;
  let anna: Account;

  beforeEach(() => {
    core = new VenueCore({ markets: [{ market: BTC }], assets: ASSETS });
    anna = core.openAccount('anna', { USD: '1000', BTC: '1' });
  });

  /** Everything of an asset: what accounts have and what waits to go out. */
  const total = (key: string) =>
    core.accounts.reduce((sum, { balances }) => {
      const cash = balances.get(key);
      return sum + (cash?.cash ?? 0n) + (cash?.withdrawing ?? 0n);
    }, 0n);
  const cashOf = (name: string, key: string) => core.account(name)?.balances.get(key)?.cash ?? 0n;

  it('credits a deposit without its fee with the last of its confirmations, and not before', () => {
    const id = core.wallet.detectDeposit(anna, 'BTC', '0.5', { hash: 'h', from: 'f', address: 'a' }, 10);
    expect(core.wallet.deposits(anna)).toMatchObject([
      { id, time: 10, status: 'pending', quantity: units(0.5), net: units(0.4999), usdPrice: 50_000 },
    ]);
    core.wallet.confirmDeposit(id, 20, 1);
    expect(core.wallet.confirmDeposit(id, 30, 1)).toMatchObject({ status: 'pending', confirmations: 2 });
    expect(cashOf('anna', 'BTC')).toBe(units(1));
    expect(core.wallet.confirmDeposit(id, 40, 1)).toMatchObject({
      status: 'completed',
      doneAt: 40,
      time: 10,
    });
    expect(cashOf('anna', 'BTC')).toBe(units(1.4999));
    expect(cashOf('fees', 'BTC')).toBe(units(0.0001));
    expect(cashOf('outside', 'BTC')).toBe(-units(1.5));
    expect(total('BTC')).toBe(0n);
  });

  it('counts all the missing confirmations at once when not told how many', () => {
    const id = core.wallet.detectDeposit(anna, 'BTC', '0.5', {}, 10);
    core.wallet.confirmDeposit(id, 20, 1);
    expect(core.wallet.confirmDeposit(id, 20)).toMatchObject({ status: 'completed', confirmations: 3 });
    expect(() => core.wallet.confirmDeposit(id, 30)).toThrow(
      /must be pending, received "1", which is completed/,
    );
    expect(() => core.wallet.confirmDeposit('7', 30)).toThrow(/received "7", which is none/);
  });

  it('opens no account with an asset that the venue does not list', () => {
    const core = new VenueCore({ markets: [{ market: BTC }], assets: ASSETS });
    expect(() => core.openAccount('b', { USD: '1', XYZ: '5' })).toThrow(
      'an asset must be one of USD, BTC, GEM, received XYZ',
    );
    expect(core.account('b')).toBeUndefined();
    // Without a list there is nothing to be off.
    const bare = new VenueCore({ markets: [{ market: BTC }] });
    expect(bare.openAccount('b', { XYZ: '5' }).balances.get('XYZ')?.cash).toBe(500_000_000n);
  });

  it('credits an asset that needs no confirmations at once', () => {
    core.wallet.detectDeposit(anna, 'GEM', '2.25', {}, 10);
    expect(cashOf('anna', 'GEM')).toBe(225n);
  });

  it.each([
    ['an unknown asset', 'DOGE', '1', /must be one of USD, BTC, GEM, received DOGE/],
    ['an amount finer than the asset', 'GEM', '1.001', /at most 2 digits after the point, received 1\.001/],
    ['an amount not above the fee', 'BTC', '0.0001', /must be above its fee of 0\.0001/],
    ['a negative amount', 'USD', '-5', /must be above its fee of 0/],
  ])('takes no deposit of %s', (_name, key, quantity, message) => {
    expect(() => core.wallet.detectDeposit(anna, key, quantity, {}, 0)).toThrow(message);
    expect(core.wallet.deposits(anna)).toEqual([]);
  });

  it('example L: a withdrawal of 100 with a fee of 1', () => {
    const asked = core.wallet.requestWithdrawal(anna, 'USD', '100', 'somewhere', 10);
    if (asked.kind === 'refused') throw new Error(asked.reason);
    const shown = () => core.balances(anna).find(({ asset: key }) => key === 'USD');
    expect(shown()).toMatchObject({ free: units(900), withdrawn: units(100) });
    expect(asked.withdrawal).toMatchObject({ status: 'pending', quantity: units(100), net: units(99) });
    core.wallet.confirmWithdrawal(asked.withdrawal.id, 20);
    expect(shown()).toMatchObject({ free: units(900), withdrawn: 0n });
    expect(cashOf('fees', 'USD')).toBe(units(1));
    expect(cashOf('outside', 'USD')).toBe(units(-1_000 + 99));
    expect(core.wallet.withdrawals(anna)).toMatchObject([{ status: 'completed', time: 10, doneAt: 20 }]);
    expect(total('USD')).toBe(0n);
  });

  it('gives a dropped withdrawal back, and its record is gone', () => {
    const asked = core.wallet.requestWithdrawal(anna, 'USD', '100', 'somewhere', 10);
    if (asked.kind === 'refused') throw new Error(asked.reason);
    core.wallet.dropWithdrawal(asked.withdrawal.id, 20);
    expect(core.balances(anna)).toContainEqual(
      expect.objectContaining({ free: units(1_000), withdrawn: 0n }),
    );
    expect(core.wallet.withdrawals(anna)).toEqual([]);
    expect(() => core.wallet.confirmWithdrawal(asked.withdrawal.id, 30)).toThrow(/which is none/);
  });

  it.each([
    ['an unknown asset', 'DOGE', '1', 'x', 'malformed: asset must be one of USD, BTC, GEM, received "DOGE"'],
    ['no address', 'USD', '100', '', 'malformed: address must be given, received nothing'],
    ['no number', 'USD', 'all', 'x', 'malformed: qty must be a plain decimal, received "all"'],
    [
      'an amount off the grid',
      'USD',
      '100.000000001',
      'x',
      'quantity off step: 100.000000001 is not a multiple of 0.00000001',
    ],
    ['nothing', 'USD', '0', 'x', 'quantity outside filter: 0 is not within 0.00000001 to 1000000000'],
    [
      'more than there is',
      'USD',
      '1000.00000001',
      'x',
      'insufficient balance: needs 1000.00000001 USD, available 1000 USD',
    ],
    [
      'less than the minimum',
      'USD',
      '9.99',
      'x',
      'withdrawal below minimum: 9.99 USD is less than 10 or not above the fee of 1',
    ],
    ['an asset that stays', 'GEM', '5', 'x', 'not withdrawable: GEM cannot be withdrawn'],
  ])('refuses a withdrawal of %s', (_name, key, quantity, address, reason) => {
    core.wallet.detectDeposit(anna, 'GEM', '50', {}, 0);
    expect(core.wallet.requestWithdrawal(anna, key, quantity, address, 10)).toEqual({
      kind: 'refused',
      reason,
    });
    expect(core.wallet.withdrawals(anna)).toEqual([]);
  });

  it('refuses what is at most the fee even where the minimum would let it pass', () => {
    const cheap = new VenueCore({
      markets: [{ market: BTC }],
      assets: [asset('USD', { minWithdrawal: '0' })],
    });
    const bert = cheap.openAccount('bert', { USD: '10' });
    expect(cheap.wallet.requestWithdrawal(bert, 'USD', '1', 'x', 0).kind).toBe('refused');
    expect(cheap.wallet.requestWithdrawal(bert, 'USD', '1.00000001', 'x', 0).kind).toBe('pending');
  });

  it('lets nobody withdraw what working orders reserve', () => {
    const terms = {
      side: 'buy',
      type: 'limit',
      ticks: 600_000 as Ticks,
      lots: 100 as Lots,
      timeInForce: 'GTC',
      postOnly: false,
      reduceOnly: false,
    } as const;
    expect(core.place(anna, { pair: BTC.pair, terms }, 1).kind).toBe('accepted');
    // 0.1 at 60 000: N = 6 000, im = 6 000 × (0.01 + 10⁻⁶ × 6 000) = 96, so 904 are free.
    expect(core.wallet.requestWithdrawal(anna, 'USD', '904.00000001', 'x', 2)).toMatchObject({
      kind: 'refused',
    });
    expect(core.wallet.requestWithdrawal(anna, 'USD', '904', 'x', 2)).toMatchObject({ kind: 'pending' });
  });

  it('lists the newest first by time, then by id, within bounds and limit, of one account only', () => {
    const bert = core.openAccount('bert', {});
    for (const time of [10, 20, 20, 30]) core.wallet.detectDeposit(anna, 'USD', '5', {}, time);
    core.wallet.detectDeposit(bert, 'USD', '5', {}, 30);
    const ids = (query = {}) => core.wallet.deposits(anna, query).map(({ id }) => id);
    expect(ids()).toEqual(['4', '3', '2', '1']);
    expect(ids({ from: 20, to: 20 })).toEqual(['3', '2']);
    expect(ids({ to: 29, limit: 2 })).toEqual(['3', '2']);
    expect(ids({ from: 31 })).toEqual([]);
  });

  it('values an asset at the mark of its market against USD once there is one', () => {
    const bert = core.openAccount('bert', { USD: '100000' });
    const carl = core.openAccount('carl', { USD: '100000' });
    const terms = (side: 'buy' | 'sell') =>
      ({
        side,
        type: 'limit',
        ticks: 612_345 as Ticks,
        lots: 1 as Lots,
        timeInForce: 'GTC',
        postOnly: false,
        reduceOnly: false,
      }) as const;
    core.place(bert, { pair: BTC.pair, terms: terms('sell') }, 1);
    core.place(carl, { pair: BTC.pair, terms: terms('buy') }, 1);
    core.wallet.detectDeposit(anna, 'BTC', '1', {}, 2);
    core.wallet.detectDeposit(anna, 'GEM', '1', {}, 2);
    expect(core.wallet.deposits(anna).map(({ usdPrice }) => usdPrice)).toEqual([0.1, 61_234.5]);
  });
});
