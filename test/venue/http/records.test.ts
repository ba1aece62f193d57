import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defineMarket } from '../../../src/model/market.js';
import { LISTED_OPTIONS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { ANNA, BERT, BTC, Desk, PAIR, type WireOrder, type WirePosition } from './desk.js';

type Fields = Readonly<Record<string, string>>;

/** Names by type; `?` may be null. */
function fields(types: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(types).flatMap(([type, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, type]),
    ),
  );
}

// Specification: Resources and their fields.
const ORDER = fields({
  string: 'id pair side status time_in_force type customer_id',
  number: 'price price_orig qty_orig qty_orig_usd qty_remaining qty_filled time leverage',
  'string?': 'oco trigger_event',
  'number?': 'icebergs trigger_price',
  boolean: 'close_on_trigger reduce_only post_only hidden is_liquidation',
  object: 'fills',
});
const FILL = fields({
  string: 'id pair gross_commission_asset net_commission_asset side type',
  boolean: 'is_buyer_maker liquidation',
  number: 'qty qty_usd price gross_commission net_commission time cost discount net_commission_usd',
  'number?': 'conversion_rate',
});
const TRADE = fields({
  string: 'id pair',
  boolean: 'is_buyer_maker is_best_match',
  number: 'qty price time',
});
const POSITION = fields({
  number: 'size free locked realized funding fees',
  object: 'stats',
});
const STATS = fields({
  number: 'size notional margin pnl upnl rpnl equity roe mark avg_entry leverage lp bankrupt',
  string: 'direction',
});
const BALANCE = fields({
  number: 'free locked withdrawn pnl margin fees',
});
const MARKET = fields({
  string: `
    key base quote precision_asset symbol description introduction website explorer subreddit url
    category contract underlier status
  `,
  number: `
    base_precision quote_precision base_display_precision quote_display_precision
    qty_display_precision tv_price_precision tv_volume_precicion tv_volume_precision issue_price
    issue_time total_supply usd_price commission_maker commission_taker commission_liquidation
    min_initial_margin min_maintenace_margin min_maintenance_margin initial_risk_limit
    maintenance_risk_limit deleverage_threshold swap_threshold min_liquidate liquidate_threshold
    funding_threshold funding_interval funding_time_window funding_min funding_max fair_qty
    fair_multiplier insurance_percentage index_price_update_interval index_price_exclude_threshold
    mark_price_max_deviation mark_price_ema_range trading_ema_range trading_max_index_deviation
    trading_max_mark_deviation index_price_ema_range price_multiplier
  `,
  object: 'order_types filters',
  boolean: 'index_price_hit_api composite use_ema call active',
});
const ASSET = fields({
  string: 'key name description platform',
  number: 'precision display_precision confirmations min_withdrawal usd_price',
  boolean: 'is_token withdrawable is_special_commission_asset stablecoin',
  object: 'fees filters',
});
/** `dialect.md` §4. */
const TICKER = fields({
  number: `
    last_price prev_last_price last_qty open_price high_price low_price close_price open_price_mark
    high_price_mark low_price_mark close_price_mark price_change price_change_percent min_price
    max_price mark_price index_price bid_price bid_qty ask_price ask_qty base_volume
    quote_volume volatility close_time
  `,
  'number?': 'fair_price funding_rate next_funding_time',
});
const DEPOSIT = fields({
  string: 'id address customer_id asset status',
  number: 'time qty net qty_usd net_usd',
  object: 'transaction',
});
const WITHDRAWAL = fields({
  string: 'id address customer_id asset status',
  number: 'time qty net qty_usd',
  boolean: 'manually_approved',
  object: 'transaction',
});
const TRANSACTION = fields({ string: 'hash from' });
const CANDLE = fields({
  number: 'open high low close base_volume quote_volume open_time close_time trades last_price last_qty',
});

function expectFields(record: unknown, fields: Fields): void {
  expect(record).toBeTypeOf('object');
  const values = record as Record<string, unknown>;
  const wrong = Object.entries(fields).filter(([name, type]) => {
    const value = values[name];
    return (
      !(typeof value === type.replace('?', '') && value !== null) && !(type.endsWith('?') && value === null)
    );
  });
  expect(
    wrong.map(([name, type]) => `${name} must be ${type}, received ${JSON.stringify(values[name])}`),
  ).toEqual([]);
  expect(Object.keys(values).filter((name) => !(name in fields) && name !== 'msg')).toEqual([]);
}

/** Anna short 0.2 at 60 000, with an order left; bids and asks on the book. */
async function tradedDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.place(ANNA, { side: 'SELL', price: 60_000, qty: 0.5 });
  await desk.place(BERT, { side: 'BUY', price: 60_000, qty: 0.15 });
  await desk.place(BERT, { side: 'BUY', price: 60_000, qty: 0.05 });
  await desk.place(BERT, { side: 'BUY', price: 59_000, qty: 0.1 });
  return desk;
}

test('every record has every field of the specification, in its type, and no others', async () => {
  const desk = await tradedDesk();
  const read = async (path: string, query = {}) => (await desk.get(path, query, ANNA)).result;
  for (const path of ['/orders', '/active_orders', '/filled_orders', '/partially_filled_orders']) {
    const [order] = (await read(path)) as WireOrder[];
    expectFields(order, ORDER);
    expectFields(order?.fills[0], FILL);
    expectFields(await read('/order', { id: order?.id }), ORDER);
  }
  expectFields(((await read('/fills')) as unknown[])[0], FILL);
  expectFields(((await read('/trades', { pair: PAIR })) as unknown[])[0], TRADE);
  for (const pair of [PAIR, 'USD_ETH_PERP']) {
    const position = (await read('/position', { pair })) as WirePosition;
    expectFields(position, POSITION);
    expectFields(position.stats, STATS);
  }
  const active = (await read('/active_positions')) as Record<string, WirePosition & { fills: unknown[] }>;
  expect(Object.keys(active)).toEqual([PAIR]);
  expectFields(active[PAIR], { ...POSITION, fills: 'object' });
  expectFields(active[PAIR]?.fills[0], FILL);
  expectFields(((await read('/personal')) as { balances: Record<string, unknown> }).balances['USD'], BALANCE);
  expectFields(((await read('/pairs')) as Record<string, unknown>)[PAIR], MARKET);
  for (const asset of Object.values((await read('/assets')) as object)) expectFields(asset, ASSET);
  expectFields(((await read('/ticker', { pair: PAIR })) as Record<string, unknown>)[PAIR], TICKER);
  expectFields(((await read('/ohlcv', { pair: PAIR })) as unknown[])[0], CANDLE);
  expect(await read('/time')).toBe(desk.now);

  const stop = { side: 'BUY', qty: 0.1, price: 66_000, trigger_price: 65_000 };
  expectFields(await desk.place(ANNA, stop), ORDER);
  expectFields(((await read('/triggers')) as unknown[])[0], ORDER);
  await desk.admin('/deposit', { account: 'anna', asset: 'BTC', qty: 1 });
  const [deposit] = (await read('/deposits')) as Record<string, unknown>[];
  expectFields(deposit, DEPOSIT);
  expectFields(deposit?.['transaction'], TRANSACTION);
  const withdraw = { asset: 'USD', qty: 100, address: 'x', timestamp: desk.now };
  const withdrawal = (await desk.post('/auth/withdraw', withdraw, ANNA)).result;
  expectFields(withdrawal, WITHDRAWAL);
  expectFields((withdrawal as Record<string, unknown>)['transaction'], TRANSACTION);
  expectFields(((await read('/withdrawals')) as unknown[])[0], WITHDRAWAL);
  const account = (await read('/account')) as {
    balances: Record<string, unknown>;
    positions: Record<string, WirePosition>;
  };
  expectFields(account.balances['USD'], BALANCE);
  expectFields(account.positions[PAIR], { ...POSITION, pair: 'string' });
  expectFields(((await read('/balances')) as Record<string, unknown>)['USD'], BALANCE);
  for (const [path, fields] of [
    ['/leverage', { leverage: 5 }],
    ['/fund', { qty: 1 }],
    ['/draw', { qty: 1 }],
  ] as const) {
    const changed = (await desk.post<typeof account>(path, { pair: PAIR, ...fields }, ANNA)).result;
    expectFields(changed.balances['USD'], BALANCE);
    expectFields(changed.positions[PAIR], { ...POSITION, pair: 'string' });
    expectFields(changed.positions[PAIR]?.stats, STATS);
  }
  expectFields((await desk.post<unknown[]>('/auth/cancel/bulk', '', ANNA)).result[0], ORDER);
  await desk.place(BERT, { side: 'SELL', price: 60_500, qty: 1 });
  const closed = (await desk.post<{ order: WireOrder }>('/auth/close', { pair: PAIR }, ANNA)).result;
  expectFields(closed.order, ORDER);
  const [completed] = (await read('/completed_positions')) as Record<string, Record<string, unknown>>[];
  expectFields(completed?.[PAIR], { ...POSITION, fills: 'object' });
  expectFields(completed?.[PAIR]?.['stats'], STATS);
  const bulk = await desk.post<{ orders: unknown[] }>('/auth/order/bulk', bulkForm(55_000), ANNA);
  expectFields(bulk.result.orders[0], ORDER);
});

function bulkForm(price: number) {
  return {
    'orders[0][pair]': PAIR,
    'orders[0][side]': 'BUY',
    'orders[0][qty]': 1,
    'orders[0][price]': price,
  };
}

const SPECIFICATION = new URL('../../../../shared/spec/trading-service-api.md', import.meta.url);

/** So that the tables above are the specification's and not what the venue happens to send. */
test('the tables of this file name every field of the specification', ({ skip }) => {
  let text: string;
  try {
    text = readFileSync(SPECIFICATION, 'utf8');
  } catch {
    if (process.env['CI'] === 'true') throw new Error('the specification must be there in CI');
    return skip('the specification is not beside this checkout');
  }
  const tables: [string, Fields][] = [
    ['### Order', ORDER],
    ['### Fill (', FILL],
    ['### Public trade', TRADE],
    ['### Deposit', DEPOSIT],
    ['### Withdrawal', WITHDRAWAL],
    ['### Position', POSITION],
    ['### Balances', BALANCE],
    ['### Market', MARKET],
    ['### Asset', ASSET],
  ];
  for (const [heading, fields] of tables) {
    const section = text.slice(text.indexOf(`\n${heading}`) + 1).split('\n### ')[0] ?? '';
    const named = section
      .split('\n')
      .filter((line) => /^\| [a-z]/.test(line))
      .flatMap((line) =>
        (line.split('|')[1] ?? '').replaceAll(/\(sample spells it (\w+)\)/g, ', $1').split(','),
      )
      .map((name) => name.trim());
    expect(named.length, heading).toBeGreaterThan(5);
    expect(
      named.filter((name) => !(name in fields)),
      heading,
    ).toEqual([]);
  }
  const stats = /stats fields[^:]*: ([^\n]*)/.exec(text)?.[1] ?? '';
  const statNames = stats
    .replaceAll(/\([^)]*\)/g, '')
    .split(',')
    .map((name) => name.trim().replace(/\W.*/, ''));
  expect(statNames.length).toBe(14);
  expect(statNames.filter((name) => !(name in STATS))).toEqual([]);
});

test('a position shows size, cost, margin and P&L as money.md says', async () => {
  const desk = await tradedDesk();
  const short = (await desk.get<WirePosition>('/position', { pair: PAIR }, ANNA)).result;
  // |s| = 0.2, mark 60 000: N = 12 000, im = 12 000 × (0.01 + 10⁻⁶ × 12 000) = 120 + 144 = 264.
  // Sells left 0.3 at 60 000: R⁻ = im(12 000 + 18 000) = 300 + 900 = 1 200; Λ = 1 200 − 264 + 0.0006 × 18 000 = 946.8.
  expect(short).toMatchObject({ size: -0.2, free: 264, locked: 946.8, realized: 0, funding: 0, fees: -2.4 });
  // W = 100 000 − 2.4; bankrupt (12 000 + 99 997.6) / 0.2 = 559 988.
  // lp: B = 111 997.6; 2B / (1.005 + √(1.005² + 4 · 5·10⁻⁷ · B)) / 0.2.
  const b = 111_997.6;
  const lp = (2 * b) / (1.005 + Math.sqrt(1.005 ** 2 + 4 * 5e-7 * b)) / 0.2;
  expect(short.stats).toMatchObject({
    size: 0.2,
    notional: 12_000,
    margin: 264,
    upnl: 0,
    rpnl: -2.4,
    pnl: -2.4,
    equity: 264,
    mark: 60_000,
    avg_entry: 60_000,
    bankrupt: 559_988,
    lp: Math.floor(lp * 2) / 2,
    direction: 'SELL',
  });
  expect(short.stats['leverage']).toBeCloseTo(12_000 / 264, 9);
  // im(k) = im(12 000) = 264.
  expect(short.stats['roe']).toBeCloseTo(-2.4 / 264, 12);
});

test('a position that was closed shows size 0 and what it came to', async () => {
  const desk = await tradedDesk();
  await desk.post('/auth/cancel/bulk', '', ANNA);
  await desk.post('/auth/cancel/bulk', '', BERT);
  await desk.place(BERT, { side: 'SELL', price: 59_000, qty: 0.2 });
  await desk.place(ANNA, { side: 'BUY', price: 59_000, qty: 0.2, reduce_only: true });
  const position = (await desk.get<WirePosition>('/position', { pair: PAIR }, ANNA)).result;
  expect(position.size).toBe(0);
  expect(position.stats).toMatchObject({
    size: 0,
    notional: 0,
    upnl: 0,
    lp: 0,
    avg_entry: 0,
    direction: 'BUY',
  });
  expect((await desk.get('/active_positions', {}, ANNA)).result).toEqual({});
  // 0.2 × (60 000 − 59 000) = 200; fees 2.4 as maker and 0.0006 × 11 800 = 7.08 as taker.
  const personal = (await desk.get<{ balances: Record<string, unknown> }>('/personal', {}, ANNA)).result;
  expect(personal.balances['USD']).toEqual({
    free: 100_190.52,
    locked: 0,
    withdrawn: 0,
    pnl: 200,
    margin: 0,
    fees: 9.48,
  });
});

test('free, locked, margin and withdrawn add up to the cash, whatever is working', async () => {
  const desk = await tradedDesk();
  const personal = (
    await desk.get<{ balances: Record<string, Record<string, number>> }>('/personal', {}, ANNA)
  ).result;
  const usd = personal.balances['USD'] ?? {};
  expect(usd).toMatchObject({ locked: 946.8, margin: 264, withdrawn: 0, pnl: 0, fees: 2.4 });
  expect(
    ['free', 'locked', 'margin', 'withdrawn'].reduce((sum, name) => sum + (usd[name] ?? 0), 0),
  ).toBeCloseTo(99_997.6, 8);
});

test('the fills of an open position go back to where it was flat', async () => {
  const desk = new Desk();
  await desk.trade(60_000, 0.1);
  await desk.place(ANNA, { side: 'BUY', price: 60_000, qty: 0.1 });
  await desk.place(BERT, { side: 'SELL', price: 60_000, qty: 0.1 });
  await desk.trade(60_010, 0.2);
  await desk.trade(60_020, 0.3);
  type Active = Record<string, { fills: { price: number; qty: number }[] }>;
  const active = (await desk.get<Active>('/active_positions', {}, BERT)).result;
  expect(active[PAIR]?.fills.map(({ price, qty }) => [price, qty])).toEqual([
    [60_020, 0.3],
    [60_010, 0.2],
  ]);
});

test('a market shows its filters, its rates and that it trades', async () => {
  type Markets = Record<string, Record<string, unknown>>;
  const markets = (await new Desk().get<Markets>('/pairs')).result;
  expect(markets[PAIR]).toMatchObject({
    key: PAIR,
    status: 'TRADING',
    active: true,
    commission_maker: 0.0002,
    commission_taker: 0.0006,
    min_maintenace_margin: 0.005,
    min_maintenance_margin: 0.005,
    initial_risk_limit: 0.000001,
    trading_max_mark_deviation: 0.1,
    filters: {
      price: { filter_type: 'PRICE_FILTER', min_price: 0.5, max_price: 1_000_000, tick_size: 0.5 },
      qty: { filter_type: 'LOT_SIZE', min_qty: 0.001, max_qty: 100, tick_size: 0.001 },
      icebergs: { filter_type: 'ICEBERG', min_qty: 0.001, max_qty: 100, tick_size: 0.001 },
      interest: { filter_type: 'INTEREST', min_qty: 0, max_qty: 5, tick_size: 0.001 },
    },
  });
  expect(markets['USD_OLD_PERP']).toMatchObject({ status: 'HALTED', active: false });
});

test('a market shows the rules that it is liquidated, funded and priced by', async () => {
  const market = defineMarket({
    pair: PAIR,
    base: 'BTC',
    quote: 'USD',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    fees: { maker: '-0.0001', taker: '0.0006', liquidation: '0.0031' },
    liquidation: {
      swapThreshold: '0.4',
      deleverageThreshold: '0.1',
      minLiquidate: '1234.5',
      liquidateThreshold: '0.2',
      insurancePercentage: '0.75',
    },
    funding: {
      intervalMs: 1_800_000,
      timeWindowMs: 28_800_000,
      min: '-0.002',
      max: '0.004',
      threshold: '0.00001',
    },
    pricing: {
      indexIntervalMs: 2_000,
      markEmaRange: 30,
      markMaxDeviation: '0.03',
      bandDeviation: '0.05',
      fairQuantity: '0.25',
      fairMultiplier: '0.02',
    },
  });
  const desk = new Desk({ core: new VenueCore({ markets: [{ market, prices: 'index' }] }), accounts: [] });
  const { result } = await desk.get<Record<string, unknown>>('/pairs');
  expect(result[PAIR]).toMatchObject({
    contract: 'PERPETUAL',
    commission_maker: -0.0001,
    commission_liquidation: 0.0031,
    swap_threshold: 0.4,
    deleverage_threshold: 0.1,
    min_liquidate: 1_234.5,
    liquidate_threshold: 0.2,
    insurance_percentage: 0.75,
    funding_interval: 1_800_000,
    funding_time_window: 28_800_000,
    funding_min: -0.002,
    funding_max: 0.004,
    funding_threshold: 0.00001,
    index_price_update_interval: 2_000,
    mark_price_ema_range: 30,
    mark_price_max_deviation: 0.03,
    trading_max_mark_deviation: 0.05,
    fair_qty: 0.25,
    fair_multiplier: 0.02,
  });
});

test('an option is listed, inactive, and has the ticker fields of an option', async () => {
  const [spec] = LISTED_OPTIONS;
  if (spec === undefined) throw new Error('the catalogue must list an option');
  const core = new VenueCore({ markets: [{ market: BTC }, { market: defineMarket(spec) }] });
  core.openAccount('anna', { USD: '1000' });
  const desk = new Desk({ core, accounts: [ANNA] });
  const markets = (await desk.get<Record<string, unknown>>('/pairs')).result;
  expect(markets[spec.pair]).toMatchObject({
    contract: 'OPTION',
    active: false,
    status: 'HALTED',
    call: true,
    underlier: 'BTC',
  });
  const tickers = (await desk.get<Record<string, unknown>>('/ticker', { pair: spec.pair })).result;
  expect(tickers[spec.pair]).toMatchObject({
    underlying_price: null,
    strike: null,
    black_scholes: null,
    otm_amount: null,
  });
  const order = { pair: spec.pair, side: 'BUY', qty: 1, price: 10 };
  expect((await desk.post('/auth/order', order, ANNA)).msg).toMatch(/^market not active: /);
});

test('a ticker of a market without a trade says null, not 0', async () => {
  const tickers = (await new Desk().get<Record<string, Record<string, unknown>>>('/ticker')).result;
  expect(Object.keys(tickers)).toEqual([PAIR, 'USD_ETH_PERP', 'USD_OLD_PERP']);
  expect(tickers[PAIR]).toMatchObject({ last_price: null, mark_price: null, bid_price: null, bid_qty: null });
});

test('a ticker shows the change of the price as a decimal, not as a difference of doubles', async () => {
  const desk = new Desk();
  const pair = 'USD_ETH_PERP';
  for (const price of [2_500.1, 2_500.3]) {
    await desk.place(ANNA, { pair, side: 'SELL', price, qty: 1 });
    await desk.place(BERT, { pair, side: 'BUY', price, qty: 1 });
  }
  const { result } = await desk.get<Record<string, Record<string, unknown>>>('/ticker', { pair });
  expect(result[pair]).toMatchObject({
    price_change: 0.2,
    // 20 / 2 500.1.
    price_change_percent: 0.00799968001279949,
  });
});

test('a ticker shows the touch, the band and the day', async () => {
  const desk = await tradedDesk();
  const tickers = (await desk.get<Record<string, unknown>>('/ticker', { pair: PAIR })).result;
  expect(tickers).toEqual({
    [PAIR]: expect.objectContaining({
      last_price: 60_000,
      last_qty: 0.05,
      mark_price: 60_000,
      min_price: 54_000,
      max_price: 66_000,
      bid_price: 59_000,
      bid_qty: 0.1,
      ask_price: 60_000,
      ask_qty: 0.3,
      fair_price: null,
      funding_rate: null,
      base_volume: 0.2,
      quote_volume: 12_000,
      open_price: 60_000,
      price_change: 0,
      close_time: desk.now,
    }),
  });
});

test('the liquidation price counts the profit and the maintenance of the other positions of the asset', async () => {
  const ETH_PAIR = 'USD_ETH_PERP';
  const desk = new Desk();
  await desk.trade(60_000, 1); // bert: long 1 BTC, taker fee 36
  await desk.place(BERT, { pair: ETH_PAIR, side: 'SELL', price: 3_000, qty: 10 }); // maker fee 6
  await desk.place(ANNA, { pair: ETH_PAIR, side: 'BUY', price: 3_000, qty: 10 });
  await desk.place(ANNA, { pair: ETH_PAIR, side: 'SELL', price: 3_100, qty: 0.01 });
  await desk.place(BERT, { pair: ETH_PAIR, side: 'BUY', price: 3_100, qty: 0.01 }); // fee 0.0186, realised −1
  // W = 100 000 − 36 − 6 − 0.0186 − 1; the ETH short of 9.99 stands at its cost 29 970 and the mark 3 100.
  const cash = 99_956.9814;
  const size = 9.99 * 3_100;
  const collateral = cash + (29_970 - size) - size * (0.005 + 5e-7 * size);
  const c = 60_000 - collateral;
  const lp = (2 * c) / (0.995 + Math.sqrt(0.995 ** 2 - 4 * 5e-7 * c));
  const { stats } = (await desk.get<WirePosition>('/position', { pair: PAIR }, BERT)).result;
  expect(stats['lp']).toBe(Math.max(0, Math.ceil(lp * 2) / 2));
  // The other way round: the short of 9.99 ETH, with the long that stands at its mark: U = 0, mm(60 000) = 2 100.
  const b = 29_970 + cash - 2_100;
  const ethLp = (2 * b) / (1.005 + Math.sqrt(1.005 ** 2 + 4 * 5e-7 * b)) / 9.99;
  const eth = (await desk.get<WirePosition>('/position', { pair: ETH_PAIR }, BERT)).result;
  expect(eth.stats['lp']).toBe(Math.floor(ethLp * 100) / 100);
  expect(eth.stats['bankrupt']).toBe(Math.floor(((29_970 + cash) / 9.99) * 100) / 100);
});

test('a discounted fee shows what it was before, and by how much it is less', async () => {
  const core = new VenueCore({
    markets: [{ market: BTC }],
    commissionDiscount: { rate: '0.25', assets: ['GEM'] },
  });
  core.openAccount('anna', { USD: '100000', GEM: '1' });
  core.openAccount('bert', { USD: '100000' });
  const desk = new Desk({ core });
  await desk.trade(60_000, 0.1);
  // 2 bp of 6 000 = 1.2, less a quarter; bert holds no gem.
  expect((await desk.get('/fills', {}, ANNA)).result).toMatchObject([
    { gross_commission: 1.2, net_commission: 0.9, net_commission_usd: 0.9, discount: 0.25 },
  ]);
  expect((await desk.get('/fills', {}, BERT)).result).toMatchObject([
    { gross_commission: 3.6, net_commission: 3.6, discount: 0 },
  ]);
});

test('volatility is the annualised deviation of hourly returns, worked out once an hour', async () => {
  const desk = new Desk();
  const volatility = async () =>
    (await desk.get<Record<string, { volatility: number }>>('/ticker', { pair: PAIR })).result[PAIR]
      ?.volatility;
  const prices = [60_000, 60_600, 60_300, 60_900, 60_600];
  for (const price of prices) {
    await desk.trade(price, 0.001);
    desk.time.advance(3_600_000);
  }
  const returns = prices.slice(1).map((price, i) => Math.log(price / (prices[i] ?? 0)));
  const mean = returns.reduce((sum, value) => sum + value, 0) / 4;
  const deviation = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3);
  expect(await volatility()).toBeCloseTo(deviation * Math.sqrt(365 * 24), 9);
  const before = await volatility();
  await desk.trade(61_500, 0.001);
  expect(await volatility()).toBe(before);
});
