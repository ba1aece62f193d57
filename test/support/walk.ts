/** Backtests of one strategy over made-up prints, in memory. */
import { runBacktest } from '../../src/backtest/backtest.js';
import { sha256 } from '../../src/model/digest.js';
import { seededRandom } from '../../src/model/random.js';
import type { Trade } from '../../src/model/trade.js';
import type { Recording } from '../../src/storage/recording.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition } from '../../src/strategy/want.js';

export const START = Date.UTC(2026, 0, 1);
export const HOUR = 3_600_000;
export const CAPITAL = '10000';

/** Three prints a minute for so many days, from midnight on: takers of either side find one within seconds. */
export function walk(days: number, seed = 'result'): readonly Trade[] {
  const random = seededRandom(seed);
  let ticks = 600_000;
  return Array.from({ length: days * 4_320 }, (_, i) => {
    ticks += random.integer(-40, 41);
    return {
      id: String(i + 1),
      time: START + Math.floor(i / 3) * 60_000 + 1_000 + (i % 3) * 1_000,
      price: ticks / 10,
      quantity: 5,
      isBuyerMaker: i % 3 === 2,
    };
  });
}

/** Long for seven hours, then flat for five, for ever. */
export const shifts = defineStrategy({
  name: 'shifts',
  create: () => {
    let prints = 0;
    return {
      onTrade() {
        prints++;
        if (prints % 2_160 === 1) return holdPosition('0.05');
        return prints % 2_160 === 1_261 ? flat() : undefined;
      },
    };
  },
});

export const run = (
  recording: Recording,
  more: { capital?: string; fill?: 'queue' | 'all'; slippageTicks?: number } = {},
) =>
  runBacktest({
    strategy: bindStrategy(shifts, {}),
    strategyHash: sha256('shifts'),
    recording,
    capital: CAPITAL,
    engineVersion: 'test',
    ...more,
  });
