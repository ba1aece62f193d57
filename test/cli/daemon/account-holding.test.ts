import { expect, it } from 'vitest';
import { holdingReader } from '../../../src/cli/daemon/account-holding.js';
import type { Machine } from '../../../src/cli/machine.js';
import type { Settings } from '../../../src/cli/settings/settings.js';
import type { StrategyConfig } from '../../../src/config/load-config.js';
import { tickwright } from '../../../src/client/profile.js';
import { VirtualTime } from '../../support/virtual-time.js';

it('looks of all pairs together take a tenth of what the venue allows', async () => {
  const time = new VirtualTime();
  const looks: [number, string][] = [];
  const held = holdingReader(
    {
      machine: time as unknown as Machine,
      idle: time.timers,
      settings: {} as Settings,
      venue: {
        url: 'http://127.0.0.1:1',
        profile: { ...tickwright, budget: { perSecond: 2, burst: 4 } },
        credentials: { apiKey: 'k', apiSecret: 's' },
      },
    },
    (_, { pair }) => {
      looks.push([time.now, pair]);
      return Promise.resolve({ quote: 'USD', notional: 0, openOrders: 0, open: 0, mark: undefined });
    },
  );
  const configOf = (pair: string) => ({ pair }) as StrategyConfig;
  void held(configOf('A'));
  void held(configOf('B'));
  await time.advance(60_000);
  void held(configOf('A'));
  await time.advance(0);
  // Four requests each, at 0.2 a second.
  expect(looks).toEqual([
    [0, 'A'],
    [20_000, 'B'],
    [60_000, 'A'],
  ]);
});
