import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/model/decimal.js';
import type { Ticks } from '../../../src/model/grid.js';
import { moneyText } from '../../../src/model/money.js';
import { BTC, btcMarket, Desk, ETH, usd } from './desk.js';

const SPOT = 'BTC_USD';

const order = fc.record({
  pair: fc.constantFrom(BTC, ETH, SPOT),
  side: fc.constantFrom('buy', 'sell'),
  quantity: fc.integer({ min: 1, max: 300 }).map((lots) => lots / 1_000),
  away: fc.integer({ min: 1, max: 4_000 }).map((ticks) => ticks / 10),
  reduceOnly: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

const scene = fc.record({
  btc: fc.integer({ min: -400, max: 400 }),
  eth: fc.integer({ min: -400, max: 400 }),
  leverage: fc.constantFrom('0', '1', '3', '7.3', '20'),
  marks: fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 })),
  orders: fc.array(order, { maxLength: 10, size: 'max' }),
});

/** Price of all pairs at the start; orders rest at least a tick away from it and from the marks. */
const CENTRE = 60_000;

describe('what is available, from the definition in decimals', () => {
  it('counts cross positions, isolated and cross orders, and spot orders', () => {
    let isolated = 0;
    fc.assert(
      fc.property(scene, ({ btc, eth, leverage, marks, orders }) => {
        const fees = { maker: '0', taker: '0.0006' };
        const desk = new Desk({
          markets: [
            { market: btcMarket({ fees }) },
            { market: btcMarket({ pair: ETH, base: 'ETH', fees }) },
            { market: btcMarket({ pair: SPOT, contract: 'spot', fees }) },
          ],
        });
        const account = desk.core.openAccount('a', { USD: '200000', BTC: '10' });
        expect(desk.core.setLeverage(account, BTC, leverage, desk.now).kind).toBe('done');
        // As a maker, who pays nothing here.
        const sizes = { [BTC]: btc, [ETH]: eth };
        for (const pair of [BTC, ETH] as const) {
          const lots = sizes[pair];
          if (lots === 0) continue;
          const quantity = Math.abs(lots) / 1_000;
          const sides = lots > 0 ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
          desk.accept(account, { side: sides[0], quantity, price: CENTRE }, pair);
          desk.accept(desk.core.street, { side: sides[1], quantity, price: CENTRE }, pair);
        }
        const margin = leverage === '0' ? 0n : (account.holdings.get(BTC)?.margin ?? 0n);
        const mark = { [BTC]: CENTRE + marks[0], [ETH]: CENTRE + marks[1] };
        for (const pair of [BTC, ETH] as const) desk.core.setMark(pair, (mark[pair] * 10) as Ticks, desk.now);
        const working: { pair: string; side: string; q: Decimal; p: Decimal }[] = [];
        for (const { pair, side, quantity, away, reduceOnly } of orders) {
          const price = Number((side === 'buy' ? CENTRE - away : CENTRE + away).toFixed(1));
          const ask = { side, quantity, price, reduceOnly: reduceOnly && pair !== SPOT } as const;
          const placed = desk.place(account, ask, pair);
          if (placed.kind === 'refused' || placed.order.status !== 'active' || ask.reduceOnly) continue;
          working.push({ pair, side, q: new Decimal(quantity), p: new Decimal(price) });
        }

        let reserved = new Decimal(0);
        let initial = new Decimal(0);
        let upnl = new Decimal(0);
        for (const pair of [BTC, ETH] as const) {
          const m = new Decimal(mark[pair]);
          const s = new Decimal(sizes[pair]).div(1_000);
          const own = pair === BTC && leverage !== '0' ? leverage : undefined;
          const im = (x: Decimal) => {
            const plainIm = x.times(x.times('0.000001').plus('0.01'));
            return own === undefined ? plainIm : Decimal.max(plainIm, x.div(own));
          };
          const open = (side: string, skipped: Decimal) => {
            let skip = skipped;
            let sum = new Decimal(0);
            const sorted = working
              .filter((each) => each.pair === pair && each.side === side)
              .map(({ q, p }) => ({ q, p: side === 'sell' ? Decimal.max(p, m) : p }))
              .sort((a, b) => (side === 'buy' ? b.p.cmp(a.p) : a.p.cmp(b.p)));
            const all = sorted.reduce((total, { q, p }) => total.plus(q.times(p)), new Decimal(0));
            for (const { q, p } of sorted) {
              const off = Decimal.min(skip, q);
              skip = skip.minus(off);
              sum = sum.plus(q.minus(off).times(p));
            }
            return { sum, all };
          };
          const n = s.abs().times(m);
          const buys = open('buy', Decimal.max(0, s.negated()));
          const sells = open('sell', Decimal.max(0, s));
          const zero = im(n);
          const plus = im((s.gt(0) ? n : new Decimal(0)).plus(buys.sum));
          const minus = im((s.lt(0) ? n : new Decimal(0)).plus(sells.sum));
          reserved = reserved
            .plus(Decimal.max(zero, plus, minus).minus(zero))
            .plus(Decimal.max(buys.all, sells.all).times('0.0006'));
          if (own !== undefined) continue;
          initial = initial.plus(zero);
          upnl = upnl.plus(s.times(m.minus(CENTRE)));
        }
        let lockedBtc = new Decimal(0);
        for (const { pair, side, q, p } of working) {
          if (pair !== SPOT) continue;
          if (side === 'buy') reserved = reserved.plus(q.times(p).times('1.0006'));
          else lockedBtc = lockedBtc.plus(q);
        }
        const cash = new Decimal(moneyText(desk.cash(account), 8));
        const available = cash.minus(reserved).minus(initial).plus(Decimal.min(0, upnl));
        const shown = (value: Decimal, rounding: 2 | 3) => usd(value.toDecimalPlaces(8, rounding).toFixed(8));
        expect(desk.core.available(account, 'USD')).toBe(shown(available, Decimal.ROUND_FLOOR));
        const [dollars, coins] = desk.core.balances(account);
        expect(dollars).toMatchObject({
          free: shown(Decimal.max(0, available), Decimal.ROUND_FLOOR),
          locked: shown(Decimal.min(reserved, cash), Decimal.ROUND_CEIL),
        });
        const sum = (dollars?.free ?? 0n) + (dollars?.locked ?? 0n) + (dollars?.margin ?? 0n);
        expect(sum).toBe(desk.cash(account) + margin);
        expect(coins).toMatchObject({
          free: shown(new Decimal(10).minus(lockedBtc), Decimal.ROUND_FLOOR),
          locked: shown(lockedBtc, Decimal.ROUND_CEIL),
        });
        if (margin > 0n && working.some(({ pair }) => pair === BTC)) isolated++;
      }),
      { numRuns: 200, seed: 9 },
    );
    expect(isolated).toBeGreaterThan(50);
  });
});
