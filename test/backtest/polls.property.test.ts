/** What a strategy wants that reads only bars does not depend on when it is told of them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pollsEvery, type PollSchedule } from '../../src/backtest/poll-schedule.js';
import { tapeSession } from '../../src/backtest/polled-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Trade, TradeGap } from '../../src/model/trade.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { flat, holdPosition } from '../../src/strategy/want.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import { BTC } from '../support/markets.js';
import { gapsOf, tapes } from './scripted.js';

/** Flat after a bar of which something may be missing. */
const careful = defineStrategy({
  name: 'careful',
  params: { bars: barInterval({ default: '1s' }) },
  create: () => ({
    onBar: ({ openTime, complete }) =>
      complete ? holdPosition((1 + ((openTime / 1_000) % 7)) / 1_000) : flat(),
  }),
});

function wants(tape: readonly Trade[], gaps: readonly TradeGap[], polls?: PollSchedule) {
  const { engine, session } = parts(gaps, polls);
  for (let from = 0; from < tape.length; from += 17)
    session.run(TradeColumns.of(tape.slice(from, from + 17)));
  session.end();
  return engine.wantsHash();
}

function parts(gaps: readonly TradeGap[], polls: PollSchedule | undefined) {
  const engine = new Engine({ strategy: bindStrategy(careful), market: BTC, seed: '1', warmUp: false });
  const venue = new TapeVenue({ market: BTC, deposit: '100000' });
  return {
    engine,
    session: tapeSession({ engine, venue, limits: NO_LIMITS, capital: 100_000, gaps, polls }),
  };
}

const taped = tapes.chain((tape) => fc.record({ tape: fc.constant(tape), gaps: gapsOf(tape) }));

it('is the same streamed and polled, however often, and with whatever gaps', () => {
  let gapped = 0;
  fc.assert(
    fc.property(taped, fc.constantFrom(1, 40, 100, 1_000, 5_000), ({ tape, gaps }, interval) => {
      const streamed = wants(tape, gaps);
      expect(wants(tape, gaps, pollsEvery(interval))).toBe(streamed);
      if (wants(tape, []) !== streamed) gapped++;
    }),
    { numRuns: 200 },
  );
  expect(gapped).toBeGreaterThan(20);
});
