import { describe, expect, it } from 'vitest';
import { TapeSession } from '../../src/backtest/tape-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { nodeFiles } from '../../src/platform/files.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { type BoundStrategy, bindStrategy } from '../../src/strategy/instance.js';
import { FILL_MODELS } from '../../src/venue/tape/fill-model.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import marketMaker from '../../strategies/market-maker.js';
import smaCross from '../../strategies/sma-cross.js';
import { expectModelOrder, ModelLog } from '../support/model-order.js';

const strategies: readonly (readonly [string, () => BoundStrategy])[] = [
  ['sma-cross', () => bindStrategy(smaCross, { bars: '5s' })],
  ['market-maker', () => bindStrategy(marketMaker)],
];

describe('all fill models over the sample that ships', () => {
  it.each(
    strategies,
  )('%s decides the same until fills differ, and has no less there in the more optimistic one', async (_, bound) => {
    const recording = await openRecording(nodeFiles, ['backtest/sample']);
    const { market, gaps } = recording;
    const runs = FILL_MODELS.map((model) => {
      const log: ModelLog = new ModelLog(() => session.core.counts.trades);
      const session = new TapeSession({
        engine: new Engine({ strategy: bound(), market, seed: '1', warmUp: false }),
        venue: new TapeVenue({ market, deposit: '100000', slippageTicks: 1, model }),
        limits: NO_LIMITS,
        capital: 100_000,
        gaps,
        onFill: log.onFill,
        observer: log.observer,
      });
      return { session, log };
    });
    for await (const chunk of recording.chunks()) for (const { session } of runs) session.run(chunk);
    for (const { session } of runs) session.end();
    expect(runs.every(({ log }) => log.fills.length > 0)).toBe(true);
    // A tick of slippage tells every pair of them apart.
    expect(expectModelOrder(runs.map(({ log }) => log))).toBe(2);
  });
});
