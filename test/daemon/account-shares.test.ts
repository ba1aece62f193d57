import { describe, expect, it } from 'vitest';
import { AccountShares, type Holding } from '../../src/daemon/account-shares.js';
import { Engine } from '../../src/engine/engine.js';
import type { DayBaseline } from '../../src/gate/daily-loss.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved, Refusal } from '../../src/model/command.js';
import type { AccountShare } from '../../src/model/event.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket, type Market } from '../../src/model/market.js';
import type { ExecutionReport } from '../../src/model/report.js';
import { SessionCore } from '../../src/session/session-core.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { orders, type Want } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';

const [ETH, SOL, EURO] = (['USD_ETH', 'USD_SOL', 'EUR_ETH'] as const).map((name) =>
  defineMarket({
    pair: `${name}_PERP`,
    base: name.slice(4),
    quote: name.slice(0, 3),
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    fees: { maker: '0.0002', taker: '0.0006' },
  }),
) as [Market, Market, Market];

/** A session whose strategy bids what it is told at the next trade, and what it was told of the others. */
function sessionOn(
  market: Market,
  limits: Partial<Limits>,
  {
    shares,
    funds,
    baseline,
    warmUp = false,
  }: {
    shares: AccountShares;
    funds: number;
    baseline?: DayBaseline | undefined;
    warmUp?: boolean | undefined;
  },
) {
  const refresh = () => shares.refresh();
  let next: Want | undefined;
  let open: readonly string[] = [];
  const sent: Approved[] = [];
  const refusals: Refusal[] = [];
  const told: AccountShare[] = [];
  const blocks: (string | undefined)[] = [];
  let booked: Lots | undefined;
  const definition = defineStrategy({ name: 'scripted', create: () => ({ onTrade: () => next }) });
  const core: SessionCore = new SessionCore({
    engine: new Engine({ strategy: bindStrategy(definition), market, seed: '1', warmUp }),
    limits: { ...NO_LIMITS, ...limits },
    warmUp,
    funds,
    baseline,
    sink: { send: (command) => sent.push(command) },
    observer: {
      input: (_, event) => {
        if (event.kind === 'position') shares.settles(market.pair, event.position.time);
        if (event.kind === 'report' && event.report.kind === 'late-fill') {
          shares.settles(market.pair, event.report.fill.time);
        }
      },
      decision: (_, __, refused) => {
        refusals.push(...refused);
        refresh();
      },
    },
  });
  const fill = (fact: Parameters<typeof fillOf>[1]) => {
    core.input({ kind: 'report', report: fillOf(market, fact) });
    refresh();
  };
  return {
    core,
    sent,
    refusals,
    told,
    blocks,
    openOrders: () => open,
    booked: () => booked,
    noted: () => undefined,
    doubts: () => 0,
    block: (reason: string | undefined) => void blocks.push(reason),
    books(lots: number) {
      booked = lots as Lots;
      refresh();
    },
    becomesLive(time: number) {
      core.input({ kind: 'live', time });
      refresh();
    },
    leaves(orderIds: readonly string[]) {
      open = orderIds;
    },
    /** What is bought at the first price and sold at the second, one lot after the other; the fee is part of it. */
    trip(time: number, [bought, sold]: readonly [number, number], lots: number) {
      for (const [side, price] of [
        ['buy', bought],
        ['sell', sold],
      ] as const) {
        fill({ side, price, lots, time });
      }
    },
    buy: (time: number, price: number, lots: number) => fill({ side: 'buy', time, price, lots }),
    sell: (time: number, price: number, lots: number) => fill({ side: 'sell', time, price, lots }),
    /** The venue says what was paid or received for the position of so many lots. */
    funded(time: number, lots: number, funding: number) {
      const facts = { lots: lots as Lots, averageEntry: 2_500, liquidationPrice: undefined };
      core.input({ kind: 'position', position: { time, ...facts, funding } });
      refresh();
    },
    mark(time: number, markPrice: number) {
      const unknown = { lastPrice: undefined, indexPrice: undefined };
      const noTouch = {
        bidPrice: undefined,
        bidQuantity: undefined,
        askPrice: undefined,
        askQuantity: undefined,
      };
      core.input({ kind: 'ticker', ticker: { time, markPrice, ...unknown, ...noTouch } });
      refresh();
    },
    others(share: AccountShare) {
      told.push(share);
      core.input({ kind: 'others', time: core.engine.now, ...share });
    },
    bid(time: number, price: number, quantity: number) {
      next = orders([{ side: 'buy', price, quantity }]);
      const trade = { id: String(time), time, price, quantity: 1, isBuyerMaker: false };
      core.input({ kind: 'trade', trade, receivedAt: time });
    },
  };
}

type Session = ReturnType<typeof sessionOn>;

/** A fill of no order that the session knows: what counts is what it does to the position. */
function fillOf(
  { pair, priceGrid }: Market,
  { side, price, lots, time }: { side: 'buy' | 'sell'; price: number; lots: number; time: number },
): ExecutionReport {
  const ticks = Math.round(price * priceGrid.scale) as Ticks;
  const id = `${pair}-${time}-${side}-${price}`;
  const fill = {
    id,
    orderId: id,
    time,
    side,
    lots: lots as Lots,
    ticks,
    liquidity: 'taker' as const,
    fee: 0n,
  };
  return { kind: 'late-fill', intentId: undefined, fill, time };
}

/** The pairs of one account, whose cash each session reads when it begins. */
function account(markets: readonly Market[], limits: Partial<Limits>, beginsAnew = false) {
  const seats = markets.map(({ pair }) => ({
    entry: { pair, beginsAnew },
    session: undefined as Session | undefined,
    isRunning: false,
    holding: undefined as Holding | undefined,
    leftOpen: undefined as readonly string[] | undefined,
  }));
  const shares = new AccountShares(() => seats);
  return {
    shares,
    /** A session begins on a pair, with this cash in the account; in the place of the one that ran there. */
    begin: (market: Market, funds: number, baseline?: DayBaseline, asOf = 0): Session => {
      const seat = seats.find(({ entry }) => entry.pair === market.pair)!;
      shares.cashRead(market.pair, asOf);
      seat.session = sessionOn(market, limits, { shares, funds, baseline });
      seat.isRunning = true;
      shares.refresh();
      return seat.session;
    },
    /** The same, and it warms up. */
    starts: (market: Market, funds: number): Session => {
      const seat = seats.find(({ entry }) => entry.pair === market.pair)!;
      shares.cashRead(market.pair, 0);
      seat.session = sessionOn(market, limits, { shares, funds, warmUp: true });
      seat.isRunning = true;
      shares.refresh();
      return seat.session;
    },
    /** The venue was asked what there is on a pair. */
    holds: (market: Market, holding: Holding | undefined): void => {
      seats.find(({ entry }) => entry.pair === market.pair)!.holding = holding;
      shares.refresh();
    },
    /** It is being replaced: nothing runs there. */
    clear: ({ pair }: Market): void => {
      const seat = seats.find(({ entry }) => entry.pair === pair)!;
      seat.session = undefined;
      seat.isRunning = false;
      shares.refresh();
    },
    /** Its strategy threw: what it came to is still to be seen. */
    fail: ({ pair }: Market, leftOpen?: readonly string[]): void => {
      const seat = seats.find(({ entry }) => entry.pair === pair)!;
      seat.isRunning = false;
      seat.leftOpen = leftOpen;
      shares.refresh();
    },
  };
}

function pairOf(limits: Partial<Limits>) {
  const { begin } = account([BTC, ETH], limits);
  return { btc: begin(BTC, 1_000_000), eth: begin(ETH, 1_000_000) };
}

it('one session is refused what another one has used up, in the moment after', () => {
  const { btc, eth } = pairOf({ maxGrossNotional: 1_000 });
  btc.bid(1, 60_000, 0.01);
  expect(btc.sent).toHaveLength(1);
  expect(eth.told).toEqual([{ notional: 600, openOrders: 1, pnl: 0 }]);
  // 0.2 ETH at 2 500 are 500: with the 600 of the other pair that is more than 1 000.
  eth.bid(2, 2_500, 0.2);
  expect(eth.sent).toEqual([]);
  expect(eth.refusals).toMatchObject([{ rule: 'max-gross-notional', asked: '1100', bound: '1000' }]);
  eth.bid(3, 2_500, 0.1);
  expect(eth.sent).toHaveLength(1);
  expect(btc.told.at(-1)).toEqual({ notional: 250, openOrders: 1, pnl: 0 });
});

it('the use of a limit is what the gate goes by, with what the others have', () => {
  const { btc, eth } = pairOf({ maxGrossNotional: 1_000, maxLeverage: 2 });
  btc.mark(1, 60_000);
  btc.bid(1, 60_000, 0.01);
  eth.mark(2, 2_500);
  eth.bid(2, 2_500, 0.1);
  const used = ({ core }: Session) => core.limitUses.map((row) => [row.rule, row.used]);
  for (const session of [btc, eth]) {
    expect(used(session)).toEqual([
      ['max-gross-notional', '850'],
      ['max-leverage', '0.0008'],
    ]);
  }
});

it('open orders are counted over all pairs', () => {
  const { btc, eth } = pairOf({ maxOpenOrders: 1 });
  btc.bid(1, 60_000, 0.01);
  eth.bid(2, 2_500, 0.1);
  expect(eth.refusals).toMatchObject([{ rule: 'max-open-orders', asked: '2', bound: '1' }]);
});

it('what a session is told is told once', () => {
  const { btc, eth } = pairOf({});
  btc.bid(1, 60_000, 0.01);
  btc.bid(2, 60_000, 0.01);
  expect(eth.told).toHaveLength(1);
});

it('a session alone is told nothing', () => {
  const session = account([BTC], {}).begin(BTC, 1_000);
  session.bid(1, 60_000, 0.01);
  expect(session.told).toEqual([]);
});

describe('a session that is replaced', () => {
  const limits = { maxDailyLoss: 1_000, maxDrawdown: 1_000 };

  it('does not count again what the others had earned by then: it is in the cash that it counts from', () => {
    const { begin, clear } = account([BTC, ETH], limits);
    const btc = begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    // 60 earned there, 150 lost here: 9 910 in the account.
    eth.trip(1_000, [2_500, 2_530], 2_000);
    btc.trip(1_001, [60_000, 59_000], 150);
    expect([eth, btc].map(({ core }) => core.risk.share.settled)).toEqual([60, -150]);
    clear(BTC);
    const again = begin(BTC, 9_910, { day: '1970-01-01', equity: '10000', tripped: false });
    again.mark(1_002, 60_000);
    expect(again.told).toEqual([]);
    expect(again.core.risk.day?.loss).toBe(90);
    eth.trip(1_003, [2_500, 2_495], 2_000);
    expect(again.told.at(-1)).toMatchObject({ pnl: -10 });
    expect(again.core.risk.day?.loss).toBe(100);
    expect(again.core.risk.drawdown?.fall).toBe(10);
  });

  it('does not count again what another lost before the cash was read and hears of only after it', () => {
    const { begin, clear } = account([BTC, ETH], limits);
    begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    eth.buy(1_000, 2_500, 2_000);
    clear(BTC);
    // Two ETH were sold at 2 400 at 1 500: the 9 800 that were read at 2 000 have it in them.
    const again = begin(BTC, 9_800, { day: '1970-01-01', equity: '10000', tripped: false }, 2_000);
    again.mark(2_001, 60_000);
    eth.sell(1_500, 2_400, 2_000);
    expect(eth.core.risk.share.settled).toBe(-200);
    expect(again.core.risk.day?.loss).toBe(200);
    eth.trip(2_001, [2_500, 2_475], 2_000);
    expect(again.told.at(-1)).toMatchObject({ pnl: -50 });
    expect(again.core.risk.day?.loss).toBe(250);
  });

  it('counts the funding that another pays after its cash was read, whenever that one traded last', () => {
    const { begin, clear } = account([BTC, ETH], limits);
    begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    eth.buy(1_000, 2_500, 2_000);
    eth.mark(1_001, 2_500);
    eth.funded(1_500, 2_000, -3);
    clear(BTC);
    const again = begin(BTC, 9_997, { day: '1970-01-01', equity: '10000', tripped: false }, 2_000);
    again.mark(2_001, 60_000);
    expect(again.core.risk.day?.loss).toBe(3);
    eth.funded(3_000, 2_000, -8);
    expect(again.told.at(-1)).toMatchObject({ pnl: -5 });
    expect(again.core.risk.day?.loss).toBe(8);
  });

  it('takes nothing from what the others know to be lost', () => {
    const { begin, clear } = account([BTC, ETH], limits);
    const btc = begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    eth.mark(1, 2_500);
    btc.trip(1_000, [60_000, 59_100], 100);
    expect(eth.told.at(-1)).toMatchObject({ pnl: -90 });
    clear(BTC);
    begin(BTC, 9_910).mark(1_001, 59_100);
    expect(eth.told.at(-1)).toMatchObject({ pnl: -90 });
    expect(eth.core.risk.day?.loss).toBe(90);
    expect(eth.core.risk.drawdown?.fall).toBe(90);
  });

  it('on paper takes nothing over: what its open position had lost by then counts for the others from then on', () => {
    const { begin, clear } = account([BTC, ETH], limits, true);
    const btc = begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    eth.mark(1, 2_500);
    btc.trip(1_000, [60_000, 59_900], 100);
    btc.buy(1_001, 60_000, 100);
    btc.mark(1_002, 59_000);
    expect(eth.told.at(-1)).toMatchObject({ pnl: -110 });
    clear(BTC);
    const again = begin(BTC, 10_000);
    expect(eth.told.at(-1)).toEqual({ notional: 0, openOrders: 0, pnl: -110 });
    expect(eth.core.risk.day?.loss).toBe(110);
    again.buy(1_003, 59_000, 100);
    again.mark(1_004, 58_990);
    expect(eth.told.at(-1)).toMatchObject({ pnl: -111 });
    clear(BTC);
    begin(BTC, 10_000);
    expect(eth.told.at(-1)).toMatchObject({ pnl: -111 });
  });

  it('counts with what the one before it held, until it knows that itself', () => {
    const { begin, clear } = account([BTC, ETH], limits);
    const btc = begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    btc.buy(1_000, 60_000, 10);
    btc.mark(1_001, 59_000);
    expect(eth.told.at(-1)).toEqual({ notional: 590, openOrders: 0, pnl: -10 });
    clear(BTC);
    expect(eth.told.at(-1)).toEqual({ notional: 590, openOrders: 0, pnl: -10 });
  });
});

describe('a pair of which nobody knows yet what it holds', () => {
  const limits = { maxGrossNotional: 1_000, maxDailyLoss: 100, maxDrawdown: 8 };
  const UNKNOWN = 'what USD_ETH_PERP holds is not known yet, and it counts towards the limits of the account';

  it('lets no other one add risk or take a measure of the equity, until its session is live', () => {
    const { begin, starts } = account([BTC, ETH], limits);
    const btc = begin(BTC, 10_000);
    expect(btc.blocks).toEqual([UNKNOWN]);
    expect(btc.told).toEqual([{ notional: 0, openOrders: 0, pnl: undefined }]);
    btc.mark(1, 60_000);
    expect([btc.core.risk.day?.isKnown, btc.core.risk.drawdown?.isKnown]).toEqual([false, false]);
    const eth = starts(ETH, 10_000);
    eth.mark(1, 2_500);
    expect(btc.blocks).toEqual([UNKNOWN]);
    eth.becomesLive(2);
    expect(btc.blocks).toEqual([UNKNOWN, undefined]);
    btc.mark(3, 60_000);
    expect([btc.core.risk.day?.isKnown, btc.core.risk.drawdown?.isKnown]).toEqual([true, true]);
    expect(eth.blocks).toEqual([]);
  });

  it('lets no other one add risk while it holds something whose price it has not heard of yet', () => {
    const { begin, starts } = account([BTC, ETH], limits);
    const btc = begin(BTC, 10_000);
    const eth = starts(ETH, 10_000);
    // A quiet market: no trade in the warm-up, and the ticker comes later.
    eth.funded(1, -2_000, 0);
    eth.becomesLive(2);
    btc.mark(3, 60_000);
    expect(btc.told).toEqual([{ notional: 0, openOrders: 0, pnl: undefined }]);
    expect(btc.blocks.at(-1)).toMatch(/^what USD_ETH_PERP holds is not known yet/);
    eth.mark(4, 2_503);
    expect(btc.told.at(-1)).toEqual({ notional: 5_006, openOrders: 0, pnl: -6 });
    expect(btc.blocks.at(-1)).toBeUndefined();
    btc.mark(5, 60_000);
    expect(btc.core.risk.drawdown).toMatchObject({ tripped: false, fall: 0 });
  });

  it('holds nothing where its books say so, whatever became of its strategy', () => {
    const { begin, starts, fail } = account([BTC, ETH], limits);
    const btc = begin(BTC, 10_000);
    const eth = starts(ETH, 10_000);
    fail(ETH);
    expect(btc.blocks).toEqual([UNKNOWN]);
    eth.leaves(['17']);
    eth.books(0);
    expect(btc.blocks).toEqual([UNKNOWN]);
    eth.leaves([]);
    eth.books(0);
    expect(btc.blocks).toEqual([UNKNOWN, undefined]);
    eth.books(5);
    expect(btc.blocks.at(-1)).toBe(UNKNOWN);
  });

  it('counts with what the venue says of it, while no session of it is live', () => {
    const { begin, starts, holds, fail } = account([BTC, ETH], limits);
    const btc = begin(BTC, 10_000);
    const eth = starts(ETH, 10_000);
    eth.books(18_000);
    fail(ETH);
    holds(ETH, { quote: 'USD', notional: 900, openOrders: 2, open: -14.8, mark: 2_500 });
    expect(btc.blocks).toEqual([UNKNOWN, undefined]);
    expect(btc.told.at(-1)).toEqual({ notional: 900, openOrders: 2, pnl: -14.8 });
    btc.bid(1, 60_000, 0.01);
    expect(btc.refusals).toMatchObject([{ rule: 'max-gross-notional', asked: '1500' }]);
    holds(ETH, undefined);
    expect(btc.blocks.at(-1)).toBe(UNKNOWN);
  });

  it('is counted with what its session last knew and its newest mark, where it was stopped', () => {
    const { begin, holds, fail } = account([BTC, ETH], {});
    const btc = begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    eth.buy(1, 2_500, 100);
    eth.mark(2, 2_600);
    fail(ETH);
    expect(btc.told.at(-1)).toMatchObject({ notional: 260, pnl: 10 });
    holds(ETH, { quote: 'USD', notional: 240, openOrders: 0, open: -10, mark: 2_400 });
    expect(btc.told.at(-1)).toMatchObject({ notional: 240, pnl: -10 });
    // Closed by hand, on a market without a price.
    holds(ETH, { quote: 'USD', notional: 0, openOrders: 0, open: 0, mark: undefined });
    expect(btc.told.at(-1)).toMatchObject({ notional: 0, pnl: 10 });
  });
});

it('what one decides because it is told reaches also those that were told before it', () => {
  const { begin, starts } = account([BTC, ETH, SOL], { maxGrossNotional: 1_000 });
  const btc = begin(BTC, 10_000);
  const eth = begin(ETH, 10_000);
  const sol = starts(SOL, 10_000);
  eth.block = (reason) => {
    if (reason === undefined) eth.bid(1, 2_500, 0.2);
  };
  sol.becomesLive(2);
  expect(eth.sent).toHaveLength(1);
  expect(btc.told.at(-1)).toMatchObject({ notional: 500, openOrders: 1 });
  btc.bid(3, 60_000, 0.01);
  expect(btc.refusals).toMatchObject([{ rule: 'max-gross-notional', asked: '1100', bound: '1000' }]);
});

it('what a strategy that failed still holds counts towards the limits of the others', () => {
  const { begin, fail } = account([BTC, ETH, SOL], { maxGrossNotional: 1_000 });
  const btc = begin(BTC, 10_000);
  const [eth, sol] = [begin(ETH, 10_000), begin(SOL, 10_000)];
  btc.buy(1_000, 60_000, 15);
  btc.mark(1_001, 60_000);
  btc.leaves(['left at the venue']);
  fail(BTC);
  for (const other of [eth, sol]) expect(other.told.at(-1)).toMatchObject({ notional: 900, openOrders: 1 });
  eth.bid(1_002, 2_500, 0.1);
  expect(eth.refusals).toMatchObject([{ rule: 'max-gross-notional', asked: '1150', bound: '1000' }]);
});

describe('a limit of the account that one session has reached', () => {
  const DAY = 86_400_000;

  /** On BTC 1 000 of 10 000 are lost, which is the limit; the other pair, whose strategy threw before, begins anew only then. */
  function afterThat(limits: Partial<Limits>, other = ETH) {
    const { shares, begin, clear, fail } = account([BTC, other], limits);
    begin(other, 10_000);
    fail(other);
    const btc = begin(BTC, 10_000);
    btc.mark(1, 60_000);
    btc.trip(1_000, [60_000, 50_000], 100);
    const late = (baseline?: DayBaseline) => {
      const session = begin(other, 9_000, baseline, 2_000);
      session.mark(2_001, 2_500);
      return session;
    };
    return { shares, btc, late, clear, fail };
  }

  it('holds back the one that begins after it until the day is over, as it holds back the others', () => {
    const { late } = afterThat({ maxDailyLoss: 1_000 });
    for (const baseline of [undefined, { day: '1970-01-01', equity: '9100', tripped: false }]) {
      const eth = late(baseline);
      eth.bid(2_002, 2_500, 0.1);
      expect(eth.sent).toEqual([]);
      expect(eth.refusals).toMatchObject([
        { rule: 'max-daily-loss', asked: '1000', bound: '1000', until: DAY },
      ]);
      eth.bid(DAY, 2_500, 0.1);
      expect(eth.sent).toHaveLength(1);
    }
  });

  it('holds it back also when the one that lost has ended', () => {
    const { late, fail, clear } = afterThat({ maxDailyLoss: 1_000, maxDrawdown: 1_000 });
    for (const end of [fail, clear]) {
      end(BTC);
      const session = late();
      session.bid(2_002, 2_500, 0.1);
      expect(session.refusals).toMatchObject([{ rule: 'max-daily-loss' }]);
      session.bid(DAY, 2_500, 0.1);
      expect(session.refusals.at(-1)).toMatchObject({ rule: 'max-drawdown', asked: '1000' });
      expect(session.sent).toEqual([]);
    }
  });

  it('holds back nothing on the next day, whose first event the one that lost has not had yet', () => {
    const { late } = afterThat({ maxDailyLoss: 1_000 });
    for (const after of [0, 1]) {
      const eth = late();
      eth.mark(DAY + after, 2_500);
      eth.bid(DAY + 2, 2_500, 0.1);
      expect(eth.sent).toHaveLength(1);
    }
  });

  it('holds back one whose equity only came near the limit', () => {
    const { begin, shares } = account([BTC, ETH], { maxDailyLoss: 1_000 });
    const [btc, eth] = [begin(BTC, 10_000), begin(ETH, 10_000)];
    btc.buy(1_000, 60_000, 100);
    eth.mark(1_001, 2_500);
    // There and back before the other one is told.
    for (const [time, price] of [
      [1_002, 50_000],
      [1_003, 60_000],
    ] as const) {
      const trade = { id: String(time), time, price, quantity: 1, isBuyerMaker: false };
      btc.core.input({ kind: 'trade', trade, receivedAt: time });
    }
    shares.refresh();
    eth.bid(1_004, 2_500, 0.1);
    expect(eth.refusals).toMatchObject([{ rule: 'max-daily-loss' }]);
  });

  it('is no concern of a pair in another asset', () => {
    const { late } = afterThat({ maxDailyLoss: 1_000, maxDrawdown: 1_000 }, EURO);
    const euro = late();
    euro.bid(2_002, 2_500, 0.1);
    expect(euro.sent).toHaveLength(1);
  });

  it('stays with its pair, where its session had ended before the resume and the next one still remembers it', () => {
    const { begin, fail, shares } = account([BTC, ETH], { maxDrawdown: 1_000 });
    const fallen = { day: '1970-01-01', equity: '9000', tripped: false };
    const memory = { peak: '10000', fell: true, losses: 0, pausedUntil: 0 };
    const eth = begin(ETH, 9_000);
    eth.mark(1, 2_500);
    begin(BTC, 9_000, { ...fallen, memory });
    fail(BTC);
    eth.bid(2, 2_500, 0.1);
    expect(eth.refusals).toMatchObject([{ rule: 'max-drawdown' }]);
    shares.resumed();
    eth.core.input({ kind: 'resumed', time: 3 });
    const btc = begin(BTC, 9_000, { ...fallen, memory });
    btc.bid(4, 60_000, 0.01);
    expect(btc.refusals).toMatchObject([{ rule: 'max-drawdown' }]);
    expect(eth.core.risk.drawdown?.tripped).toBe(false);
  });

  it('is over for all of them with the resume, where it is the fall from the highest', () => {
    const { shares, btc, late } = afterThat({ maxDrawdown: 1_000 });
    const eth = late();
    eth.bid(2_002, 2_500, 0.1);
    expect(eth.refusals).toMatchObject([{ rule: 'max-drawdown', asked: '1000', bound: '1000' }]);
    shares.resumed();
    for (const { core } of [btc, eth]) {
      core.input({ kind: 'resumed', time: 2_003 });
      // The one that is resumed first is told before the other one is resumed.
      btc.trip(2_003, [60_000, 59_990], 10);
    }
    for (const [session, price] of [
      [eth, 2_500],
      [btc, 60_000],
      [late(), 2_500],
    ] as const) {
      session.bid(2_004, price, 0.01);
      expect(session.sent).not.toEqual([]);
    }
    // And is reached anew, 1 000 below where it was resumed.
    btc.trip(3_000, [60_000, 50_000], 100);
    eth.bid(3_001, 2_600, 0.1);
    expect(eth.refusals.at(-1)).toMatchObject({ rule: 'max-drawdown' });
  });

  it('counts with the orders that are left of it, whatever its books say of them', () => {
    const { begin, fail } = account([BTC, ETH], {});
    const btc = begin(BTC, 10_000);
    const eth = begin(ETH, 10_000);
    eth.leaves(['17', '18']);
    fail(ETH);
    expect(btc.told.at(-1)).toMatchObject({ openOrders: 2 });
    fail(ETH, ['18']);
    expect(btc.told.at(-1)).toMatchObject({ openOrders: 1 });
    fail(ETH, []);
    expect(btc.told.at(-1)).toMatchObject({ openOrders: 0 });
  });
});
