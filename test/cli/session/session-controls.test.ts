import { expect, it } from 'vitest';
import { paperControls } from '../../../src/cli/session/session-controls.js';
import { Engine } from '../../../src/engine/engine.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { SessionCore } from '../../../src/session/session-core.js';
import { defineStrategy } from '../../../src/strategy/definition.js';
import { bindStrategy } from '../../../src/strategy/instance.js';
import { BTC } from '../../support/markets.js';

it('on paper a fall from the highest equity is halted until somebody resumes, as it is live', () => {
  const strategy = bindStrategy(defineStrategy({ name: 'idle', create: () => ({}) }));
  const core = new SessionCore({
    engine: new Engine({ strategy, market: BTC, seed: '1', warmUp: false }),
    limits: { ...NO_LIMITS, maxDrawdown: 10 },
    warmUp: false,
    funds: 1_000,
    sink: { send: () => undefined },
  });
  const controls = paperControls(core, {} as never, () => undefined);
  const trade = (time: number, price: number) =>
    core.input({
      kind: 'trade',
      trade: { id: String(time), time, price, quantity: 1, isBuyerMaker: false },
      receivedAt: time,
    });
  trade(1, 60_000);
  const terms = { side: 'buy', lots: 10 as Lots, ticks: 600_000 as Ticks, liquidity: 'taker' } as const;
  const fill = { id: '1', orderId: '1', time: 2, ...terms, fee: 0n };
  core.input({ kind: 'report', report: { kind: 'late-fill', intentId: undefined, fill, time: 2 } });
  expect(controls.halts()).toEqual([]);
  // Nothing is held on paper that it does not know.
  expect(controls.booked()).toBe(10);
  // 0.01 at 1 000 less.
  trade(3, 59_000);
  const reason = expect.stringMatching(/reached the \d+ USD of limits\.maxDrawdown$/) as string;
  expect(controls.halts()).toMatchObject([{ level: 'pause', reason, by: 'max-drawdown' }]);
  expect(controls.standing()).toMatchObject({ state: 'HALTED', permission: 'reduce-only' });
  controls.resume('seen', 'anna');
  expect(controls.halts()).toEqual([]);
  expect(controls.standing()).toMatchObject({ state: 'SYNCED', permission: 'all' });
  trade(4, 59_000);
  expect(controls.halts()).toEqual([]);
});
