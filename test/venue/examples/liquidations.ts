import { Decimal, plain } from '../../../src/model/decimal.js';
import { type Rate, rateNumber } from '../../../src/model/money.js';
import type { Holding } from '../../../src/venue/core/account.js';
import { groupOf } from '../../../src/venue/core/margin-group.js';
import { BTC, ETH } from '../core/desk.js';
import { exampleA, exampleC, exampleF, FREE } from '../core/example-positions.js';
import { exampleBtc, RiskDesk } from '../core/risk-desk.js';
import { equity, ethSize, type Example, fact, maintenance, money, price, size } from './example.js';

const HOUR = 3_600_000;

const rateText = (rate: Rate | undefined) =>
  rate === undefined ? 'none' : plain(new Decimal(rateNumber(rate)));

/** Funding, slices, take-overs and deleverage: `money.md` §15 F–I′. */
export const LIQUIDATIONS: readonly Example[] = [
  {
    id: 'F',
    title: 'Funding',
    arithmetic: [
      'No fees. Index 60 000 and mark 60 030 for the whole hour: each premium is 30 / 60 000 = 0.0005.',
      'F = 0.0005 × 1 h / 10 h = 0.00005. A long of 0.5 pays 0.5 × 60 030 × 0.00005 = 1.50075, which the short receives.',
    ],
    run() {
      const desk = exampleF();
      const long = desk.open('long', '100000');
      const short = desk.open('short', '100000');
      desk.deal(long, short, { side: 'buy', quantity: 0.5, price: 60_030 });
      const { fundingRate, nextFundingTime = 0 } = desk.core.ticker(BTC, desk.now);
      desk.core.advance(101 * HOUR - 1);
      const early = desk.cash(long);
      desk.core.advance(101 * HOUR);
      const { fundingRate: next } = desk.core.ticker(BTC, desk.now);
      return [
        price('mark', '60030', desk.core.mark(BTC)),
        fact('F', '0.00005', rateText(fundingRate)),
        fact('next funding, hours since 1970', '101', nextFundingTime / HOUR),
        money('W of the long a millisecond before', '100000', early),
        money('W of the long', '99998.49925', desk.cash(long)),
        money('W of the short', '100001.50075', desk.cash(short)),
        money('funding of the long', '-1.50075', desk.core.position(long, BTC).funding),
        money('funding of the short', '1.50075', desk.core.position(short, BTC).funding),
        fact('F of the hour that begins', '0', rateText(next)),
        money('insurance', '0', desk.insurance()),
      ];
    },
  },
  {
    id: 'F′',
    title: 'Rounding of funding',
    arithmetic: [
      'No fees, F 0.00004 (its lower bound), mark 60 000.1; three longs of 0.001, one short of 0.003.',
      '0.001 × 60 000.1 × 0.00004 = 240 000.4 u: each long pays ⌈240 000.4⌉ = 240 001 u.',
      'The short receives ⌊720 001.2⌋ = 720 001 u; 720 003 − 720 001 = 2 u go to insurance.',
    ],
    run() {
      const hourly = {
        intervalMs: HOUR,
        timeWindowMs: 10 * HOUR,
        min: '0.00004',
        max: '0.003',
        threshold: '0',
      };
      const desk = new RiskDesk({
        markets: [exampleBtc({ funding: hourly, fees: FREE })],
        start: 100 * HOUR + 500,
      });
      const longs = ['a', 'b', 'c'].map((name) => desk.open(name, '1000'));
      const short = desk.open('short', '1000');
      desk.index(60_000.1);
      for (const long of longs) desk.deal(long, short, { side: 'buy', quantity: 0.001, price: 60_000.1 });
      desk.core.advance(101 * HOUR);
      return [
        ...longs.map((long) => money(`W of long ${long.name}`, '999.99759999', desk.cash(long))),
        money('W of the short', '1000.00720001', desk.cash(short)),
        money('insurance', '0.00000002', desk.insurance()),
      ];
    },
  },
  {
    id: 'G',
    title: 'An isolated slice',
    arithmetic: [
      'Example A, mark 55 000: U = 27 500 − 30 000 = −2 500, E = 500; MM = 27 500 × (0.005 + 0.01375) = 515.625 > E > 0.5 × MM.',
      'One slice: ⌈0.1 × 0.5⌉ = 0.05, sold to the bid at 54 980: K_out 3 000, realised 2 749 − 3 000 = −251, fee 0.003 × 2 749 = 8.247.',
      'M = 3 000 − 251 − 8.247 = 2 740.753; K = 27 000; U = 24 750 − 27 000 = −2 250.',
      'E = 2 740.753 − 2 250 = 490.753 ≥ MM = 24 750 × (0.005 + 0.012375) = 430.03125: done. Insurance + 8.247, W untouched.',
    ],
    run() {
      const { desk, account, other } = exampleA('0');
      desk.buy(other, 1, 54_980);
      desk.mark(55_000);
      const forced = desk.forced(account);
      const group = groupOf(account.holdings.get(BTC) as Holding);
      const [fill] = forced[0]?.fills ?? [];
      return [
        fact('slices', '1', forced.length),
        size('sold', '0.05', fill?.lots),
        price('at', '54980', fill?.ticks),
        money('realised', '-251', fill?.realised),
        money('fee', '8.247', fill?.fee),
        fact('liquidation', 'true', fill?.isLiquidation),
        money('M', '2740.753', desk.margin(account)),
        money('K', '27000', desk.core.position(account, BTC).cost),
        money('U', '-2250', desk.core.positionFacts(account, BTC).upnl),
        equity('E', '490.753', group),
        maintenance('MM', '430.03125', group),
        money('insurance', '8.247', desk.insurance()),
        money('W', '6982', desk.cash(account)),
      ];
    },
  },
  {
    id: 'G′',
    title: 'A cross slice',
    arithmetic: [
      'Example C, BTC mark 55 000: E = 8 000 − 5 000 − 1 000 = 2 000 < MM = 1 787.5 + 468 = 2 255.5.',
      'BTC has the larger mm: 0.1 sold at 54 980, realised 5 498 − 6 000 = −502, fee 0.003 × 5 498 = 16.494.',
      'W = 8 000 − 502 − 16.494 = 7 481.506; U = 49 500 − 54 000 = −4 500.',
      'E = 7 481.506 − 4 500 − 1 000 = 1 981.506 ≥ MM = mm(49 500) + 468 = 247.5 + 1 225.125 + 468 = 1 940.625.',
    ],
    run() {
      const { desk, account, street } = exampleC();
      desk.buy(street, 5, 54_980);
      desk.mark(2_600, ETH);
      const before = desk.forced(account).length;
      desk.mark(55_000);
      const forced = desk.forced(account);
      const group = groupOf(account.holdings.get(BTC) as Holding);
      return [
        fact('liquidations before', '0', before),
        fact('slices', BTC, forced.map(({ pair }) => pair).join()),
        money('realised', '-502', forced[0]?.fills[0]?.realised),
        money('fee', '16.494', forced[0]?.fills[0]?.fee),
        money('W', '7481.506', desk.cash(account)),
        equity('E', '1981.506', group),
        maintenance('MM', '1940.625', group),
        size('BTC', '0.9', desk.core.position(account, BTC).lots),
        ethSize('ETH', '-10', desk.core.position(account, ETH).lots),
        money('insurance', '16.494', desk.insurance()),
      ];
    },
  },
  {
    id: 'H',
    title: 'A take-over with equity left',
    arithmetic: [
      'Example A, the mark gaps to 54 300: E = 3 000 + 27 150 − 30 000 = 150 ≤ 0.5 × MM = 0.5 × 504.31….',
      'The provider gets 0.5 at 54 300 (cost 27 150) and 150 in cash, which is the same as buying at 54 000.',
      'The account realises 27 150 − 30 000 = −2 850 without fee and is left with M 0 and W 6 982.',
    ],
    run() {
      const { desk, account } = exampleA('0');
      desk.mark(54_300);
      const provider = desk.provider();
      const fill = desk.forced(account)[0]?.fills[0];
      return [
        size('provider', '0.5', desk.core.position(provider, BTC).lots),
        money('its cost', '27150', desk.core.position(provider, BTC).cost),
        money('its cash', '150', desk.cash(provider)),
        price('closed at', '54300', fill?.ticks),
        money('realised', '-2850', fill?.realised),
        money('fee', '0', fill?.fee),
        fact('liquidation', 'true', fill?.isLiquidation),
        size('account', '0', desk.core.position(account, BTC).lots),
        money('M', '0', desk.margin(account)),
        money('W', '6982', desk.cash(account)),
        money('insurance', '0', desk.insurance()),
      ];
    },
  },
  {
    id: 'I',
    title: 'A take-over that insurance pays for',
    arithmetic: [
      'Example A, the mark gaps to 53 000: E = 3 000 + 26 500 − 30 000 = −500. Insurance has exactly 500.',
      'The provider gets 0.5 at 53 000; insurance pays 500; the provider’s cash is E + 500 = 0. W stays 6 982.',
    ],
    run() {
      const { desk, account } = exampleA('500');
      desk.mark(53_000);
      const provider = desk.provider();
      return [
        size('provider', '0.5', desk.core.position(provider, BTC).lots),
        money('its cost', '26500', desk.core.position(provider, BTC).cost),
        money('its cash', '0', desk.cash(provider)),
        money('insurance', '0', desk.insurance()),
        money('M', '0', desk.margin(account)),
        money('W', '6982', desk.cash(account)),
      ];
    },
  },
  {
    id: 'I′',
    title: 'Insurance a dollar short: auto-deleverage',
    arithmetic: [
      'As I with insurance 499 < 500. The short of 0.5 from 60 000 (deposit 100 000, maker fee 0.0002 × 30 000 = 6) is the other side.',
      'Both are closed at the bankruptcy price 54 000, without fee: the short realises 0.5 × 6 000 = 3 000 instead of 3 500 at the mark, so it carries the 500.',
      'Short: 100 000 − 6 + 3 000 = 102 994. Account: M 0, W 6 982. The fund pays nothing.',
    ],
    run() {
      const { desk, account, other } = exampleA('499', (venue) => venue.open('short', '100000'));
      desk.mark(53_000);
      const [closed] = desk.forced(other);
      return [
        price('closed at', '54000', closed?.fills[0]?.ticks),
        fact(
          'liquidation, on both sides',
          'true, true',
          [account, other].map((each) => desk.forced(each)[0]?.fills[0]?.isLiquidation).join(', '),
        ),
        money('fee of the short', '0', closed?.fills[0]?.fee),
        money('realised by the short', '3000', closed?.fills[0]?.realised),
        money('W of the short', '102994', desk.cash(other)),
        size('its position', '0', desk.core.position(other, BTC).lots),
        size('position of the account', '0', desk.core.position(account, BTC).lots),
        money('M', '0', desk.margin(account)),
        money('W', '6982', desk.cash(account)),
        money('insurance', '499', desk.insurance()),
      ];
    },
  },
];
