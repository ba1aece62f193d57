import { BTC, waitFor } from '../core/desk.js';
import { exampleBtc, RiskDesk } from '../core/risk-desk.js';
import { type Example, fact, money, price, size } from './example.js';
import { asks, CASH, market, state, taken } from './orders.js';

/** Icebergs, hidden orders and OCO groups. */
export const RESTING_ORDERS: readonly Example[] = [
  {
    id: 'M1',
    title: 'An iceberg shares its price with a plain order',
    arithmetic: [
      'a offers 1 at 60 000 in 3 icebergs; then b offers 0.5 at 60 000. A slice is ⌈1 / 3⌉ on the step of 0.001: 0.334, 0.334, 0.332.',
      'The depth shows 0.334 + 0.5 = 0.834.',
      'c buys 1: slice 1 (0.334), then b (0.5), then slice 2, which went to the tail: 1 − 0.834 = 0.166.',
      'Left of a: 1 − 0.334 − 0.166 = 0.5, of which the slice shows 0.334 − 0.166 = 0.168.',
      'Fees: c 0.0006 × 60 000 = 36; a 0.0002 × 30 000 = 6; b 0.0002 × 30 000 = 6.',
    ],
    run() {
      const desk = market();
      const [a, b, c] = [desk.open('a', CASH), desk.open('b', CASH), desk.open('c', CASH)];
      const iceberg = desk.sell(a, 1, 60_000, { options: { icebergs: 3 } });
      const plain = desk.sell(b, 0.5, 60_000);
      const shown = asks(desk);
      const taker = desk.buy(c, 1, 60_000);
      return [
        fact('asks before', '0.834 @ 60000', shown),
        fact('fills of c', '0.334, 0.5, 0.166', taken(taker)),
        fact('order of b', 'completed', state(plain)),
        size('left of a', '0.5', iceberg.leaves),
        size('shown of a', '0.168', iceberg.displayed),
        fact('asks after', '0.168 @ 60000', asks(desk)),
        money('fees of a', '6', a.balances.get('USD')?.feesPaid),
        money('fees of b', '6', b.balances.get('USD')?.feesPaid),
        money('fees of c', '36', c.balances.get('USD')?.feesPaid),
      ];
    },
  },
  {
    id: 'M2',
    title: 'Slices on the step of their own filter',
    arithmetic: [
      'filters.icebergs: 0.1 to 1, step 0.01. 1 in 3: 0.3333… up to the step is 0.34; slices 0.34, 0.34 and the rest, 0.32.',
      '1 in 20: 0.05 is below 0.1, refused. 3 in 2: 1.5 is above 1, refused.',
    ],
    run() {
      const desk = new RiskDesk({
        markets: [exampleBtc({ icebergs: { min: '0.1', max: '1', step: '0.01' } })],
      });
      desk.index(60_000);
      const [a, b] = [desk.open('a'), desk.open('b')];
      const iceberg = desk.sell(a, 1, 60_000, { options: { icebergs: 3 } });
      const first = iceberg.displayed;
      const refusal = (quantity: number, icebergs: number) =>
        desk.refusal(a, { side: 'sell', quantity, price: 60_000, options: { icebergs } });
      const tooThin = refusal(1, 20);
      const tooThick = refusal(3, 2);
      const taker = desk.buy(b, 1, 60_000);
      return [
        size('first slice', '0.34', first),
        fact('slices taken', '0.34, 0.34, 0.32', taken(taker)),
        fact('1 in 20', 'iceberg slice outside filter: 0.05 is not within 0.1 to 1', tooThin),
        fact('3 in 2', 'iceberg slice outside filter: 1.5 is not within 0.1 to 1', tooThick),
      ];
    },
  },
  {
    id: 'M3',
    title: 'A hidden order waits behind what is displayed at its price',
    arithmetic: [
      'a offers 0.3 at 60 000, hidden; later b offers 0.2 at 60 000, displayed; the depth shows 0.2.',
      'c buys 0.35 at 60 010: b goes first although it came later, then 0.35 − 0.2 = 0.15 of a. Nothing is left in the depth, 0.15 of a is there.',
      'Price comes before display: d’s 0.1 hidden at 59 990 trades before what is left of a, at 59 990.',
      'c paid 0.2 × 60 000 + 0.15 × 60 000 = 21 000, fee 12.6.',
    ],
    run() {
      const desk = market();
      const [a, b, c, d] = [
        desk.open('a', CASH),
        desk.open('b', CASH),
        desk.open('c', CASH),
        desk.open('d', CASH),
      ];
      const hidden = desk.sell(a, 0.3, 60_000, { options: { hidden: true } });
      const shown = desk.sell(b, 0.2, 60_000);
      const before = asks(desk);
      const taker = desk.buy(c, 0.35, 60_010);
      const after = asks(desk);
      const fees = c.balances.get('USD')?.feesPaid;
      desk.sell(d, 0.1, 59_990, { options: { hidden: true } });
      const next = desk.buy(c, 0.1, 60_010);
      return [
        fact('asks before', '0.2 @ 60000', before),
        fact('fills of c', '0.2, 0.15', taken(taker)),
        fact('order of b', 'completed', state(shown)),
        size('left of a', '0.15', hidden.leaves),
        fact('asks after', 'none', after),
        money('fees of c', '12.6', fees),
        price('the next 0.1', '59990', next.lastTicks),
      ];
    },
  },
  {
    id: 'M4',
    title: 'OCO: a partial fill frees what the other order reserved',
    arithmetic: [
      'W 10 000, mark 60 000; offers of 0.2 at 60 100 and at 60 200 with the same oco.',
      'Λ = im(12 020 + 12 040) + 0.0006 × 24 060 = 240.6 + 578.8836 + 14.436 = 833.9196.',
      '0.05 of the first is bought: the second is cancelled. Fee 0.0002 × 3 005 = 0.601, W = 9 999.399; s −0.05, K −3 005, U = 3 005 − 3 000 = 5, which is not lent.',
      'R⁰ = im(3 000) = 30 + 9 = 39; R⁻ = im(3 000 + 0.15 × 60 100) = im(12 015) = 120.15 + 144.360225 = 264.510225; Λ = 264.510225 − 39 + 0.0006 × 9 015 = 230.919225.',
      'A = 9 999.399 − 230.919225 − 39 = 9 729.479775.',
    ],
    run() {
      const desk = market();
      const [a, b] = [desk.open('a', CASH), desk.open('b', CASH)];
      const near = desk.sell(a, 0.2, 60_100, { tag: 'pair' });
      const far = desk.sell(a, 0.2, 60_200, { tag: 'pair' });
      const before = desk.core.margin(a, BTC).reserved;
      desk.buy(b, 0.05, 60_100);
      return [
        money('Λ before', '833.9196', before),
        fact('first order', 'active', state(near)),
        size('left of it', '0.15', near.leaves),
        fact('second order', 'canceled: oco sibling', state(far)),
        money('W', '9999.399', desk.cash(a)),
        money('Λ after', '230.919225', desk.core.margin(a, BTC).reserved),
        money('A', '9729.479775', desk.core.available(a, 'USD')),
        fact(
          'the group named again',
          'oco group ended: pair',
          desk.refusal(a, { side: 'sell', quantity: 0.1, price: 60_300, tag: 'pair' }),
        ),
      ];
    },
  },
  {
    id: 'M5',
    title: 'OCO bracket: reduce-only members stay through a partial fill',
    arithmetic: [
      'Long 0.2 from 60 000 (fee 7.2). Take profit: sell 0.2 at 61 000; stop: sell 0.2 MARKET at mark 59 000; both reduce-only, same oco.',
      '0.1 of the profit order is bought: position 0.1, the stop waits on, for 0.2 as ever. The other 0.1: COMPLETED, the stop goes.',
      'Realised 0.2 × 1 000 = 200; maker fee 0.0002 × 12 200 = 2.44. W = 10 000 − 7.2 + 200 − 2.44 = 10 190.36.',
      'A reduce-only order reserves nothing: A = W − im(12 000) = 9 992.8 − 264 = 9 728.8 while the bracket stands.',
    ],
    run() {
      const desk = market();
      const [a, b] = [desk.open('a', CASH), desk.open('b', CASH)];
      desk.deal(a, desk.core.street, { side: 'buy', quantity: 0.2, price: 60_000 });
      const profit = desk.sell(a, 0.2, 61_000, { reduceOnly: true, tag: 'bracket' });
      const stop = desk.sell(a, 0.2, undefined, {
        reduceOnly: true,
        tag: 'bracket',
        options: waitFor(59_000),
      });
      const available = desk.core.available(a, 'USD');
      desk.buy(b, 0.1, 61_000);
      const half = [state(profit), state(stop)].join(', ');
      const [leaves, waiting] = [profit.leaves, stop.leaves];
      desk.buy(b, 0.1, 61_000);
      return [
        money('A with the bracket', '9728.8', available),
        fact('after 0.1', 'active, untriggered', half),
        size('left of the profit order', '0.1', leaves),
        size('quantity of the stop', '0.2', waiting),
        fact('after 0.2', 'completed, canceled: oco sibling', [state(profit), state(stop)].join(', ')),
        size('position', '0', desk.core.position(a, BTC).lots),
        money('W', '10190.36', desk.cash(a)),
      ];
    },
  },
];
