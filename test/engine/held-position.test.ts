import { expect, test } from 'vitest';
import { HeldPosition } from '../../src/engine/held-position.js';
import type { PositionSnapshot } from '../../src/model/event.js';
import type { Fill } from '../../src/model/fill.js';
import { type Lots, stepsNear, type Ticks } from '../../src/model/grid.js';
import { moneyOf } from '../../src/model/money.js';
import { settled } from '../../src/model/position.js';
import { BTC } from '../support/markets.js';

const money = (text: string) => moneyOf(text, BTC.quotePrecision);
const shown = (lots: number, averageEntry: number, funding = 0): PositionSnapshot => ({
  time: 1,
  lots: lots as Lots,
  averageEntry,
  liquidationPrice: undefined,
  funding,
});
const SOLD: Fill = {
  id: '1',
  orderId: '7',
  time: 2,
  side: 'sell',
  lots: 10 as Lots,
  ticks: stepsNear(BTC.priceGrid, 58_000) as Ticks,
  liquidity: 'taker',
  fee: money('0.3'),
};
/** 10 lots in base units, times the fall from 60 000 to 58 000. */
const LOSS = (10 / BTC.quantityGrid.scale) * 2_000;

test('what was realised since the first position that was taken over stays when a later one is', () => {
  const held = new HeldPosition();
  held.adopt(shown(10, 60_000), BTC);
  held.fill(SOLD, BTC);
  held.adopt(shown(0, 0), BTC);
  expect(held.now.lots).toBe(0);
  expect(settled(held.now)).toBe(money(String(-LOSS - 0.3)));
});

test('funding counts from the first position that was taken over', () => {
  const held = new HeldPosition();
  held.adopt(shown(10, 60_000, -5), BTC);
  expect(held.now.funding).toBe(0n);
  held.adopt(shown(10, 60_000, -7), BTC);
  held.fund(shown(10, 60_000, -8), BTC);
  expect(held.now.funding).toBe(money('-3'));
  expect(held.now.lots).toBe(10);
});
