import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdLedger } from '../../src/market-data/id-ledger.js';
import type { Trade } from '../../src/model/trade.js';

const trade = (id: number, time: number): Trade => ({
  id: String(id),
  time,
  price: 100,
  quantity: 1,
  isBuyerMaker: false,
});

/** What becomes of walks, each of which is ordered by time and then id, as the walker gives it. */
function accounted(...walks: readonly (readonly Trade[])[]) {
  const ledger = new IdLedger();
  const events = walks.flatMap((walk) => ledger.account(walk, []));
  return {
    ids: events.flatMap((event) => (event.kind === 'trade' ? [Number(event.trade.id)] : [])),
    missing: events.flatMap((event) => (event.kind === 'gap' ? [event.gap.missing] : [])),
  };
}

describe('a venue whose clock steps back by a moment', () => {
  it('has printed a lower id later: neither is missing', () => {
    const walk = [trade(1, 10), trade(2, 20), trade(4, 25), trade(3, 30), trade(5, 35)];
    expect(accounted(walk)).toEqual({ ids: [1, 2, 4, 3, 5], missing: [] });
  });

  it('lacks only what is not in the walk', () => {
    const walk = [trade(1, 10), trade(6, 25), trade(3, 30), trade(4, 31), trade(7, 35)];
    expect(accounted(walk)).toEqual({ ids: [1, 6, 3, 4, 7], missing: [2] });
  });

  it('has what shows in a later walk counted as missing already', () => {
    expect(accounted([trade(1, 10), trade(3, 25)], [trade(2, 30), trade(4, 35)])).toEqual({
      ids: [1, 3, 4],
      missing: [1],
    });
  });

  it('has each id of a walk once, seen or missing, however its clock ran', () => {
    const walk = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 40 })), {
      selector: ([id]) => id,
      minLength: 1,
    });
    fc.assert(
      fc.property(walk, (drawn) => {
        const trades = drawn
          .map(([id, time]) => trade(id, time))
          .sort((a, b) => a.time - b.time || Number(a.id) - Number(b.id));
        // Below the first one of all nothing is known.
        const first = Number(trades[0]?.id);
        const known = trades.filter(({ id }) => Number(id) >= first);
        const { ids, missing } = accounted(known);
        expect([...ids].sort((a, b) => a - b)).toEqual(
          known.map(({ id }) => Number(id)).sort((a, b) => a - b),
        );
        const most = Math.max(...ids);
        const lacks = missing.reduce<number>((sum, one) => sum + (one ?? Number.NaN), 0);
        expect(ids.length + lacks).toBe(most - first + 1);
      }),
    );
  });
});
