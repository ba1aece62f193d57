/** What a strategy is told of its position where nobody polls it: what is held after each own fill. */
import { map, merge } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { pollsEvery } from '../../src/backtest/poll-schedule.js';
import { nodeFiles } from '../../src/platform/files.js';
import { barColumns } from '../../src/storage/rows/bar-columns.js';
import { openRecording, type Recording } from '../../src/storage/recording/recording.js';
import type { FillView, PositionView } from '../../src/strategy/context.js';
import { defineStrategy, type Handlers } from '../../src/strategy/definition.js';
import { bindStrategy, type BoundStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { holdPosition } from '../../src/strategy/want.js';

type Heard = (readonly ['fill', FillView] | readonly ['position', PositionView])[];

/** Long and short in turn, anew every so many bars; with what it is told, where it is to listen. */
function swinger(heard?: Heard): BoundStrategy {
  const listening: Handlers = {
    onFill: (fill) => void heard?.push(['fill', fill]),
    onPosition: (position) => void heard?.push(['position', { ...position }]),
  };
  const definition = defineStrategy({
    name: 'swinger',
    params: { bars: barInterval({ default: '1m' }) },
    create: () => {
      let bars = 0;
      return {
        onBar: () => (bars++ % 5 === 0 ? holdPosition(bars % 10 === 1 ? '0.02' : '-0.01') : undefined),
        ...(heard === undefined ? {} : listening),
      };
    },
  });
  return bindStrategy(definition, {});
}

/** The same as streams. */
function swingerOfStreams(heard: Heard): BoundStrategy {
  const definition = defineStrategy({
    name: 'swinger',
    params: { bars: barInterval({ default: '1m' }) },
    streams: ({ bars$, fills$, position$ }) => {
      fills$.subscribe((fill) => heard.push(['fill', fill]));
      position$.subscribe((position) => heard.push(['position', { ...position }]));
      return merge(bars$.pipe(map((_, at) => at))).pipe(
        map((at) => (at % 10 < 5 ? holdPosition('0.02') : holdPosition('-0.01'))),
      );
    },
  });
  return bindStrategy(definition, {});
}

function ofBars(): Recording {
  const barMs = 60_000;
  const rows = Array.from({ length: 100 }, (_, at) => {
    const open = 60_000 + (at % 7) * 10;
    return {
      time: Date.UTC(2026, 0, 5) + at * barMs,
      open,
      high: open + 20,
      low: open - 20,
      close: open,
      volume: 5,
    };
  });
  return {
    ...sample,
    kind: 'bars',
    barMs,
    async *chunks() {},
    async *bars() {
      yield barColumns(rows, barMs);
    },
    async *facts() {},
  };
}

const sample = await openRecording(nodeFiles, ['backtest/sample']);

const SESSIONS = {
  streamed: { recording: sample },
  polled: { recording: sample, polls: { name: '1s', schedule: pollsEvery(1_000) } },
  'on bars': { recording: ofBars() },
};

describe.each(Object.entries(SESSIONS))('a backtest that is %s', (_, session) => {
  const run = async (strategy: BoundStrategy) => {
    const facts = { strategyHash: '', capital: '100000', engineVersion: 'test' };
    const { result } = await runBacktest({ ...session, ...facts, strategy, fill: 'through' });
    return result;
  };

  it.each([swinger, swingerOfStreams])('tells the position behind each own fill', async (make) => {
    const heard: Heard = [];
    const { fills } = await run(make(heard));
    expect(fills).toBeGreaterThan(10);
    expect(heard).toHaveLength(2 * fills);
    let held = 0;
    for (let at = 0; at < heard.length; at += 2) {
      const [fill, position] = [heard[at]?.[1] as FillView, heard[at + 1]?.[1] as PositionView];
      expect([heard[at]?.[0], heard[at + 1]?.[0]]).toEqual(['fill', 'position']);
      const before = held;
      held = Number((held + (fill.side === 'buy' ? fill.quantity : -fill.quantity)).toFixed(8));
      expect(position).toEqual({
        time: expect.any(Number),
        quantity: held,
        averageEntry: held === 0 ? 0 : expect.any(Number),
        liquidationPrice: undefined,
      });
      if (before === 0) expect(position.averageEntry).toBeCloseTo(fill.price, 6);
    }
  });

  it('decides as ever for who does not listen', async () => {
    expect(await run(swinger([]))).toEqual(await run(swinger()));
  });
});
