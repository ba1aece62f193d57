import { BTC } from '../core/desk.js';
import { exampleA } from '../core/example-positions.js';
import { RiskDesk } from '../core/risk-desk.js';
import { type Example, fact, money, price } from './example.js';

/** Isolated margin: fund, draw, leverage, closing at a loss. */
export const ISOLATED: readonly Example[] = [
  {
    id: 'M13',
    title: 'Funding and drawing isolated margin',
    arithmetic: [
      'Example A. Fund 982: M 3 982, W 6 000. Bankrupt (30 000 − 3 982) / 0.5 = 52 036. L stays 10.',
      'C = 26 018: lp = 52 036 / (0.995 + √(0.990025 − 2·10⁻⁶ × 26 018)) / 0.5 = 53 003.3… toward the mark 53 003.4 (there E 483.7 ≥ MM 132.5085 + 351.17005… = 483.67855…; a tick below 483.65 < 483.67697…).',
      'Mark 59 000: N 29 500, im = 295 + 870.25 = 1 165.25, U −500. What may go: 3 982 − 500 − 1 165.25 = 2 316.75, and not a unit more.',
      'After the draw M = 1 665.25, W = 8 316.75.',
    ],
    run() {
      const { desk, account } = exampleA('0');
      desk.core.fund(account, BTC, '982', ++desk.now);
      const funded = desk.core.positionFacts(account, BTC);
      const cash = desk.cash(account);
      desk.mark(59_000);
      const more = desk.core.draw(account, BTC, '2316.75000001', ++desk.now);
      const all = desk.core.draw(account, BTC, '2316.75', ++desk.now);
      return [
        money('M funded', '3982', funded.margin),
        money('W funded', '6000', cash),
        price('bankrupt', '52036', funded.bankruptcyTicks),
        price('lp', '53003.4', funded.liquidationTicks),
        fact('leverage', '10', funded.leverage?.numerator),
        fact(
          'draw 2 316.75000001',
          'insufficient balance: needs 2316.75000001 USD, available 2316.75 USD',
          more.kind === 'refused' ? more.reason : more.kind,
        ),
        fact('draw 2 316.75', 'done', all.kind),
        money('M drawn', '1665.25', desk.margin(account)),
        money('W drawn', '8316.75', desk.cash(account)),
      ];
    },
  },
  {
    id: 'M14',
    title: 'Leverage: cross, isolated, and back',
    arithmetic: [
      'Cross long 0.5 from 60 000 with a deposit of 10 000: W = 10 000 − 18 = 9 982, margin im(30 000) = 1 200.',
      'Leverage 10: M = 3 000, W = 6 982. Leverage 25: M = 1 200, W = 8 782. Leverage 7: M = ⌈30 000 / 7⌉ᵤ = 4 285.71428572, W = 9 982 − M = 5 696.28571428.',
      'Selling 0.1 at 60 000 releases ⌊M × 0.1 / 0.5⌋ᵤ = 857.14285714, fee 3.6: W = 6 549.82857142, M = 3 428.57142858.',
      'Leverage 0, cross again: M 0, W = 9 982 − 3.6 = 9 978.4.',
    ],
    run() {
      const desk = new RiskDesk();
      const account = desk.open('a', '10000');
      desk.index(60_000);
      desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.5, price: 60_000 });
      const at = (label: string, margin: string, cash: string) => [
        money(`M ${label}`, margin, desk.core.positionFacts(account, BTC).margin),
        money(`W ${label}`, cash, desk.cash(account)),
      ];
      const lever = (times: string, margin: string, cash: string) => {
        desk.core.setLeverage(account, BTC, times, ++desk.now);
        return at(`at leverage ${times}`, margin, cash);
      };
      const rows = [
        ...at('in cross', '1200', '9982'),
        ...lever('10', '3000', '6982'),
        ...lever('25', '1200', '8782'),
        ...lever('7', '4285.71428572', '5696.28571428'),
      ];
      desk.deal(account, desk.core.street, { side: 'sell', quantity: 0.1, price: 60_000 });
      rows.push(...at('after the sale', '3428.57142858', '6549.82857142'));
      desk.core.setLeverage(account, BTC, '0', ++desk.now);
      rows.push(
        money('M at leverage 0', '0', desk.margin(account)),
        money('W at leverage 0', '9978.4', desk.cash(account)),
      );
      return rows;
    },
  },
  {
    id: 'M19',
    title: 'A loss beyond the margin that a closing fill releases',
    arithmetic: [
      'Example A at leverage 25: M 1 200, W 8 782. Mark 59 000; sells 0.1 reduce-only to a bid at 56 900.',
      'Released ⌊1 200 × 0.1 / 0.5⌋ = 240; realised 5 690 − 6 000 = −310; fee 0.0006 × 5 690 = 3.414; x = 240 − 310 − 3.414 = −73.414.',
      'x is taken from the other 960 of margin: M = 886.586, W stays 8 782.',
      '0.3 more is refused: released 664.9395, realised −930, fee 10.242 would take all of the rest of the margin, and the 0.1 that stay, with U = 0.1 × −1 000 at this mark, would owe 100.',
    ],
    run() {
      const { desk, account, other } = exampleA('0');
      desk.core.setLeverage(account, BTC, '25', ++desk.now);
      desk.buy(other, 0.4, 56_900);
      desk.mark(59_000);
      desk.sell(account, 0.1, 56_900, { reduceOnly: true });
      const [margin, cash] = [desk.margin(account), desk.cash(account)];
      return [
        money('M', '886.586', margin),
        money('W', '8782', cash),
        fact(
          '0.3 more',
          'insufficient balance: filled at the worst price it allows, the isolated position would be worth -100 USD at the mark: a better limit price helps',
          desk.refusal(account, { side: 'sell', quantity: 0.3, price: 56_900, reduceOnly: true }),
        ),
      ];
    },
  },
];
