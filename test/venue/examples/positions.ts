import { averageEntry } from '../../../src/model/position.js';
import type { Holding } from '../../../src/venue/core/account.js';
import { groupOf } from '../../../src/venue/core/margin-group.js';
import { BTC, ETH } from '../core/desk.js';
import { exampleA, exampleC, FREE } from '../core/example-positions.js';
import { exampleBtc, exampleEth, RiskDesk } from '../core/risk-desk.js';
import { equity, type Example, fact, maintenance, money, price, size } from './example.js';

/** Cost, margin, liquidation price, reservations: `money.md` §15 A–E, J, K. */
export const POSITIONS: readonly Example[] = [
  {
    id: 'A',
    title: 'An isolated long',
    arithmetic: [
      'Deposit 10 000; buys 0.5 at 60 000 as taker with leverage 10.',
      'K = 0.5 × 60 000 = 30 000. M = 30 000 / 10 = 3 000. Fee = 0.0006 × 30 000 = 18. W = 10 000 − 3 000 − 18 = 6 982.',
      'im(30 000) = 30 000 × (0.01 + 10⁻⁶ × 30 000) = 1 200, so the most leverage is 30 000 / 1 200 = 25.',
      'Bankrupt where E = 0: (30 000 − 3 000) / 0.5 = 54 000.',
      'C = 30 000 − 3 000 = 27 000; lp = 2 × 27 000 / (0.995 + √(0.995² − 4 × 5·10⁻⁷ × 27 000)) / 0.5 = 54 000 / (0.995 + √0.936025) / 0.5 = 55 032.30…, on the tick toward the mark 55 032.4.',
      'At 55 032.4: N 27 516.2, E = 3 000 − 2 483.8 = 516.2, MM = 27 516.2 × (0.005 + 5·10⁻⁷ × 27 516.2) = 137.581 + 378.57063122 = 516.15163122 ≤ E.',
      'At 55 032.3: E = 516.15 < MM = 137.58075 + 378.56925541125 = 516.15000541125: it is liquidated.',
    ],
    run() {
      const { desk, account, other } = exampleA('0');
      const at60 = desk.core.positionFacts(account, BTC);
      const held = desk.cash(account);
      const fee = account.balances.get('USD')?.feesPaid;
      const holding = account.holdings.get(BTC) as Holding;
      desk.buy(other, 1, 55_000);
      desk.mark(55_032.4);
      const safe = groupOf(holding);
      const before = desk.forced(account).length;
      desk.mark(55_032.3);
      const levered = exampleA('0');
      const leverage = (times: string) =>
        levered.desk.core.setLeverage(levered.account, BTC, times, ++levered.desk.now).kind;
      return [
        money('K', '30000', at60.cost),
        money('M', '3000', at60.margin),
        money('fee', '18', fee),
        money('W', '6982', held),
        price('bankrupt', '54000', at60.bankruptcyTicks),
        price('lp', '55032.4', at60.liquidationTicks),
        equity('E at 55 032.4', '516.2', safe),
        maintenance('MM at 55 032.4', '516.15163122', safe),
        fact('liquidations at 55 032.4', '0', before),
        fact('liquidations at 55 032.3', '1', desk.forced(account).length),
        fact('leverage 25', 'done', leverage('25')),
        fact('leverage 25.01', 'refused', leverage('25.01')),
      ];
    },
  },
  {
    id: 'B',
    title: 'An isolated short',
    arithmetic: [
      'Deposit 10 000; sells 0.5 at 60 000 as taker with leverage 10: K −30 000, M 3 000.',
      'Bankrupt: (30 000 + 3 000) / 0.5 = 66 000.',
      'B = 33 000; lp = 2 × 33 000 / (1.005 + √(1.005² + 4 × 5·10⁻⁷ × 33 000)) / 0.5 = 64 632.497…, toward the mark 64 632.4.',
      'At 64 632.4: N 32 316.2, E = 3 000 − 2 316.2 = 683.8, MM = 161.581 + 522.16839122 = 683.74939122.',
      'At 64 632.5: E = 683.75 < MM = 161.58125 + 522.17000703125 = 683.75125703125.',
    ],
    run() {
      const { desk, account, other } = exampleA('0', undefined, 'sell');
      const at60 = desk.core.positionFacts(account, BTC);
      desk.sell(other, 1, 64_700);
      desk.mark(64_632.4);
      const safe = groupOf(account.holdings.get(BTC) as Holding);
      const before = desk.forced(account).length;
      desk.mark(64_632.5);
      return [
        money('K', '-30000', at60.cost),
        money('M', '3000', at60.margin),
        price('bankrupt', '66000', at60.bankruptcyTicks),
        price('lp', '64632.4', at60.liquidationTicks),
        equity('E at 64 632.4', '683.8', safe),
        maintenance('MM at 64 632.4', '683.74939122', safe),
        fact('liquidations at 64 632.4', '0', before),
        fact('liquidations at 64 632.5', '1', desk.forced(account).length),
      ];
    },
  },
  {
    id: 'C',
    title: 'A cross long beside a losing short',
    arithmetic: [
      'W 8 000 after fees; long 1 BTC from 60 000, short 10 ETH from 2 500. ETH is marked at 2 600.',
      'U of ETH = 25 000 − 26 000 = −1 000; mm(26 000) = 26 000 × (0.005 + 5·10⁻⁷ × 26 000) = 130 + 338 = 468. mm(60 000) = 300 + 1 800 = 2 100: E 7 000, MM 2 568.',
      'lp: X = W + U − MM of the others = 8 000 − 1 000 − 468 = 6 532, C = 60 000 − 6 532 = 53 468: 106 936 / (0.995 + √(0.990025 − 2·10⁻⁶ × 53 468)) = 55 271.8…, toward the mark 55 271.9.',
      'Bankrupt: X = 8 000 − 1 000 = 7 000; 60 000 − 7 000 = 53 000.',
      'The long alone: lp with X = 8 000 is 53 711.0, bankrupt 52 000.',
    ],
    run() {
      const { desk, account } = exampleC();
      const cash = desk.cash(account);
      desk.mark(2_600, ETH);
      const both = desk.core.positionFacts(account, BTC);
      const group = groupOf(account.holdings.get(BTC) as Holding);
      const alone = new RiskDesk();
      const single = alone.open('a', '8036');
      alone.index(60_000);
      alone.deal(single, alone.core.street, { side: 'buy', quantity: 1, price: 60_000 });
      const one = alone.core.positionFacts(single, BTC);
      return [
        money('W', '8000', cash),
        money('U of ETH', '-1000', desk.core.positionFacts(account, ETH).upnl),
        equity('E', '7000', group),
        maintenance('MM', '2568', group),
        price('lp', '55271.9', both.liquidationTicks),
        price('bankrupt', '53000', both.bankruptcyTicks),
        price('lp alone', '53711', one.liquidationTicks),
        price('bankrupt alone', '52000', one.bankruptcyTicks),
      ];
    },
  },
  {
    id: 'D',
    title: 'A cross short',
    arithmetic: [
      'W 8 000 after the fee of 36; short 1 BTC from 60 000.',
      'Bankrupt: 60 000 + 8 000 = 68 000.',
      'B = 68 000; lp = 136 000 / (1.005 + √(1.010025 + 2·10⁻⁶ × 68 000)) = 65 525.57…, toward the mark 65 525.5.',
      'At 65 525.5: E = 8 000 − 5 525.5 = 2 474.5, MM = 327.6275 + 2 146.795575125 = 2 474.423075125 ≤ E.',
    ],
    run() {
      const desk = new RiskDesk();
      const account = desk.open('a', '8036');
      desk.index(60_000);
      desk.deal(account, desk.core.street, { side: 'sell', quantity: 1, price: 60_000 });
      const facts = desk.core.positionFacts(account, BTC);
      desk.sell(desk.core.street, 2, 65_600);
      desk.mark(65_525.5);
      const safe = groupOf(account.holdings.get(BTC) as Holding);
      const before = desk.forced(account).length;
      desk.mark(65_525.6);
      return [
        price('bankrupt', '68000', facts.bankruptcyTicks),
        price('lp', '65525.5', facts.liquidationTicks),
        equity('E at 65 525.5', '2474.5', safe),
        maintenance('MM at 65 525.5', '2474.423075125', safe),
        fact('liquidations at 65 525.5', '0', before),
        fact('liquidated at 65 525.6', 'true', desk.forced(account).length > 0),
      ];
    },
  },
  {
    id: 'E',
    title: 'Cost, realised P&L and a flip',
    arithmetic: [
      'Deposit 10 000. Buys 0.001 at 60 000.0 and 0.002 at 60 000.1: K = 60 + 120.0002 = 180.0002.',
      'Sells 0.001 at 60 010: K_out = 180.0002 / 3 ≈ 60.00006667, realised 60.01 − 60.00006667 = 0.00993333; K = 120.00013333, average 60 000.066665.',
      'Sells 0.005 at 60 020: closes 0.002, K_out 120.00013333, realised 120.04 − 120.00013333 = 0.03986667; opens −0.003, K = −180.06.',
      'Taker fee of the flip: 0.0006 × 300.1 = 0.18006; the closing part of it, 2/5, is 0.072024, and 0.108036 belongs to the new position.',
      'Before fees ΣΔW − K = 0.0498 + 180.06 = 180.1098 = 60.01 + 300.10 − 180.0002, the cash that changed hands.',
    ],
    run() {
      const desk = new RiskDesk();
      const maker = desk.core.street;
      const account = desk.open('a', '10000');
      desk.index(60_000);
      desk.sell(maker, 0.001, 60_000.0);
      desk.sell(maker, 0.002, 60_000.1);
      desk.buy(account, 0.003, 60_000.1);
      const bought = desk.core.position(account, BTC);
      desk.deal(account, maker, { side: 'sell', quantity: 0.001, price: 60_010 });
      const [first] = desk.core.fills(account, { limit: 1 });
      const held = desk.core.position(account, BTC);
      desk.deal(account, maker, { side: 'sell', quantity: 0.005, price: 60_020 });
      const [flip] = desk.core.fills(account, { limit: 1 });
      const short = desk.core.position(account, BTC);
      const fees = account.balances.get('USD')?.feesPaid ?? 0n;
      return [
        money('K after the purchases', '180.0002', bought.cost),
        money('realised by the first sale', '0.00993333', first?.realised),
        money('K then', '120.00013333', held.cost),
        fact('average entry then', '60000.066665', averageEntry(exampleBtc(), held)?.toFixed()),
        money('realised by the second sale', '0.03986667', flip?.realised),
        money('its fee', '0.18006', flip?.fee),
        size('size', '-0.003', short.lots),
        money('K', '-180.06', short.cost),
        money('fees of the new position', '-0.108036', short.fees),
        money(
          'ΣΔW − K before fees',
          '180.1098',
          desk.cash(account) - 10_000n * 10n ** 8n + fees - short.cost,
        ),
      ];
    },
  },
  {
    id: 'J',
    title: 'What working orders reserve',
    arithmetic: [
      'Deposit 10 000; long 0.1 from 60 000 as taker (fee 3.6), mark 60 000; bids 0.05 at 59 990 and 59 980, asks 0.05 at 60 010 and 60 020.',
      'R⁰ = im(6 000) = 60 + 36 = 96.',
      'Open(buys) = 0.05 × 59 990 + 0.05 × 59 980 = 5 998.5; R⁺ = im(11 998.5) = 119.985 + 143.96400225 = 263.94900225.',
      'The asks close exactly: Open(sells) = 0, R⁻ = 0.',
      'Λ = 263.94900225 − 96 + 0.0006 × max(5 998.5, 6 001.5) = 167.94900225 + 3.6009 = 171.54990225.',
      'A = 9 996.4 − 171.54990225 − 96 = 9 728.85009775.',
    ],
    run() {
      const desk = new RiskDesk();
      const account = desk.open('a', '10000');
      desk.index(60_000);
      desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.1, price: 60_000 });
      desk.buy(account, 0.05, 59_990);
      desk.buy(account, 0.05, 59_980);
      desk.sell(account, 0.05, 60_010);
      desk.sell(account, 0.05, 60_020);
      const { position, reserved } = desk.core.margin(account, BTC);
      const [balance] = desk.core.balances(account);
      return [
        money('R⁰', '96', position),
        money('Λ', '171.54990225', reserved),
        money('A', '9728.85009775', desk.core.available(account, 'USD')),
        money('free', '9728.85009775', balance?.free),
        money('locked', '171.54990225', balance?.locked),
        money('margin', '96', balance?.margin),
      ];
    },
  },
  {
    id: 'K',
    title: 'Cash below zero that a profit carries',
    arithmetic: [
      'No fees. Cross W 1 000; long 0.1 BTC from 60 000, short 4 ETH from 2 500. BTC rises to 66 000, ETH is bought back at 2 800.',
      'Before: im(6 600) = 66 + 43.56 = 109.56, im(11 200) = 112 + 125.44 = 237.44; ΣU = 600 − 1 200: A = 1 000 − 109.56 − 237.44 − 600 = 53.',
      'Realised 4 × (2 500 − 2 800) = −1 200: W = −200. U = 0.1 × 6 000 = 600.',
      'E = −200 + 600 = 400; MM = mm(6 600) = 33 + 21.78 = 54.78: alive.',
      'On the wire: locked min(0, max(0, W)) = 0, margin min(im(6 600), W − locked) = −200, free 0; the sum is W.',
      'A = −200 − 109.56 = −309.56: only reduce-only orders are admitted.',
    ],
    run() {
      const desk = new RiskDesk({ markets: [exampleBtc({ fees: FREE }), exampleEth({ fees: FREE })] });
      const { street } = desk.core;
      const account = desk.open('a', '1000');
      desk.index(60_000);
      desk.index(2_500, ETH);
      desk.deal(account, street, { side: 'buy', quantity: 0.1, price: 60_000 });
      desk.deal(account, street, { side: 'sell', quantity: 4, price: 2_500 }, ETH);
      desk.mark(66_000);
      desk.mark(2_800, ETH);
      desk.accept(street, { side: 'sell', quantity: 4, price: 2_800 }, ETH);
      const before = desk.core.available(account, 'USD');
      desk.accept(account, { side: 'buy', quantity: 4, price: 2_800 }, ETH);
      const group = groupOf(account.holdings.get(BTC) as Holding);
      const [balance] = desk.core.balances(account);
      return [
        money('A before', '53', before),
        money('W', '-200', desk.cash(account)),
        equity('E', '400', group),
        maintenance('MM', '54.78', group),
        fact('liquidations', '0', desk.forced(account).length),
        money('free', '0', balance?.free),
        money('locked', '0', balance?.locked),
        money('margin', '-200', balance?.margin),
        money('pnl', '-1200', balance?.pnl),
        money('A', '-309.56', desk.core.available(account, 'USD')),
        fact(
          'closing, not reduce-only',
          'insufficient balance: needs 0 USD, available -309.56 USD',
          desk.refusal(account, { side: 'sell', quantity: 0.1, price: 66_100 }),
        ),
        fact(
          'closing, reduce-only',
          'accepted: active',
          desk.refusal(account, { side: 'sell', quantity: 0.1, price: 66_100, reduceOnly: true }),
        ),
      ];
    },
  },
];
