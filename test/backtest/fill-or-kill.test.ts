import { expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import type { Fill } from '../../src/model/fill.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, orders } from '../../src/strategy/want.js';
import { FILL_MODELS } from '../../src/venue/tape/fill-model.js';
import { inMemory } from '../support/in-memory-recording.js';
import { START } from '../support/walk.js';

/** A seller's print every 100 ms, 1 USD higher each. */
const rising = Array.from({ length: 200 }, (_, at) => ({
  id: String(at + 1),
  time: START + at * 100,
  price: 60_000 + at,
  quantity: 5,
  isBuyerMaker: true,
}));

/** Sells at the first print, and takes it back three seconds later if it can. */
const regretful = defineStrategy({
  name: 'regretful',
  create: () => {
    let seen = 0;
    return {
      onTrade() {
        seen++;
        if (seen === 1) return orders([{ side: 'sell', quantity: '0.002', timeInForce: 'FOK' }]);
        return seen === 31 ? flat() : undefined;
      },
    };
  },
});

it.each(
  FILL_MODELS,
)('a fill-or-kill order that a print covers fills with it, and cannot be taken back: $name', async ({
  name,
}) => {
  const fills: Fill[] = [];
  await runBacktest({
    strategy: bindStrategy(regretful, {}),
    strategyHash: '',
    recording: inMemory(rising),
    fill: name,
    capital: '100000',
    engineVersion: 'test',
    onFill: (fill) => fills.push(fill),
  });
  // All of it, at the print after the one that it was sent at; what comes at the 31st closes it.
  expect(fills[0]).toMatchObject({ time: START + 100, side: 'sell', lots: 2 });
});
