import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TapeSession } from '../../src/backtest/tape-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { ema } from '../../src/indicators/ema.js';
import type { Trade } from '../../src/model/trade.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import type { Handlers } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import type { QuoteWant } from '../../src/strategy/want.js';
import { catalogueMarket } from '../../src/venue/catalogue.js';
import { generateTape } from '../../src/venue/synthetic/generate-tape.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import marketMaker from '../../strategies/market-maker.js';
import { trade } from '../support/desk.js';

const AVERAGE = 5;

/** The strategy alone, with a position that the test sets. */
function maker(params: Readonly<Record<string, string>> = {}) {
  const held = { position: 0 };
  const handlers: Handlers = bindStrategy(marketMaker, { average: String(AVERAGE), ...params }).start(
    held as unknown as StrategyContext,
  );
  let time = 0;
  return {
    held,
    see: (price: number) => handlers.onTrade?.(trade(++time, price)) as QuoteWant | undefined,
  };
}

const walks = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 15, maxLength: 120 }).map((steps) => {
  let price = 60_000;
  return steps.map((step) => (price += step / 10));
});

describe('the market maker', () => {
  it('never bids above nor asks below its own fair price, whatever the market and its position', () => {
    let quotes = 0;
    fc.assert(
      fc.property(walks, fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1 }), (prices, positions) => {
        const { held, see } = maker();
        const fairPrice = ema(AVERAGE);
        for (const [i, price] of prices.entries()) {
          held.position = (positions[i % positions.length] as number) / 100;
          const fair = fairPrice.next(price);
          const want = see(price);
          if (want === undefined) continue;
          quotes++;
          if (want.bid !== undefined) expect(want.bid.price).toBeLessThanOrEqual(fair);
          if (want.ask !== undefined) expect(want.ask.price).toBeGreaterThanOrEqual(fair);
          // A side that would go beyond 0.05 is not there; the side that leads back always is.
          expect(want.bid === undefined).toBe(held.position > 0.0401);
          expect(want.ask === undefined).toBe(held.position < -0.0401);
        }
      }),
    );
    expect(quotes).toBeGreaterThan(500);
  });

  it('quotes lower the longer it is, so that what it holds tends back to zero', () => {
    const quoteAt = (position: number) => {
      const { held, see } = maker();
      held.position = position;
      let last: QuoteWant | undefined;
      for (let i = 0; i < 20; i++) last = see(60_000 + (i % 2)) ?? last;
      return last as QuoteWant;
    };
    const [short, none, long] = [-0.03, 0, 0.03].map(quoteAt) as [QuoteWant, QuoteWant, QuoteWant];
    const bid = ({ bid: side }: QuoteWant) => Number(side?.price);
    const ask = ({ ask: side }: QuoteWant) => Number(side?.price);
    expect(bid(long)).toBeLessThan(bid(none));
    expect(ask(long)).toBeLessThan(ask(none));
    expect(ask(short)).toBeGreaterThan(ask(none));
    expect(bid(short)).toBeGreaterThan(bid(none));
  });

  it('says nothing before its averages are warm and does not requote for a hair', () => {
    const { see } = maker();
    // Warm after 5 trades for the price and 5 more for the moves around it.
    const answers = Array.from({ length: 30 }, () => see(60_000));
    expect(answers.slice(0, 8).every((answer) => answer === undefined)).toBe(true);
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  });

  it('trades both sides of a synthetic market, stays within its position, and is always the maker', () => {
    const market = catalogueMarket('USD_BTC_PERP');
    const tape: Trade[] = [
      ...generateTape({ market, seed: 'maker', from: 1_767_600_000_000, trades: 20_000 }),
    ].flat();
    let most = 0;
    const sides = { buy: 0, sell: 0 };
    const session: TapeSession = new TapeSession({
      engine: new Engine({ strategy: bindStrategy(marketMaker), market, seed: '1', warmUp: false }),
      venue: new TapeVenue({ market, deposit: '100000' }),
      limits: NO_LIMITS,
      capital: 100_000,
      gaps: [],
      onFill: ({ side, liquidity }) => {
        sides[side]++;
        expect(liquidity).toBe('maker');
        most = Math.max(most, Math.abs(session.core.engine.position.lots));
      },
    });
    session.run(TradeColumns.of(tape));
    expect(Math.min(sides.buy, sides.sell)).toBeGreaterThan(20);
    expect(most).toBeLessThanOrEqual(50);
    expect(session.watch.roundTrips.done.length).toBeGreaterThan(10);
    expect(session.core.counts.refusals).toBe(0);
  });
});
