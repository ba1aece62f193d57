import { BTC, waitFor } from '../core/desk.js';
import { RiskDesk } from '../core/risk-desk.js';
import { type Example, fact, money, price, size } from './example.js';
import { CASH, market, state, taken } from './orders.js';

/** Stop losses, take profits, close_on_trigger. */
export const TRIGGERS: readonly Example[] = [
  {
    id: 'M6',
    title: 'A stop loss on the mark price',
    arithmetic: [
      'Long 0.2 from 60 000 (fee 7.2). Sell 0.2 MARKET, reduce-only, trigger_price 59 000 on MARK_PRICE (60 000 now): it waits for mark ≤ 59 000.',
      'At 59 000.1 it waits; at 59 000 it sells to bids of 0.1 at 58 990 and 0.1 at 58 980.',
      'Realised 5 899 + 5 898 − 12 000 = −203; fee 0.0006 × 11 797 = 7.0782.',
      'W = 10 000 − 7.2 − 203 − 7.0782 = 9 782.7218.',
    ],
    run() {
      const desk = market();
      const a = desk.open('a', CASH);
      const { street } = desk.core;
      desk.deal(a, street, { side: 'buy', quantity: 0.2, price: 60_000 });
      desk.buy(street, 0.1, 58_990);
      desk.buy(street, 0.1, 58_980);
      const stop = desk.sell(a, 0.2, undefined, { reduceOnly: true, options: waitFor(59_000) });
      desk.mark(59_000.1);
      const early = state(stop);
      desk.mark(59_000);
      return [
        fact('at 59 000.1', 'untriggered', early),
        fact('at 59 000', 'completed', state(stop)),
        fact('fills', '0.1, 0.1', taken(stop)),
        money(
          'realised',
          '-203',
          stop.fills.reduce((sum, { realised }) => sum + realised, 0n),
        ),
        money('W', '9782.7218', desk.cash(a)),
        fact('triggers left', '0', desk.core.triggers(a).length),
      ];
    },
  },
  {
    id: 'M7',
    title: 'A take profit on the last price',
    arithmetic: [
      'Long 0.2 from 60 000 (fee 7.2; last price 60 000). Sell 0.2 at 60 950, reduce-only, trigger_price 61 000 on LAST_PRICE: it waits for a trade at 61 000 or above.',
      'While it waits it reserves nothing: A = 9 992.8 − im(12 000) = 9 992.8 − 264 = 9 728.8.',
      'The mark at 61 500 does not fire it, nor a trade at 60 999.9; one at 61 000 does: it sells to the bid of 60 990, its limit being lower.',
      'Realised 0.2 × 990 = 198; fee 0.0006 × 12 198 = 7.3188. W = 9 992.8 + 198 − 7.3188 = 10 183.4812.',
    ],
    run() {
      const desk = market();
      const a = desk.open('a', CASH);
      const { street } = desk.core;
      desk.deal(a, street, { side: 'buy', quantity: 0.2, price: 60_000 });
      const profit = desk.sell(a, 0.2, 60_950, { reduceOnly: true, options: waitFor(61_000, 'last') });
      const available = desk.core.available(a, 'USD');
      desk.buy(street, 1, 60_990);
      desk.mark(61_500);
      const atMark = state(profit);
      desk.deal(street, street, { side: 'buy', quantity: 0.01, price: 60_999.9 });
      const near = state(profit);
      desk.deal(street, street, { side: 'buy', quantity: 0.01, price: 61_000 });
      return [
        money('A while it waits', '9728.8', available),
        fact('mark 61 500', 'untriggered', atMark),
        fact('trade at 60 999.9', 'untriggered', near),
        fact('trade at 61 000', 'completed', state(profit)),
        price('filled at', '60990', profit.lastTicks),
        money('W', '10183.4812', desk.cash(a)),
      ];
    },
  },
  {
    id: 'M8',
    title: 'A trigger at the price fires at once',
    arithmetic: [
      'Mark 60 000, ask 0.5 at 60 010. Buy 0.1 MARKET with trigger_price 60 000 on MARK_PRICE: t = e, so it enters matching as it comes.',
      'Filled at 60 010: fee 0.0006 × 6 001 = 3.6006, W = 9 996.3994.',
    ],
    run() {
      const desk = market();
      const a = desk.open('a', CASH);
      desk.sell(desk.core.street, 0.5, 60_010);
      const order = desk.buy(a, 0.1, undefined, { options: waitFor(60_000) });
      return [
        fact('order', 'completed', state(order)),
        price('filled at', '60010', order.lastTicks),
        money('W', '9996.3994', desk.cash(a)),
        fact('triggers', '0', desk.core.triggers(a).length),
      ];
    },
  },
  {
    id: 'M9',
    title: 'A trigger that is refused when it fires',
    arithmetic: [
      'W 100. Buy 0.2 at 60 100 with trigger_price 60 500 on MARK_PRICE is accepted: a waiting order needs nothing.',
      'At mark 60 500 it needs im(12 020) + 0.0006 × 12 020 = 120.2 + 144.4804 + 7.212 = 271.8924 > 100.',
      'It stays in /triggers, CANCELLED, with the reason, and appears in no list of orders.',
    ],
    run() {
      const desk = new RiskDesk();
      desk.index(60_000);
      const poor = desk.open('poor', '100');
      const order = desk.buy(poor, 0.2, 60_100, { options: waitFor(60_500) });
      const before = state(order);
      desk.mark(60_500);
      return [
        fact('before', 'untriggered', before),
        fact('status', 'canceled', order.status),
        fact(
          'msg',
          'Order was rejected due to insufficient balance: needs 271.8924 USD, available 100 USD',
          order.message,
        ),
        fact('in /triggers', 'true', desk.core.triggers(poor).includes(order)),
        fact('in /orders', '0', desk.core.orders(poor, 'all').length),
        money('A', '100', desk.core.available(poor, 'USD')),
      ];
    },
  },
  {
    id: 'M10',
    title: 'close_on_trigger clears the way',
    arithmetic: [
      'Long 0.3 from 60 000 (fee 10.8); offers of 0.1 at 61 000 and 0.3 at 62 000, a bid of 0.1 at 58 000; close: sell 0.5 MARKET with close_on_trigger at mark 59 000.',
      'At 59 000 both offers are cancelled first; the bid, of the other side, stays. The close takes 0.3, all there is to reduce, from the bid at 58 990; its other 0.2 are cancelled.',
      'Realised 0.3 × (58 990 − 60 000) = −303; fee 0.0006 × 17 697 = 10.6182. W = 10 000 − 10.8 − 303 − 10.6182 = 9 675.5818.',
      'Λ is then of the bid alone: im(5 800) + 0.0006 × 5 800 = 58 + 33.64 + 3.48 = 95.12.',
    ],
    run() {
      const desk = market();
      const a = desk.open('a', CASH);
      const { street } = desk.core;
      desk.deal(a, street, { side: 'buy', quantity: 0.3, price: 60_000 });
      desk.buy(street, 1, 58_990);
      const offers = [desk.sell(a, 0.1, 61_000), desk.sell(a, 0.3, 62_000)];
      const bid = desk.buy(a, 0.1, 58_000);
      const close = desk.sell(a, 0.5, undefined, {
        options: waitFor(59_000, 'mark', { closeOnTrigger: true }),
      });
      desk.mark(59_000);
      return [
        ...offers.map((order, n) => fact(`offer ${n + 1}`, 'canceled: close on trigger', state(order))),
        fact('bid', 'active', state(bid)),
        fact('close', 'canceled: position closed', state(close)),
        size('filled', '0.3', close.filled),
        size('not filled', '0.2', close.leaves),
        size('position', '0', desk.core.position(a, BTC).lots),
        money('W', '9675.5818', desk.cash(a)),
        money('Λ', '95.12', desk.core.margin(a, BTC).reserved),
      ];
    },
  },
];
