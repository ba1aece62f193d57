/** Every field of Market and Asset: what the suite's own venue must put there, from its catalogue, by hand. */
import assert from 'node:assert/strict';
import type { Card } from '../card.js';
import { ETH, has, OPTION, PAIR, SPOT } from '../desk.js';

const fieldsOf = (resource: string, record: object) =>
  Object.keys(record).map((name) => `${resource}.${name}`);

/** Facts of USD_BTC_PERP that never change. */
const IDENTITY = { key: PAIR, base: 'BTC', quote: 'USD', category: 'crypto', contract: 'PERPETUAL' };
const TEXTS = {
  symbol: 'BTCUSD PERP',
  description: 'BTC perpetual, margined in USD',
  introduction: '',
  website: '',
  explorer: '',
  subreddit: '',
  url: '',
};
/** The step is 0.001, the tick 0.1, money of USD has 8 digits. */
const DIGITS = {
  base_precision: 3,
  quote_precision: 8,
  base_display_precision: 3,
  quote_display_precision: 1,
  qty_display_precision: 3,
  precision_asset: 'USD',
  tv_price_precision: 1,
  tv_volume_precicion: 3,
  tv_volume_precision: 3,
};
const RATES = {
  commission_maker: 0.0002,
  commission_taker: 0.0006,
  commission_liquidation: 0.003,
  min_initial_margin: 0.01,
  min_maintenace_margin: 0.005,
  min_maintenance_margin: 0.005,
  initial_risk_limit: 0.000001,
  maintenance_risk_limit: 0.0000005,
};
const LIQUIDATION = {
  deleverage_threshold: 0,
  swap_threshold: 0.5,
  min_liquidate: 1_000,
  liquidate_threshold: 0.1,
  insurance_percentage: 1,
};
/** Every hour, a tenth of the mean premium, at most 30 bp. */
const FUNDING = {
  funding_threshold: 0,
  funding_interval: 3_600_000,
  funding_time_window: 36_000_000,
  funding_min: -0.003,
  funding_max: 0.003,
};
const PRICING = {
  fair_qty: 0.1,
  fair_multiplier: 0.01,
  index_price_update_interval: 1_000,
  mark_price_max_deviation: 0.02,
  mark_price_ema_range: 60,
  trading_max_mark_deviation: 0.1,
};
/** Published, and used by no rule of this venue. */
const UNUSED = {
  issue_price: 0,
  issue_time: 0,
  total_supply: 0,
  index_price_exclude_threshold: 0,
  trading_ema_range: 0,
  trading_max_index_deviation: 0,
  index_price_hit_api: false,
  composite: false,
  use_ema: false,
  index_price_ema_range: 0,
};
const NO_OPTION = { call: false, price_multiplier: 0, underlier: '' };

const market = (id: Card['id'], claim: string, expected: Readonly<Record<string, unknown>>): Card => ({
  id,
  claim,
  endpoints: ['GET /pairs'],
  fields: fieldsOf('Market', expected),
  needs: ['quiet venue'],
  run: async (desk) => has(await desk.market(), expected),
});

const USD = {
  key: 'USD',
  name: 'US Dollar',
  description: 'What the contracts are margined and settled in.',
  precision: 8,
  display_precision: 2,
  confirmations: 1,
  platform: 'bank',
  is_token: false,
  withdrawable: true,
  min_withdrawal: 10,
  is_special_commission_asset: false,
  stablecoin: true,
  fees: { withdrawal: 1, deposit: 0 },
  usd_price: 1,
};
const TOKEN = {
  key: 'TWT',
  precision: 8,
  confirmations: 12,
  platform: 'ethereum',
  is_token: true,
  withdrawable: false,
  min_withdrawal: 100,
  is_special_commission_asset: true,
  stablecoin: false,
  fees: { withdrawal: 5, deposit: 1 },
  // No market trades it: what the catalogue lists.
  usd_price: 0.1,
};

export const MARKET_CARDS: readonly Card[] = [
  {
    id: 'TC-140',
    claim: '/pairs is keyed by market, each with key, base, quote, status and its four filters',
    endpoints: ['GET /pairs'],
    needs: [],
    async run(desk) {
      const pairs = await desk.pairs();
      assert(Object.keys(pairs).length > 0);
      for (const [pair, record] of Object.entries(pairs)) {
        assert.equal(record['key'], pair);
        for (const name of ['base', 'quote', 'contract', 'status'])
          assert.equal(typeof record[name], 'string', name);
        const filters = record['filters'] as Record<string, Record<string, unknown>>;
        for (const [filter, least, most] of [
          ['price', 'min_price', 'max_price'],
          ['qty', 'min_qty', 'max_qty'],
          ['icebergs', 'min_qty', 'max_qty'],
          ['interest', 'min_qty', 'max_qty'],
        ] as const) {
          for (const name of [least, most, 'tick_size']) {
            assert.equal(typeof filters[filter]?.[name], 'number', `${pair} ${filter}.${name}`);
          }
        }
      }
    },
  },
  {
    id: 'TC-141',
    claim: 'the suite’s venue lists two perpetuals, a spot pair and an option',
    endpoints: ['GET /pairs'],
    fields: ['Market.contract'],
    needs: ['quiet venue'],
    async run(desk) {
      const contracts = Object.entries(await desk.pairs()).map(([pair, record]) => [
        pair,
        record['contract'],
      ]);
      assert.deepEqual(Object.fromEntries(contracts), {
        [PAIR]: 'PERPETUAL',
        [ETH]: 'PERPETUAL',
        [SPOT]: 'SPOT',
        [OPTION]: 'OPTION',
      });
    },
  },
  market('TC-142', 'a perpetual is named quote first and says what it trades', IDENTITY),
  market('TC-143', 'the texts of a market are made of its assets; links it has none', TEXTS),
  market('TC-144', 'precisions are the digits of the step, the tick and the quote asset’s money', DIGITS),
  market('TC-145', 'fee and margin rates are fractions, the misspelt twin included', RATES),
  market('TC-146', 'the thresholds of liquidation', LIQUIDATION),
  market('TC-147', 'funding is due every hour and is bounded', FUNDING),
  market('TC-148', 'how index, fair and mark price come about, and half the trading band', PRICING),
  market('TC-149', 'what no rule uses is 0 or false', UNUSED),
  market('TC-150', 'a perpetual is no option', NO_OPTION),
  market('TC-151', 'both order types are taken', { order_types: ['LIMIT', 'MARKET'] }),
  market('TC-152', 'an active market is TRADING', { status: 'TRADING', active: true }),
  {
    id: 'TC-153',
    claim: 'the filters of a market, each with its type',
    endpoints: ['GET /pairs'],
    fields: [
      'Market.filters',
      'Market.filters.price',
      'Market.filters.qty',
      'Market.filters.icebergs',
      'Market.filters.interest',
    ],
    needs: ['quiet venue'],
    async run(desk) {
      has(await desk.market(), {
        filters: {
          price: { filter_type: 'PRICE_FILTER', min_price: 0.1, max_price: 10_000_000, tick_size: 0.1 },
          qty: { filter_type: 'LOT_SIZE', min_qty: 0.001, max_qty: 100, tick_size: 0.001 },
          icebergs: { filter_type: 'ICEBERG', min_qty: 0.001, max_qty: 100, tick_size: 0.001 },
          interest: { filter_type: 'INTEREST', min_qty: 0, max_qty: 50, tick_size: 0.001 },
        },
      });
    },
  },
  {
    id: 'TC-154',
    claim: 'usd_price of a market is its last price, 0 before the first trade',
    endpoints: ['GET /pairs'],
    fields: ['Market.usd_price'],
    needs: ['quiet venue', 'two accounts'],
    async run(desk) {
      has(await desk.market(), { usd_price: 0 });
      await desk.trade(60_123.4, 0.001);
      has(await desk.market(), { usd_price: 60_123.4 });
    },
  },
  {
    id: 'TC-155',
    claim: 'a spot pair has no margin, liquidation and funding: those fields are 0',
    endpoints: ['GET /pairs'],
    needs: ['quiet venue'],
    async run(desk) {
      const spot = await desk.market(SPOT);
      const { commission_maker, commission_taker, commission_liquidation, ...margin } = RATES;
      for (const name of Object.keys({ ...margin, ...LIQUIDATION, ...FUNDING }))
        assert.equal(spot[name], 0, name);
      has(spot, {
        commission_maker,
        commission_taker,
        commission_liquidation,
        symbol: 'BTC/USD',
        base_precision: 4,
      });
    },
  },
  {
    id: 'TC-156',
    claim: 'an option is listed as a call on its underlier, not active',
    endpoints: ['GET /pairs'],
    fields: ['Market.call', 'Market.underlier', 'Market.price_multiplier', 'Market.active', 'Market.status'],
    needs: ['quiet venue'],
    async run(desk) {
      has(await desk.market(OPTION), {
        call: true,
        underlier: 'BTC',
        price_multiplier: 1,
        active: false,
        status: 'HALTED',
        symbol: 'BTCUSD CALL',
      });
    },
  },
  {
    id: 'TC-160',
    claim:
      '/assets is keyed by asset, each with precisions, confirmations, fees and whether it may be withdrawn',
    endpoints: ['GET /assets'],
    needs: [],
    async run(desk) {
      const assets = await desk.assets();
      assert(Object.keys(assets).length > 0);
      for (const [key, record] of Object.entries(assets)) {
        assert.equal(record['key'], key);
        for (const name of ['precision', 'confirmations', 'min_withdrawal']) {
          assert.equal(typeof record[name], 'number', `${key}.${name}`);
        }
        assert.equal(typeof record['withdrawable'], 'boolean');
        assert.equal(typeof (record['fees'] as Record<string, unknown>)['withdrawal'], 'number');
      }
    },
  },
  {
    id: 'TC-161',
    claim: 'the record of a currency',
    endpoints: ['GET /assets'],
    fields: [...fieldsOf('Asset', USD), 'Asset.fees.withdrawal', 'Asset.fees.deposit'],
    needs: ['quiet venue'],
    run: async (desk) => has(await desk.asset('USD'), USD),
  },
  {
    id: 'TC-162',
    claim:
      'the token that gives a discount on commission is one, is not withdrawable, and costs a deposit fee',
    endpoints: ['GET /assets'],
    fields: fieldsOf('Asset', TOKEN),
    needs: ['quiet venue'],
    run: async (desk) => has(await desk.asset('TWT'), TOKEN),
  },
  {
    id: 'TC-163',
    claim:
      'the filters of an asset: its smallest unit, at most 10⁹, the price filter with both spellings of its bounds',
    endpoints: ['GET /assets'],
    fields: ['Asset.filters', 'Asset.filters.qty', 'Asset.filters.price'],
    needs: ['quiet venue'],
    async run(desk) {
      const bounds = { min_qty: 1e-8, max_qty: 1e9, tick_size: 1e-8 };
      has(await desk.asset('BTC'), {
        filters: {
          qty: { filter_type: 'LOT_SIZE', ...bounds },
          price: { filter_type: 'PRICE_FILTER', min_price: 1e-8, max_price: 1e9, ...bounds },
        },
      });
    },
  },
  {
    id: 'TC-164',
    claim: 'usd_price of an asset is the mark of the market that trades it against USD',
    endpoints: ['GET /assets'],
    fields: ['Asset.usd_price'],
    needs: ['quiet venue', 'admin', 'time'],
    async run(desk) {
      has(await desk.asset('ETH'), { usd_price: 2_500 });
      await desk.index(ETH, 2_600.5);
      has(await desk.asset('ETH'), { usd_price: 2_600.5 });
    },
  },
];
