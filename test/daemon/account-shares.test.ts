import { expect, it } from 'vitest';
import { AccountShares } from '../../src/daemon/account-shares.js';
import { Engine } from '../../src/engine/engine.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved, Refusal } from '../../src/model/command.js';
import type { AccountShare } from '../../src/model/event.js';
import { defineMarket, type Market } from '../../src/model/market.js';
import { SessionCore } from '../../src/session/session-core.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { orders, type Want } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';

const ETH = defineMarket({
  pair: 'USD_ETH_PERP',
  base: 'ETH',
  quote: 'USD',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006' },
});

/** A session whose strategy bids what it is told at the next trade, and what it was told of the others. */
function sessionOn(market: Market, limits: Partial<Limits>, refresh: () => void) {
  let next: Want | undefined;
  const sent: Approved[] = [];
  const refusals: Refusal[] = [];
  const told: AccountShare[] = [];
  const definition = defineStrategy({ name: 'scripted', create: () => ({ onTrade: () => next }) });
  const core: SessionCore = new SessionCore({
    engine: new Engine({ strategy: bindStrategy(definition), market, seed: '1', warmUp: false }),
    limits: { ...NO_LIMITS, ...limits },
    warmUp: false,
    funds: 1_000_000,
    sink: { send: (command) => sent.push(command) },
    observer: {
      decision: (_, __, refused) => {
        refusals.push(...refused);
        refresh();
      },
    },
  });
  return {
    core,
    sent,
    refusals,
    told,
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

function pairOf(limits: Partial<Limits>) {
  const sessions: ReturnType<typeof sessionOn>[] = [];
  const shares = new AccountShares(() => sessions);
  for (const market of [BTC, ETH]) sessions.push(sessionOn(market, limits, () => shares.refresh()));
  const [btc, eth] = sessions as [ReturnType<typeof sessionOn>, ReturnType<typeof sessionOn>];
  return { btc, eth };
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
  const sessions: ReturnType<typeof sessionOn>[] = [];
  const shares = new AccountShares(() => sessions);
  sessions.push(sessionOn(BTC, {}, () => shares.refresh()));
  sessions[0]?.bid(1, 60_000, 0.01);
  expect(sessions[0]?.told).toEqual([]);
});
