import type { GateState } from '../../src/gate/gate-state.js';
import { check } from '../../src/gate/gate.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import { Pace } from '../../src/gate/pace.js';
import { RateNumbers } from '../../src/gate/rate-numbers.js';
import { Rejections } from '../../src/gate/rejections.js';
import type { Approved, PlaceCommand, Refusal } from '../../src/model/command.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import type { OrderTerms } from '../../src/model/order.js';

/** Tick 0.5 on a grid of 0.1, lot 0.002 on a grid of 0.001: filters coarser than their grids. */
export const MARKET = defineMarket({
  pair: 'P',
  base: 'B',
  quote: 'USD',
  price: { min: '100', max: '1000', step: '0.5' },
  quantity: { min: '0.004', max: '0.1', step: '0.002' },
  interest: { min: '0.006', max: '0.2', step: '0.002' },
  fees: { maker: '0', taker: '0.001' },
  margin: {
    initial: '0.1',
    maintenance: '0.05',
    initialRiskLimit: '0.000001',
    maintenanceRiskLimit: '0.0000005',
  },
});

export const NOTHING_HELD: GateState['exposure'] = {
  position: 0 as Lots,
  workingBuys: 0 as Lots,
  workingSells: 0 as Lots,
  reducingBuys: 0 as Lots,
  reducingSells: 0 as Lots,
  openOrders: 0,
  reservedUntil: Number.POSITIVE_INFINITY,
};

/** A quiet day: last trade and mark at 500. */
export const CALM: GateState = {
  time: 0,
  permit: undefined,
  exposure: NOTHING_HELD,
  lastTicks: 5_000 as Ticks,
  markPrice: 500,
  liquidationPrice: undefined,
  equity: undefined,
  rates: new RateNumbers(),
  pace: new Pace(NO_LIMITS),
  rejections: new Rejections(undefined),
  day: undefined,
};

/** Buys 0.01 at market, if nothing else is said. */
export function order(terms: Partial<OrderTerms>, intentId = 1): PlaceCommand {
  return {
    kind: 'place',
    intentId,
    pair: 'P',
    want: undefined,
    terms: {
      side: 'buy',
      type: terms.ticks === undefined ? 'market' : 'limit',
      ticks: undefined,
      lots: 10 as Lots,
      timeInForce: 'GTC',
      postOnly: false,
      reduceOnly: false,
      ...terms,
    },
  };
}

export const cancel = {
  kind: 'cancel',
  intentId: 1,
  pair: 'P',
  orderId: 'x',
  want: undefined,
} as unknown as Approved;

export function approved(terms: Partial<OrderTerms>, intentId = 1): Approved<PlaceCommand> {
  return order(terms, intentId) as Approved<PlaceCommand>;
}

export function verdict(
  terms: Partial<OrderTerms>,
  state: Partial<GateState> = {},
  limits: Partial<Limits> = {},
): Approved | Refusal {
  return check(MARKET, { ...NO_LIMITS, ...limits }, { ...CALM, ...state }, order(terms));
}

/** The rule that says no; undefined when none does. */
export function ruleOf(...question: Parameters<typeof verdict>): string | undefined {
  const answer = verdict(...question);
  return answer.kind === 'refusal' ? answer.rule : undefined;
}

export const ticks = (n: number) => n as Ticks;
export const lots = (n: number) => n as Lots;
