import { describe, expect, it } from 'vitest';
import { decodeMarkets } from '../../src/client/decode-markets.js';
import { defineMarket } from '../../src/model/market.js';
import { rateNumber } from '../../src/model/money.js';
import { PAIR, WIRE_MARKET } from './fixtures.js';

const only = (wire: unknown) => {
  const { markets, skipped } = decodeMarkets({ [PAIR]: wire });
  return { market: markets.get(PAIR), reason: skipped[0]?.reason };
};
const withFilters = (filters: object) => ({
  ...WIRE_MARKET,
  filters: { ...WIRE_MARKET.filters, ...filters },
});

describe('/pairs', () => {
  it('gives markets with their grids, filters and rates', () => {
    const { market } = only(WIRE_MARKET);
    // One digit holds a tick of 0.5, so that the tick is 5 steps; three digits hold a lot of 0.001.
    expect(market?.priceGrid.decimals).toBe(1);
    expect(market?.filters.price).toEqual({ min: 5, max: 10_000_000, tickSize: 5 });
    expect(market?.filters.quantity).toEqual({ min: 1, max: 100_000, step: 1 });
    expect(market?.filters.icebergs).toEqual({ min: 10, max: 50_000, step: 1 });
    expect(market?.filters.interest).toEqual({ min: 0, max: 200_000, step: 1 });
    expect(market?.quotePrecision).toBe(8);
    expect(
      [market?.fees.maker, market?.fees.taker, market?.margin.initialRiskLimit].map(
        (r) => r && rateNumber(r),
      ),
    ).toEqual([-0.0001, 0.0006, 1e-7]);
    expect(market?.active).toBe(true);
  });

  it('skips a market whose assets have names that could do harm where they are shown', () => {
    expect(only({ ...WIRE_MARKET, quote: 'USD\u001b[2J' }).reason).toContain('quote must be a name');
  });

  it('may be an array of one object', () => {
    expect([...decodeMarkets([{ [PAIR]: WIRE_MARKET }]).markets.keys()]).toEqual([PAIR]);
  });

  it('reads both spellings of the maintenance margin', () => {
    const { min_maintenace_margin: value, ...rest } = WIRE_MARKET;
    expect(only({ ...rest, min_maintenance_margin: value }).market).toEqual(only(WIRE_MARKET).market);
  });

  it('knows markets under any name', () => {
    const text = `{"__proto__":${JSON.stringify(WIRE_MARKET)},"constructor":${JSON.stringify(WIRE_MARKET)}}`;
    expect([...decodeMarkets(JSON.parse(text)).markets.keys()]).toEqual(['__proto__', 'constructor']);
  });

  it('takes a market for inactive when the flag or the status says so', () => {
    expect(only({ ...WIRE_MARKET, active: false }).market?.active).toBe(false);
    expect(only({ ...WIRE_MARKET, status: 'HALTED' }).market?.active).toBe(false);
  });

  it.each([
    24.5, 25, 1e6, 1e8, 1e15, 1e300,
  ])('refuses %d digits of money, whose units no heap holds', (digits) => {
    const { market, reason } = only({ ...WIRE_MARKET, quote_precision: digits });
    expect(market).toBeUndefined();
    expect(reason).toBe(`market.quote_precision must be at most 24, received ${digits}`);
  });

  it('leaves out what it cannot trade, with a reason, and keeps the rest', () => {
    const { markets, skipped } = decodeMarkets({
      [PAIR]: WIRE_MARKET,
      QUANTO: { ...WIRE_MARKET, contract: 'QUANTO' },
      INVERSE: { ...WIRE_MARKET, contract: 'INVERSE_PERPETUAL' },
      BROKEN: { ...WIRE_MARKET, filters: {} },
      NULL: null,
    });
    expect([...markets.keys()]).toEqual([PAIR]);
    expect(skipped.map(({ pair }) => pair)).toEqual(['QUANTO', 'INVERSE', 'BROKEN', 'NULL']);
    expect(skipped.every(({ reason }) => reason.includes('must be'))).toBe(true);
  });

  it.each([
    { contract: 'OPTION' },
    { contract: 'PERPETUAL_OPTION' },
    { call: true },
  ])('lists an option (%o) and never as active', (facts) => {
    const { market } = only({ ...WIRE_MARKET, ...facts });
    expect([market?.contract, market?.active]).toEqual(['option', false]);
  });

  it('has the rules of our own venue where it says none, and its own where it does', () => {
    // What the venue of the fixture leaves out is what a market made without these facts has.
    const { liquidation, funding, pricing } = defineMarket({
      pair: 'P',
      base: 'B',
      quote: 'Q',
      price: { min: 1, max: 2, step: 1 },
      quantity: { min: 1, max: 2, step: 1 },
      fees: { maker: 0, taker: 0 },
    });
    expect(only(WIRE_MARKET).market).toMatchObject({ liquidation, funding, pricing });
    const said = only({ ...WIRE_MARKET, funding_interval: 28_800_000, fair_qty: 0.0125 }).market;
    expect(said?.funding.intervalMs).toBe(28_800_000);
    // On the grid of quantities: 12.5 lots are 12.
    expect(said?.pricing.fairQuantity).toBe(12);
  });

  it('is not lost for an odd figure that no order depends on', () => {
    const odd = { min_liquidate: 0.123456789012, fair_qty: 1e300, funding_min: 'none', swap_threshold: null };
    expect(only({ ...WIRE_MARKET, ...odd }).market?.liquidation.minLiquidate).toBe(12_345_679n);
  });

  it('tells spot from linear contracts', () => {
    expect(only({ ...WIRE_MARKET, contract: 'SPOT' }).market?.contract).toBe('spot');
    expect(only({ ...WIRE_MARKET, contract: undefined }).market?.contract).toBe('linear');
  });

  it('moves bounds that are off the grid inwards', () => {
    const price = { min_price: 0.01, max_price: 999.99, tick_size: 0.5 };
    expect(only(withFilters({ price })).market?.filters.price).toEqual({ min: 1, max: 9_999, tickSize: 5 });
  });

  it('bounds what cannot be counted in steps', () => {
    const qty = { min_qty: 1e-8, max_qty: 1e15, tick_size: 1e-8 };
    const quantity = only(
      withFilters({
        qty,
        icebergs: null,
        interest: null,
        price: { min_price: 1, max_price: 10, tick_size: 1 },
      }),
    ).market?.filters.quantity;
    expect(quantity).toEqual({ min: 1, max: Number.MAX_SAFE_INTEGER, step: 1 });
  });

  it('has money as fine as tick × lot when the venue prints fewer digits of the quote', () => {
    // One digit of price and three of quantity need four of money.
    expect(only({ ...WIRE_MARKET, quote_precision: 2 }).market?.quotePrecision).toBe(4);
  });
});
