import { exampleBtc, RiskDesk } from '../core/risk-desk.js';
import { balance, type Example, fact, money, price, size } from './example.js';

const SPOT = 'BTC_USD';

/** A spot pair beside the contract; the index of both is 60 000. */
function spotDesk(): RiskDesk {
  const desk = new RiskDesk({ markets: [exampleBtc({ pair: SPOT, contract: 'spot' }), exampleBtc()] });
  desk.index(60_000);
  desk.index(60_000, SPOT);
  return desk;
}

/** Spot pairs and commission discounts. */
export const SPOT_AND_FEES: readonly Example[] = [
  {
    id: 'M11',
    title: 'A spot buy locks its amount and its fee',
    arithmetic: [
      'USD 1 000. Buy 0.01 BTC at 59 000: locks 590 + 0.0006 × 590 = 590.354, free 409.646.',
      'Cancelled, everything is free again. Buy 0.004 at 60 100 against an offer at 60 000: pays 240 and a taker fee of 0.144: free 759.856, BTC 0.004.',
      'A MARKET buy counts at the edge of the band, 66 000: 0.01 × 66 000 × 1.0006 = 660.396 must be there, 600.36 are spent.',
    ],
    run() {
      const desk = spotDesk();
      const { street } = desk.core;
      const a = desk.open('a', '1000');
      const bid = desk.accept(a, { side: 'buy', quantity: 0.01, price: 59_000 }, SPOT);
      const locked = balance(desk, a, 'USD');
      desk.core.cancel(a, bid.id, ++desk.now);
      const unlocked = balance(desk, a, 'USD');
      desk.accept(street, { side: 'sell', quantity: 0.1, price: 60_000 }, SPOT);
      const buy = desk.accept(a, { side: 'buy', quantity: 0.004, price: 60_100 }, SPOT);
      const short = desk.open('short', '660.39599999');
      const exact = desk.open('exact', '660.396');
      const refused = desk.refusal(short, { side: 'buy', quantity: 0.01 }, SPOT);
      desk.accept(exact, { side: 'buy', quantity: 0.01 }, SPOT);
      return [
        money('locked', '590.354', locked?.locked),
        money('free', '409.646', locked?.free),
        money('locked after the cancel', '0', unlocked?.locked),
        price('bought at', '60000', buy.lastTicks),
        money('USD after the purchase', '759.856', balance(desk, a, 'USD')?.free),
        money('BTC', '0.004', balance(desk, a, 'BTC')?.free),
        size('position', '0', desk.core.position(a, SPOT).lots),
        fact(
          'MARKET with 660.39599999',
          'insufficient balance: needs 660.396 USD, available 660.39599999 USD',
          refused,
        ),
        money('left of 660.396', '60.036', desk.cash(exact)),
      ];
    },
  },
  {
    id: 'M12',
    title: 'A spot sell locks the base asset and pays its fee in the quote asset',
    arithmetic: [
      'BTC 1, USD 0. Sell 0.5 at 60 000: locks 0.5 BTC, free 0.5.',
      '0.2 are bought: BTC 0.8, of which 0.3 locked; USD 12 000 − 0.0002 × 12 000 = 11 997.6.',
      'Selling another 0.501 is refused: 0.5 are free.',
    ],
    run() {
      const desk = spotDesk();
      const seller = desk.core.openAccount('seller', { USD: '0', BTC: '1' });
      const buyer = desk.open('buyer', '20000');
      desk.accept(seller, { side: 'sell', quantity: 0.5, price: 60_000 }, SPOT);
      const before = balance(desk, seller, 'BTC');
      desk.accept(buyer, { side: 'buy', quantity: 0.2, price: 60_000 }, SPOT);
      const after = balance(desk, seller, 'BTC');
      return [
        money('BTC locked', '0.5', before?.locked),
        money('BTC free', '0.5', before?.free),
        money('BTC locked after', '0.3', after?.locked),
        money('BTC free after', '0.5', after?.free),
        money('USD', '11997.6', balance(desk, seller, 'USD')?.free),
        fact(
          'selling 0.501 more',
          'insufficient balance: needs 0.501 BTC, available 0.5 BTC',
          desk.refusal(seller, { side: 'sell', quantity: 0.501, price: 61_000 }, SPOT),
        ),
      ];
    },
  },
  {
    id: 'M18',
    title: 'A discount on commissions, none on rebates',
    arithmetic: [
      'Maker −0.00015, taker 0.0006; the venue gives 25 % off to whoever holds EVE. 0.001 at 60 000.1 is 60.0001.',
      'Taker: gross 0.0006 × 60.0001 = 0.03600006; net 0.0006 × 60.0001 × 0.75 = 0.027000045, up: 0.02700005.',
      'Maker: rebate 0.00015 × 60.0001 = 0.009000015, down: 0.00900001; it is not discounted, and gross = net.',
      'Without EVE the taker pays 0.03600006.',
    ],
    run() {
      const desk = new RiskDesk({
        markets: [exampleBtc({ fees: { maker: '-0.00015', taker: '0.0006' } })],
        core: { commissionDiscount: { rate: '0.25', assets: ['EVE'] } },
      });
      const holder = desk.core.openAccount('holder', { USD: '1000', EVE: '1' });
      const other = desk.open('other', '1000');
      desk.index(60_000);
      desk.deal(holder, other, { side: 'buy', quantity: 0.001, price: 60_000.1 });
      const [discounted] = desk.core.fills(holder);
      const [rebate] = desk.core.fills(other);
      desk.deal(other, holder, { side: 'buy', quantity: 0.001, price: 60_000.1 });
      const [full] = desk.core.fills(other);
      const [made] = desk.core.fills(holder);
      return [
        money('gross of the taker', '0.03600006', discounted?.grossFee),
        money('net of the taker', '0.02700005', discounted?.fee),
        money('rebate of the maker', '-0.00900001', rebate?.fee),
        money('without EVE', '0.03600006', full?.fee),
        money('rebate of the holder', '-0.00900001', made?.fee),
        money('gross of the holder’s rebate', '-0.00900001', made?.grossFee),
      ];
    },
  },
];
