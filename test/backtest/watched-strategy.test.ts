import { expect, it } from 'vitest';
import { watched } from '../../src/backtest/watched-strategy.js';
import { Engine } from '../../src/engine/engine.js';
import { defineStrategy, type Handlers } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition } from '../../src/strategy/want.js';
import { trade } from '../support/desk.js';
import { BTC } from '../support/markets.js';

it('a watched strategy may replace its handlers as any other, and what the new ones say is heard', () => {
  const strategy = bindStrategy(
    defineStrategy({
      name: 'turns',
      create: () => {
        const handlers: Handlers = {
          onTrade() {
            handlers.onTrade = () => flat();
            return holdPosition('0.01');
          },
        };
        return handlers;
      },
    }),
  );
  const { strategy: seen, witnesses } = watched(strategy);
  const wants = [strategy, seen].map((each) => {
    const engine = new Engine({ strategy: each, market: BTC, seed: '1', warmUp: false });
    for (const time of [1, 2]) engine.trade(trade(time, 60_000));
    return engine.wantsHash();
  });
  expect(wants[1]).toBe(wants[0]);
  expect(witnesses[0]?.answers.map(({ said }) => said)).toEqual([
    JSON.stringify([holdPosition('0.01')]),
    JSON.stringify([flat()]),
  ]);
});
