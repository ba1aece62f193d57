import { describe, expect, it } from 'vitest';
import type { Market } from '../../../src/model/market.js';
import { after } from '../../../src/venue/core/schedule.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { QueueModel } from '../../../src/venue/tape/queue-model.js';
import { BTC, ETH, termsOf, usd } from './desk.js';
import { brokenLaws } from './laws.js';
import { exampleBtc, exampleEth, RiskDesk } from './risk-desk.js';

describe('the order of things', () => {
  it('checks accounts by age, and each account for itself', () => {
    const desk = new RiskDesk({ insurance: '100000' });
    const young = ['a', 'b', 'c'].map((name) => desk.open(name, '1000'));
    desk.index(60_000);
    // The youngest trades first.
    for (const account of [...young].reverse()) {
      desk.core.setLeverage(account, BTC, '20', ++desk.now);
      desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.1, price: 60_000 });
    }
    const seen: string[] = [];
    desk.core.onFill((order, fill) => {
      if (fill.isLiquidation === true && order.account.isCustomer) seen.push(order.account.name);
    });
    desk.mark(50_000);
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('liquidates at an index update before its triggers fire', () => {
    const desk = new RiskDesk({ insurance: '100000' });
    const account = desk.open('a', '1000');
    desk.index(60_000);
    desk.core.setLeverage(account, BTC, '20', ++desk.now);
    desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.1, price: 60_000 });
    const stop = desk.core.place(
      account,
      {
        pair: BTC,
        terms: termsOf(exampleBtc(), { side: 'sell', quantity: 0.1, timeInForce: 'IOC', reduceOnly: true }),
        options: { trigger: { ticks: desk.ticks(59_000), event: 'mark' } },
      },
      ++desk.now,
    );
    desk.buy(desk.core.street, 1, 55_000);
    desk.index(50_000);
    desk.pass(1_000);
    // It had nothing to reduce any more, so it stays a trigger.
    expect(stop.kind === 'accepted' && stop.order).toMatchObject({ status: 'canceled', filled: 0 });
    expect(desk.core.position(desk.provider(), BTC).lots).toBe(100);
  });

  it('is at multiples of an interval, whatever the time of the first price', () => {
    expect([0, 1, 999, 1_000].map((time) => after(time, 1_000))).toEqual([1_000, 1_000, 1_000, 2_000]);
  });
});

/** Two tapes, and an account that is isolated long 0.1 BTC from 60 000 at leverage 20: M 300, bankrupt at 57 000. */
function tapeDesk() {
  const tape = (market: Market) => ({
    market,
    prices: 'index' as const,
    tape: (listed: Market, sink: ConstructorParameters<typeof QueueModel>[0]['sink']) =>
      new QueueModel({ market: listed, sink }),
  });
  const core = new VenueCore({
    markets: [tape(exampleBtc()), tape(exampleEth())],
    insurance: { USD: '10000' },
  });
  const account = core.openAccount('a', { USD: '1000' });
  let now = 2_000_000;
  let id = 0;
  const print = (
    price: number,
    quantity: number,
    aggressor: 'buy' | 'sell',
    time = ++now,
    pair: string = BTC,
  ) => {
    now = time;
    core.print(pair, { id: String(++id), time, price, quantity, isBuyerMaker: aggressor === 'sell' });
  };
  print(60_000, 1, 'buy');
  print(59_999, 1, 'sell');
  core.setLeverage(account, BTC, '20', now);
  const terms = termsOf(exampleBtc(), { side: 'buy', quantity: 0.1, price: 60_000 });
  core.place(account, { pair: BTC, terms }, now);
  print(60_000, 5, 'buy');
  expect(core.position(account, BTC).lots).toBe(100);
  return {
    core,
    account,
    print,
    slices: () =>
      core
        .orders(account, 'all', { limit: 100 })
        .filter(({ isLiquidation }) => isLiquidation)
        .sort((a, b) => a.sequence - b.sequence),
  };
}

describe('a liquidation on a tape', () => {
  it('waits for prints with its slice, and sells it to the street', () => {
    const { core, account, print, slices } = tapeDesk();
    // The index of a tape is its last print: E = 300 − 262 = 38 at 57 380, between 0.5 × MM and MM = 45.15.
    print(57_380, 0.001, 'sell', 2_000_900);
    expect(slices()).toEqual([]);
    core.advance(2_001_000);
    expect(slices().map(({ status, isTaking, terms }) => [status, isTaking, terms.lots])).toEqual([
      ['active', true, 10],
    ]);
    expect(core.position(account, BTC).lots).toBe(100);
    print(57_390, 2, 'sell', 2_001_100);
    const [slice] = slices();
    expect(slice?.fills).toMatchObject([{ lots: 10, liquidity: 'taker', isLiquidation: true }]);
    // The street bought what it had sold.
    expect(core.position(core.street, BTC).lots).toBe(-core.position(account, BTC).lots);
    expect(brokenLaws(core)).toEqual([]);
  });

  it('goes to the provider when its window ends without a print', () => {
    const { core, account, print, slices } = tapeDesk();
    print(57_380, 0.001, 'sell', 2_000_900);
    core.advance(2_001_000);
    expect(core.nextTime).toBe(2_002_000);
    core.advance(2_001_999);
    expect(core.position(account, BTC).lots).toBe(100);
    // At 2 002 000 the window of a second is over.
    core.advance(2_002_000);
    expect(slices().map(({ doneReason }) => doneReason)).toEqual(['IOC remainder', 'filled']);
    expect(core.account('provider')?.holdings.get(BTC)?.lots).toBe(100);
  });

  it('goes to the provider at once when its equity falls to the swap threshold while its slice waits', () => {
    const { core, account, print, slices } = tapeDesk();
    print(57_380, 0.001, 'sell', 2_000_900);
    core.advance(2_001_000);
    core.setMark(BTC, 570_500 as never, 2_001_100);
    expect(slices().map(({ doneReason }) => doneReason)).toEqual(['liquidation', 'filled']);
    expect(core.position(account, BTC).lots).toBe(0);
    // E = 300 − 295 = 5, and the entry's fee was 3.6.
    const provider = core.account('provider');
    expect(provider?.balances.get('USD')?.cash).toBe(usd('5'));
    expect(account.balances.get('USD')?.cash).toBe(usd('696.4'));
  });

  it('has a slice that is no order of the account’s, so that the account cannot cancel it', () => {
    const { core, account, print, slices } = tapeDesk();
    print(57_380, 0.001, 'sell', 2_000_900);
    core.advance(2_001_000);
    const [slice] = slices();
    // A bot that stops cancels everything; were the slice gone unfilled, the provider would take the position over.
    expect(core.cancelMany(account, undefined, 2_001_010)).toEqual([]);
    expect(core.cancelMany(account, [slice?.id ?? ''], 2_001_010)).toEqual([]);
    expect(core.cancel(account, slice?.id ?? '', 2_001_010)).toEqual({
      kind: 'refused',
      reason: `The order was not found: ${slice?.id} is a liquidation, no order of this account`,
    });
    print(57_390, 2, 'sell', 2_001_100);
    expect(slices()[0]).toMatchObject({ status: 'completed', filled: 10 });
    expect(core.account('provider')?.holdings.get(BTC)?.lots ?? 0).toBe(0);
  });

  it('has a slice that a close on trigger does not push aside', () => {
    const { core, account, print, slices } = tapeDesk();
    const close = termsOf(exampleBtc(), {
      side: 'sell',
      quantity: 0.1,
      timeInForce: 'IOC',
      reduceOnly: true,
    });
    const trigger = { ticks: 574_000 as never, event: 'last' as const };
    core.place(account, { pair: BTC, terms: close, options: { trigger, closeOnTrigger: true } }, 2_000_800);
    print(57_410, 0.001, 'sell', 2_000_900);
    core.setMark(BTC, 573_800 as never, 2_000_950);
    expect(slices()).toMatchObject([{ status: 'active' }]);
    // The close fires and waits for prints as well.
    print(57_400, 0.001, 'sell', 2_001_000);
    expect(slices()[0]?.doneReason).not.toBe('close on trigger');
    expect(core.account('provider')?.holdings.get(BTC)?.lots ?? 0).toBe(0);
  });

  it('has no fair price, and so a mark that is the index and no funding', () => {
    const { core, print } = tapeDesk();
    print(60_100, 1, 'buy', 2_000_900);
    core.advance(2_001_000);
    expect(core.ticker(BTC, 2_001_000)).toMatchObject({ mark: 601_000, index: 601_000, fair: undefined });
    expect(core.ticker(ETH, 2_001_000)).toMatchObject({ mark: undefined, index: undefined });
  });
});
