import { expect, test } from 'vitest';
import { diffJson, diffText } from '../../../src/cli/view/replay-diff-view.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { termsOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';

type Diff = Parameters<typeof diffText>[0];

test('shows where a stop waits, so that a moved one is told from the one before and from an order at market', () => {
  const stopAt = (ticks: number) => ({
    places: [
      termsOf({
        type: 'market',
        ticks: undefined,
        timeInForce: 'IOC',
        side: 'sell',
        lots: 20 as Lots,
        postOnly: false,
        reduceOnly: true,
        trigger: { ticks: ticks as Ticks, event: 'last' },
      }),
    ],
    cancels: [],
    refusals: [],
  });
  const counts = { orders: 1, cancels: 0, refusals: 0, buys: 0, sells: 20 };
  const [unchanged, changed] = [stopAt(590_000), stopAt(580_000)];
  const diff = {
    market: BTC,
    inputs: 1,
    differing: 1,
    differences: [{ input: 1, event: 'trade', time: 0, unchanged, changed }],
    recorded: { ...counts, cancels: 7 },
    unchanged: counts,
    changed: counts,
    strategy: { name: 'stopped', sha256: 'a'.repeat(64) },
    params: [],
    recordedSession: { session: 's1', engine: '1' },
    end: 'orderly',
  } as unknown as Diff;
  const text = diffText(diff);
  expect(text).toContain('  unchanged  sell 0.02 at market reduce-only, when the last price reaches 59000\n');
  expect(text).toContain('  changed    sell 0.02 at market reduce-only, when the last price reaches 58000\n');
  expect(text).toMatch(/^cancels +7 +0 +0$/m);
  expect(diffJson(diff)).toMatchObject({
    recorded: { cancels: 7 },
    unchanged: { cancels: 0 },
    firstDifference: { changed: ['sell 0.02 at market reduce-only, when the last price reaches 58000'] },
  });
});
