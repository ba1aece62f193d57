import { describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { seededRandom } from '../../../src/model/random.js';
import type { Side } from '../../../src/model/side.js';
import { catalogueMarket, DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { Ladder } from '../../../src/venue/synthetic/ladder.js';
import { LatentPrice } from '../../../src/venue/synthetic/latent-price.js';
import { scaleOf } from '../../../src/venue/synthetic/street.js';
import { NaiveBook } from './naive-book.js';

const PROFILE = { referencePrice: 60_000, dailyVolatility: 0.028 };
const FAIR = 600_000;

function desk(seed = 'ladder') {
  const random = seededRandom(seed);
  const book = new NaiveBook();
  const latent = new LatentPrice(random.fork('latent'), PROFILE);
  const ladder = new Ladder({
    random: random.fork('ladder'),
    street: book,
    scale: scaleOf(catalogueMarket(DEFAULT_PAIR), PROFILE.referencePrice),
    intensity: 1,
    startTime: 0,
  });
  return { book, latent, ladder };
}

describe('the ladder', () => {
  test('quotes both sides around the fair price at once', () => {
    const { book, latent, ladder } = desk();
    ladder.look(0, latent);
    expect(book.bestBid).toBeLessThan(FAIR);
    expect(book.bestAsk).toBeGreaterThan(FAIR);
    expect((book.bestBid as number) + (book.bestAsk as number)).toBeGreaterThan(2 * FAIR - 3);
    expect((book.bestBid as number) + (book.bestAsk as number)).toBeLessThan(2 * FAIR + 3);
  });

  test.each<[Side, number, boolean]>([
    ['sell', FAIR - 500, false],
    ['buy', FAIR + 500, true],
  ])('takes an order of others to %s beyond the fair price', (side, ticks, isBuyerMaker) => {
    const { book, latent, ladder } = desk();
    book.rest(side, ticks as Ticks, 10 as Lots);
    ladder.look(0, latent);
    expect(book.prints).toEqual([{ time: 0, ticks, lots: 10, isBuyerMaker }]);
  });

  test('leaves alone what others offer near the fair price', () => {
    const { book, latent, ladder } = desk();
    const mine = book.rest('sell', FAIR as Ticks, 10 as Lots);
    ladder.look(0, latent);
    expect(mine?.status).toBe('active');
  });

  test('never trades with itself, wherever the price goes and whatever it holds', () => {
    const { book, latent, ladder } = desk();
    for (let now = 0; now < 600_000; now = ladder.next) {
      latent.step(0.3);
      const before = book.prints.length;
      ladder.look(now, latent);
      expect(book.prints).toHaveLength(before);
      // Somebody sells for a minute, then buys for a minute.
      const sells = Math.floor(now / 60_000) % 2 === 0;
      if (sells) book.take('sell', ((book.bestBid as number) - 20) as Ticks, 60 as Lots);
      else book.take('buy', ((book.bestAsk as number) + 20) as Ticks, 60 as Lots);
    }
    expect(book.prints.length).toBeGreaterThan(500);
  });

  test('leans against what it bought, and forgets', () => {
    const { book, latent, ladder } = desk();
    ladder.look(0, latent);
    const middle = () => ((book.bestBid as number) + (book.bestAsk as number)) / 2;
    const before = middle();
    book.take('sell', (FAIR - 1_000) as Ticks, 500 as Lots);
    ladder.look(ladder.next, latent);
    expect(middle()).toBeLessThan(before - 40);
    ladder.look(60_000, latent);
    // Quotes that stand near enough to where they should stay where they are.
    expect(Math.abs(middle() - FAIR)).toBeLessThan(25);
  });
});
