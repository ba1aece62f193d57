/** What a session makes of a want that stands, through what happens meanwhile. */
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Limits } from '../../src/gate/limits.js';
import type { PlaceCommand, Refusal } from '../../src/model/command.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { Market } from '../../src/model/market.js';
import type { ExecutionReport } from '../../src/model/report.js';
import { SessionCore } from '../../src/session/session-core.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import { words } from '../support/desk.js';
import { BTC } from '../support/markets.js';
import { NO_PRICES } from '../support/no-prices.js';

const HOUR_MS = 3_600_000;

function session(
  begin: Want,
  { limits, market = BTC, maxBareMs }: { limits?: Partial<Limits>; market?: Market; maxBareMs?: number } = {},
) {
  let want = begin;
  const handlers = { onTrade: () => want, onTicker: () => want };
  const strategy = bindStrategy(defineStrategy({ name: 'scripted', create: () => handlers }));
  const engine = new Engine({ strategy, market, seed: '1', warmUp: false });
  const sent: PlaceCommand[] = [];
  const refused: Refusal[] = [];
  const core = new SessionCore({
    engine,
    limits: { ...NO_LIMITS, ...limits, ...(maxBareMs === undefined ? {} : { maxBareMs }) },
    warmUp: false,
    sink: { send: (command) => command.kind === 'place' && sent.push(command) },
    funds: 1e9,
    observer: { decision: (_input, _commands, refusals) => refused.push(...refusals) },
  });
  let fills = 0;
  const report = (of: ExecutionReport) => core.input({ kind: 'report', report: of });
  return {
    core,
    engine,
    sent,
    refused,
    report,
    want: (next: Want) => (want = next),
    trade: (time: number, price: number) =>
      core.input({
        kind: 'trade',
        trade: { id: String(time), time, price, quantity: 0.01, isBuyerMaker: false },
        receivedAt: time,
      }),
    ticker: (time: number, price: number) =>
      core.input({ kind: 'ticker', ticker: { ...NO_PRICES, time, lastPrice: price, markPrice: price } }),
    accept: (intentId: number, time: number) =>
      report({ kind: 'accepted', intentId, orderId: `o${intentId}`, time }),
    cancel: (intentId: number, time: number) =>
      report({ kind: 'canceled', intentId, orderId: `o${intentId}`, reason: 'canceled', time }),
    fill: (intentId: number, lots: number, time: number) => {
      const terms = sent.find((each) => each.intentId === intentId)?.terms;
      if (terms === undefined) throw new Error(`order ${intentId} must have been sent`);
      const fill = {
        id: `f${++fills}`,
        orderId: `o${intentId}`,
        time,
        side: terms.side,
        lots: lots as Lots,
        ticks: terms.ticks ?? (550_000 as Ticks),
        liquidity: 'maker',
        fee: 0n,
      } as const;
      report({ kind: 'filled', intentId, time, fill });
    },
  };
}

const LIMIT = 10 as Lots;

describe('the largest position', () => {
  const turning = { side: 'buy', quantity: '0.02', price: '54000' } as const;
  const reducing = { side: 'buy', quantity: '0.01', price: '54500', reduceOnly: true } as const;

  it.each([
    ['before', [reducing, turning]],
    ['after', [turning, reducing]],
  ] as const)('is not passed by an order that turns the position, and a reduce-only one placed %s it', (_, both) => {
    const { core, engine, sent, refused, trade, accept, fill, want } = session(holdPosition('-0.01'), {
      limits: { maxPosition: LIMIT },
    });
    trade(1, 55_000);
    accept(1, 2);
    fill(1, 10, 3);
    want(orders([...both]));
    trade(4, 55_000);
    expect(refused.map(({ rule }) => rule)).toEqual(['max-position']);
    const [, only] = sent;
    expect(only?.terms).toMatchObject({ reduceOnly: true });
    accept(only?.intentId as number, 5);
    fill(only?.intentId as number, 10, 6);
    expect(engine.position.lots).toBe(0);
    expect(core.limitUses).toMatchObject([{ rule: 'max-position', bound: '0.01' }]);
  });

  it('lets an order through that turns the position by no more than that', () => {
    const { refused, sent, trade, accept, fill, want } = session(holdPosition('-0.01'), {
      limits: { maxPosition: LIMIT },
    });
    trade(1, 55_000);
    accept(1, 2);
    fill(1, 10, 3);
    want(orders([{ side: 'buy', quantity: '0.01', price: '54000' }]));
    trade(4, 55_000);
    expect(refused).toEqual([]);
    expect(sent).toHaveLength(2);
  });
});

describe('what the gate refused of a want that stands', () => {
  it('is asked for again as a partial fill makes room for it', () => {
    const wanted = orders([
      { side: 'sell', quantity: '0.01', price: '60000' },
      { side: 'buy', quantity: '0.008', price: '50000' },
      { side: 'sell', quantity: '0.002', price: '61000' },
    ]);
    const { refused, sent, trade, accept, fill } = session(wanted, { limits: { maxPosition: LIMIT } });
    trade(1, 55_000);
    expect(refused.map(({ rule }) => rule)).toEqual(['max-position']);
    accept(1, 2);
    accept(2, 2);
    fill(1, 10, 3);
    trade(4, 55_000);
    expect(sent).toHaveLength(2);
    fill(2, 4, 5);
    trade(6, 55_000);
    expect(sent.at(-1)?.terms).toMatchObject({ side: 'sell', lots: 2 });
    expect(sent).toHaveLength(3);
  });

  it('is asked for again as the market becomes active', () => {
    const { engine, refused, sent, trade } = session(holdPosition('0.01'), {
      market: { ...BTC, active: false },
    });
    trade(1, 55_000);
    expect(refused.map(({ rule }) => rule)).toEqual(['market-inactive']);
    engine.turnMarket(BTC);
    trade(2, 55_000);
    expect(words(sent)).toEqual(['buy 10 market']);
  });
});

describe('a trade that shows late', () => {
  it('does not hit a stop that was not wanted yet when it was printed', () => {
    const { engine, sent, trade, ticker, accept, fill, cancel, want } = session(
      holdPosition('0.01', { stop: '53000' }),
    );
    trade(1_000, 55_000);
    accept(1, 1_001);
    fill(1, 10, 1_002);
    accept(2, 1_003);
    trade(58_000, 54_600);
    want(holdPosition('0.01', { stop: '54500' }));
    ticker(60_400, 55_000);
    accept(3, 60_450);
    cancel(2, 60_460);
    trade(59_000, 54_400);
    for (let time = 60_500; time < 90_000; time += 1_000) trade(time, 55_000);
    expect(engine.isStoppedOut).toBe(false);
    expect(sent).toHaveLength(3);
    // What is printed since then does.
    trade(90_000, 54_400);
    expect(engine.isStoppedOut).toBe(true);
  });
});

describe('a position that is larger than the largest order', () => {
  const { filters } = BTC;
  const SMALL = { ...BTC, filters: { ...filters, quantity: { ...filters.quantity, max: 100 as Lots } } };
  const bid = { price: '54900', quantity: '0.1' };

  function holding150() {
    const all = session(quote({ bid }), { market: SMALL });
    all.trade(1, 55_000);
    all.accept(1, 2);
    all.fill(1, 100, 3);
    all.trade(4, 55_000);
    all.accept(2, 5);
    all.fill(2, 50, 6);
    return all;
  }

  it('is left in as many orders as it takes', () => {
    const { engine, refused, sent, trade, accept, fill, cancel, want } = holding150();
    want(flat());
    trade(7, 54_000);
    cancel(2, 8);
    const exit = () => sent.at(-1);
    expect(exit()?.terms).toMatchObject({ side: 'sell', type: 'market', lots: 100, reduceOnly: true });
    accept(3, 9);
    fill(3, 30, 10);
    expect(sent).toHaveLength(3);
    fill(3, 70, 11);
    expect(exit()).toMatchObject({ intentId: 4, terms: { lots: 50, reduceOnly: true } });
    fill(4, 50, 12);
    for (let time = 13; time < HOUR_MS; time += 60_000) trade(time, 54_000);
    expect(engine.position.lots).toBe(0);
    expect(refused).toEqual([]);
    expect(sent).toHaveLength(4);
  });

  it('has a stop as large as an order may be', () => {
    const { sent, trade, cancel, refused, want } = holding150();
    want(holdPosition('0.15', { stop: '53000' }));
    trade(7, 54_000);
    cancel(2, 8);
    expect(refused).toEqual([]);
    expect(sent.at(-1)?.terms).toMatchObject({
      side: 'sell',
      lots: 100,
      reduceOnly: true,
      trigger: { ticks: 530_000 },
    });
  });
});
