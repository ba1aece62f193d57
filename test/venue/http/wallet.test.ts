import { beforeEach, describe, expect, test } from 'vitest';
import { ANNA, BERT, bookCore, Desk } from './desk.js';

interface WireTransfer {
  readonly id: string;
  readonly status: string;
  readonly qty: number;
  readonly net: number;
}
type Balance = Readonly<Record<string, number>>;

let desk: Desk;
const balance = async (asset: string) =>
  (await desk.get<Record<string, Balance>>('/balances', {}, ANNA)).result[asset];
const withdraw = (fields: Record<string, string | number> = {}) =>
  desk.post<WireTransfer>(
    '/auth/withdraw',
    { asset: 'USD', qty: 100, address: 'bank-7', timestamp: desk.now, ...fields },
    ANNA,
  );

beforeEach(() => {
  desk = new Desk();
});

describe('deposits', () => {
  test('a deposit is PENDING until its asset has its confirmations, then COMPLETED and credited', async () => {
    const seen = await desk.admin<WireTransfer>('/deposit', {
      account: 'anna',
      asset: 'BTC',
      qty: '0.5',
      status: 'PENDING',
      hash: 'f00d',
      from: 'elsewhere',
    });
    // BTC of the catalogue: no deposit fee, 3 confirmations, 60 000 USD while no market has a price.
    expect(seen.result).toEqual({
      id: '1',
      address: 'btc-anna',
      customer_id: 'anna',
      asset: 'BTC',
      time: desk.now,
      qty: 0.5,
      net: 0.5,
      status: 'PENDING',
      qty_usd: 30_000,
      net_usd: 30_000,
      transaction: { hash: 'f00d', from: 'elsewhere' },
    });
    expect((await desk.get('/deposits', {}, ANNA)).result).toEqual([seen.result]);
    await desk.admin('/deposit/confirm', { id: 1, confirmations: 2 });
    expect((await desk.get<WireTransfer[]>('/deposits', {}, ANNA)).result[0]?.status).toBe('PENDING');
    expect(await balance('BTC')).toBeUndefined();
    desk.time.advance(1_000);
    const done = await desk.admin<WireTransfer>('/deposit/confirm', { id: 1, confirmations: 1 });
    expect(done.result).toEqual({ ...(seen.result as object), status: 'COMPLETED' });
    expect(await balance('BTC')).toMatchObject({ free: 0.5 });
  });

  test('a deposit fee is taken out of what is credited', async () => {
    const { result } = await desk.admin<WireTransfer>('/deposit', { account: 'anna', asset: 'TWT', qty: 50 });
    expect(result).toMatchObject({ qty: 50, net: 49, status: 'COMPLETED', qty_usd: 5, net_usd: 4.9 });
    expect(await balance('TWT')).toMatchObject({ free: 49, fees: 1 });
  });

  test('lists take bounds and a limit, newest first, and show nobody else what is mine', async () => {
    for (let i = 1; i <= 5; i++) {
      await desk.admin('/deposit', { account: 'anna', asset: 'USD', qty: i });
      if (i % 2 === 0) desk.time.advance(10);
    }
    const quantities = async (query = {}, who: typeof ANNA | typeof BERT = ANNA) =>
      (await desk.get<WireTransfer[]>('/deposits', query, who)).result.map(({ qty }) => qty);
    expect(await quantities()).toEqual([5, 4, 3, 2, 1]);
    expect(await quantities({ limit: 2 })).toEqual([5, 4]);
    expect(await quantities({ end: desk.now - 20 })).toEqual([2, 1]);
    expect(await quantities({ start: desk.now - 10, end: desk.now - 10 })).toEqual([4, 3]);
    expect(await quantities({}, BERT)).toEqual([]);
    expect((await desk.get('/deposits', { limit: 0 }, ANNA)).msg).toMatch(/^malformed: limit must be/);
  });
});

describe('withdrawals', () => {
  test('example L on the wire: 100 less a fee of 1, PENDING until confirmed', async () => {
    const asked = await withdraw();
    expect(asked.result).toEqual({
      id: '1',
      address: 'bank-7',
      customer_id: 'anna',
      asset: 'USD',
      time: desk.now,
      qty: 100,
      net: 99,
      status: 'PENDING',
      manually_approved: false,
      qty_usd: 100,
      transaction: { hash: 'withdrawal-1', from: 'venue' },
    });
    expect(await balance('USD')).toMatchObject({ free: 99_900, withdrawn: 100 });
    await desk.admin('/withdrawal/confirm', { id: 1 });
    expect(await balance('USD')).toMatchObject({ free: 99_900, withdrawn: 0 });
    expect((await desk.get('/withdrawals', {}, ANNA)).result).toEqual([
      { ...(asked.result as object), status: 'COMPLETED' },
    ]);
  });

  test('a dropped one gives the money back and leaves the list', async () => {
    await withdraw();
    expect((await desk.admin<WireTransfer>('/withdrawal/drop', { id: 1 })).status).toBe(200);
    expect(await balance('USD')).toMatchObject({ free: 100_000, withdrawn: 0 });
    expect((await desk.get('/withdrawals', {}, ANNA)).result).toEqual([]);
    const again = await desk.admin('/withdrawal/confirm', { id: 1 });
    expect(again).toMatchObject({
      status: 503,
      msg: expect.stringMatching(/^malformed: a withdrawal .* must be pending/),
    });
  });

  test.each<[string, Record<string, string | number>, RegExp]>([
    [
      'an unknown asset',
      { asset: 'XYZ' },
      /^malformed: asset must be one of USD, BTC, ETH, TWT, received "XYZ"$/,
    ],
    ['an empty address', { address: '' }, /^malformed: address must be /],
    [
      'an endless address',
      { address: 'x'.repeat(257) },
      /^malformed: address must be at most 256 characters/,
    ],
    ['an exponent', { qty: '1e2' }, /^malformed: qty must be a plain decimal number, received "1e2"$/],
    ['a negative amount', { qty: -5 }, /^malformed: qty must be /],
    ['an empty timestamp', { timestamp: '' }, /^malformed: timestamp must be /],
    ['more digits than the asset has', { qty: '10.123456789' }, /^quantity off step: /],
    ['nothing', { qty: 0 }, /^quantity outside filter: /],
    [
      'more than there is',
      { qty: '100000.01' },
      /^insufficient balance: needs 100000\.01 USD, available 100000 USD$/,
    ],
    ['less than the minimum', { qty: '9.99' }, /^withdrawal below minimum: 9\.99 USD is less than 10 /],
    ['an asset that stays here', { asset: 'TWT', qty: 200 }, /^not withdrawable: /],
  ])('%s is refused, and nothing is set aside', async (_name, changes, msg) => {
    await desk.admin('/deposit', { account: 'anna', asset: 'TWT', qty: 1_000 });
    const reply = await withdraw(changes);
    expect(reply).toMatchObject({ status: 503, code: 503, result: {} });
    expect(reply.msg).toMatch(msg);
    expect(await balance('USD')).toMatchObject({ free: 100_000, withdrawn: 0 });
    expect((await desk.get('/withdrawals', {}, ANNA)).result).toEqual([]);
  });

  test.each(['asset', 'qty', 'address', 'timestamp'])('%s must be given', async (name) => {
    const fields: Record<string, string | number> = {
      asset: 'USD',
      qty: 100,
      address: 'x',
      timestamp: desk.now,
    };
    delete fields[name];
    const reply = await desk.post('/auth/withdraw', fields, ANNA);
    expect(reply.msg).toMatch(new RegExp(`^malformed: ${name} must be .*, received nothing$`));
  });

  test('a withdrawal whose timestamp is too old is refused as stale', async () => {
    expect(await withdraw({ timestamp: desk.now - 5_001 })).toMatchObject({
      status: 408,
      code: 414,
      result: null,
    });
  });

  test('an amount is taken exactly, to the last of its 17 digits', async () => {
    await desk.admin('/deposit', { account: 'anna', asset: 'USD', qty: '900000000' });
    const reply = await withdraw({ qty: '123456789.12345678' });
    expect(reply.status).toBe(200);
    const anna = desk.core.account('anna');
    const [withdrawal] = anna === undefined ? [] : desk.core.wallet.withdrawals(anna);
    expect(withdrawal?.quantity).toBe(12_345_678_912_345_678n);
  });

  test('what working orders lock cannot be withdrawn', async () => {
    // 1 at 50 000: im = 50 000 × (0.01 + 10⁻⁶ × 50 000) = 3 000; taker fee 0.0006 × 50 000 = 30.
    await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
    expect((await withdraw({ qty: '96970.01' })).msg).toMatch(
      /^insufficient balance: .* available 96970 USD$/,
    );
    expect((await withdraw({ qty: '96970' })).status).toBe(200);
  });
});

test('commissions are discounted from the deposit of the special commission asset on', async () => {
  desk = new Desk({ core: bookCore(undefined, { commissionDiscount: { rate: '0.25' } }) });
  await desk.trade(60_000, 0.1);
  await desk.admin('/deposit', { account: 'anna', asset: 'TWT', qty: 2 });
  await desk.trade(60_000, 0.1);
  // 2 bp of 6 000.
  expect((await desk.get('/fills', {}, ANNA)).result).toMatchObject([
    {
      gross_commission: 1.2,
      net_commission: 0.9,
      discount: 0.25,
      gross_commission_asset: 'USD',
      conversion_rate: null,
    },
    { gross_commission: 1.2, net_commission: 1.2, discount: 0 },
  ]);
});

test('/personal tells where to send each asset, and what is free in USD', async () => {
  await desk.admin('/deposit', { account: 'anna', asset: 'BTC', qty: 1 });
  const { result } = await desk.get<Record<string, unknown>>('/personal', {}, ANNA);
  expect(result).toMatchObject({
    customer_id: 'anna',
    deposit_addresses: { USD: 'usd-anna', BTC: 'btc-anna', ETH: 'eth-anna', TWT: 'twt-anna' },
    withdrawal_allowance: 160_000,
    actions: { trade: true, deposit: true, withdraw: true },
  });
});

test('/personal counts no asset that cannot be withdrawn as what may be', async () => {
  await desk.admin('/deposit', { account: 'anna', asset: 'TWT', qty: 1_000 });
  const { result } = await desk.get<Record<string, unknown>>('/personal', {}, ANNA);
  expect(result).toMatchObject({ withdrawal_allowance: 100_000, balances: { TWT: { free: 999 } } });
});

test('/assets shows fees, minimum, confirmations, and USD prices that follow the mark', async () => {
  type Assets = Record<string, Record<string, unknown>>;
  const before = (await desk.get<Assets>('/assets')).result;
  expect(Object.keys(before)).toEqual(['USD', 'BTC', 'ETH', 'TWT']);
  expect(before['BTC']).toMatchObject({
    precision: 8,
    confirmations: 3,
    min_withdrawal: 0.001,
    withdrawable: true,
    is_special_commission_asset: false,
    fees: { withdrawal: 0.0002, deposit: 0 },
    usd_price: 60_000,
    filters: { qty: { min_qty: 1e-8, max_qty: 1e9, tick_size: 1e-8 } },
  });
  expect(before['TWT']).toMatchObject({
    is_special_commission_asset: true,
    withdrawable: false,
    is_token: true,
  });
  expect(before['USD']).toMatchObject({ stablecoin: true, usd_price: 1, display_precision: 2 });
  await desk.trade(61_000.5, 0.1);
  expect((await desk.get<Assets>('/assets')).result['BTC']?.['usd_price']).toBe(61_000.5);
});
