import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/model/random.js';
import { TapeEstimates } from '../../../src/venue/tape/tape-estimates.js';
import { BTC } from '../../support/markets.js';

/** Rows whose prints keep price and aggressor with probability `keep`. */
function rowsOf(seed: number, count: number, keep: number) {
  const random = seededRandom(seed);
  const rows = {
    time: new Float64Array(count),
    price: new Float64Array(count),
    quantity: new Float64Array(count),
    isBuyerMaker: new Uint8Array(count),
  };
  let ticks = 600_000;
  let sold = 0;
  for (let row = 0; row < count; row++) {
    if (random.next() > keep) {
      ticks += random.integer(-3, 3);
      sold = random.integer(0, 1);
    }
    rows.time[row] = row;
    rows.price[row] = ticks / 10;
    rows.quantity[row] = random.integer(1, 90) / 1_000;
    rows.isBuyerMaker[row] = sold;
  }
  return rows;
}

const facts = (estimates: TapeEstimates) => ({
  sold: estimates.sold,
  bought: estimates.bought,
  touch: estimates.touchAt(0),
});

describe('estimates from columns', () => {
  it('are those of print after print, whenever they are asked for and however long nobody asked', () => {
    let long = 0;
    let unasked = 0;
    fc.assert(
      fc.property(
        fc.integer(),
        // From a new run at every other print to runs so long that all rows are needed to fill the rings.
        fc.constantFrom(0.3, 0.64, 0.9, 0.98),
        fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 4 }),
        // From the end of the columns, or from their start.
        fc.array(fc.integer({ min: -200, max: 200 }), { maxLength: 3 }),
        // Whether it is asked behind columns, before the next are there.
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (seed, keep, sizes, looks, asksBehind) => {
          const byRow = new TapeEstimates(BTC);
          const byPrint = new TapeEstimates(BTC);
          for (const [chunk, size] of sizes.entries()) {
            const rows = rowsOf(seed + chunk, size, keep);
            const asked = new Set(looks.map((look) => (look < 0 ? -look - 1 : size - 1 - look)));
            byRow.open(rows);
            if (size > 12_288) long++;
            for (let row = 0; row < size; row++) {
              byRow.pass(row + 1);
              const lots = Math.round((rows.quantity[row] as number) * 1_000);
              byPrint.print(rows.price[row] as number, lots, rows.isBuyerMaker[row] === 1);
              if (asked.has(row)) expect(facts(byRow)).toEqual(facts(byPrint));
            }
            byRow.close();
            // Whoever reads a recording uses them for the next rows.
            for (const column of [rows.price, rows.quantity, rows.isBuyerMaker]) column.fill(1);
            if (asksBehind[chunk] === true) expect(facts(byRow)).toEqual(facts(byPrint));
            else if (size > 12_288) unasked++;
          }
          expect(facts(byRow)).toEqual(facts(byPrint));
        },
      ),
      { numRuns: 80 },
    );
    expect(long).toBeGreaterThan(20);
    expect(unasked).toBeGreaterThan(10);
  });
});
