import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { seededRandom } from '../../../src/model/random.js';
import type { Side } from '../../../src/model/side.js';
import { catalogueEntry, catalogueMarket, DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { Agents } from '../../../src/venue/synthetic/agents.js';
import { Arrivals } from '../../../src/venue/synthetic/arrivals.js';
import { LatentPrice } from '../../../src/venue/synthetic/latent-price.js';
import { scaleOf, type Street } from '../../../src/venue/synthetic/street.js';
import { Takers } from '../../../src/venue/synthetic/takers.js';
import { madeUpVenue, START } from './made-up-venue.js';
import { NaiveBook } from './naive-book.js';

const market = catalogueMarket(DEFAULT_PAIR);
const profile = catalogueEntry(DEFAULT_PAIR);
const scale = scaleOf(market, profile.referencePrice);

test('the venue core and a textbook book print the same trades for the same agents', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
      const end = START + 120_000;
      const random = seededRandom(`${seed}/${DEFAULT_PAIR}`);
      const latent = new LatentPrice(random.fork('latent'), profile);
      const book = new NaiveBook();
      const agents = new Agents({ latent, street: book, scale, random, intensity: 1, startTime: START });
      while (agents.next <= end) {
        book.now = agents.next;
        agents.act(book.now);
      }

      const { core, driver, trades } = madeUpVenue({ seed });
      driver.advanceTo(end);
      const recorded = core.trades(DEFAULT_PAIR, { limit: Number.POSITIVE_INFINITY }).reverse();
      expect(recorded.slice(-trades.length)).toEqual(trades);
      expect(
        recorded.map(({ time, price, quantity, isBuyerMaker }) => ({
          time,
          ticks: Math.round(price * 10),
          lots: Math.round(quantity * 1_000),
          isBuyerMaker,
        })),
      ).toEqual(book.prints);
      expect(book.prints.length).toBeGreaterThan(50);
    }),
    { numRuns: 8 },
  );
});

test('when takers come and how much they want does not depend on the book they find', () => {
  const wantsAt = (bestBid: number, bestAsk: number) => {
    const wants: { time: number; lots: number; side: Side }[] = [];
    let now = 0;
    const street: Street = {
      bestBid: bestBid as Ticks,
      bestAsk: bestAsk as Ticks,
      rest: () => undefined,
      cancel: () => undefined,
      take: (side, _limit, lots: Lots) => wants.push({ time: now, lots, side }),
    };
    const random = seededRandom('takers');
    const latent = new LatentPrice(random.fork('latent'), profile);
    const arrivals = new Arrivals(random.fork('arrivals'), 1);
    const takers = new Takers({ random: random.fork('takers'), arrivals, street, scale });
    for (let from = 0; from < 600_000; from += 200) {
      latent.step(0.2);
      takers.plan(from, from + 200, latent);
      while (takers.next < from + 200) {
        now = takers.next;
        takers.act(latent);
      }
    }
    return wants;
  };
  const cheap = wantsAt(590_000, 590_010);
  const dear = wantsAt(610_000, 610_010);
  const bare = ({ time, lots }: { time: number; lots: number }) => ({ time, lots });
  expect(cheap.length).toBeGreaterThan(500);
  expect(dear.map(bare)).toEqual(cheap.map(bare));
  // What does depend on it is who buys: more do where the quotes are below the fair price.
  const buys = (wants: readonly { side: Side }[]) => wants.filter(({ side }) => side === 'buy').length;
  expect(buys(cheap)).toBeGreaterThan(buys(dear) * 1.2);
});
