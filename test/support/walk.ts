/** Backtests of one strategy over made-up prints, in memory. */
import { runBacktest } from '../../src/backtest/backtest.js';
import { sha256 } from '../../src/model/digest.js';
import { seededRandom } from '../../src/model/random.js';
import type { Trade } from '../../src/model/trade.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition } from '../../src/strategy/want.js';

export const START = Date.UTC(2026, 0, 1);
export const HOUR = 3_600_000;
export const CAPITAL = '10000';

/** Three prints a minute for so many days, from midnight on: takers of either side find one within seconds. */
export function walk(days: number, seed = 'result'): readonly Trade[] {
  return [...longWalk(days, 3, seed)];
}

/** As many prints a minute, 58 at most, made anew by every pass over them: more than memory holds. */
export function longWalk(days: number, perMinute: number, seed = 'result'): Iterable<Trade> {
  return {
    *[Symbol.iterator]() {
      const random = seededRandom(seed);
      let ticks = 600_000;
      for (let i = 0; i < days * 1_440 * perMinute; i++) {
        ticks += random.integer(-40, 41);
        yield {
          id: String(i + 1),
          time: START + Math.floor(i / perMinute) * 60_000 + 1_000 + (i % perMinute) * 1_000,
          price: ticks / 10,
          quantity: 5,
          isBuyerMaker: i % 3 === 2,
        };
      }
    },
  };
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
  more: { capital?: string; fill?: 'queue' | 'touch' | 'all'; slippageTicks?: number } = {},
) =>
  runBacktest({
    strategy: bindStrategy(shifts, {}),
    strategyHash: sha256('shifts'),
    recording,
    capital: CAPITAL,
    engineVersion: 'test',
    ...more,
  });
