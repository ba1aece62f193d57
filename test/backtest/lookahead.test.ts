import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { lookahead, type LookaheadResult } from '../../src/backtest/lookahead.js';
import { loadStrategy } from '../../src/loader/load-strategy.js';
import { seededRandom } from '../../src/model/random.js';
import type { Trade } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { nodeFiles } from '../../src/platform/files.js';
import { openRecording, type Recording } from '../../src/storage/recording/recording.js';
import { barColumns } from '../../src/storage/rows/bar-columns.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import {
  type Answer,
  defineStrategy,
  type Handlers,
  type StrategyDefinition,
} from '../../src/strategy/definition.js';
import { type BoundStrategy, bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition } from '../../src/strategy/want.js';
import marketMaker from '../../strategies/market-maker.js';
import bandReversion from '../../strategies/band-reversion.js';
import smaCrossStreams from '../../strategies/sma-cross-streams.js';
import smaCross from '../../strategies/sma-cross.js';
import { inMemory } from '../support/in-memory-recording.js';
import { readRealTape, realTapePath, WITHOUT_TAPE } from '../support/shared-data.js';

const START = Date.UTC(2026, 0, 1);

let folder: string;
beforeAll(async () => {
  folder = await nodeFiles.temporaryDirectory('tickwright-lookahead-');
});
afterAll(() => nodeFiles.remove(folder));

/** The chunk that is being read, through a door that no recording of ours has. */
const door: { chunk: TradeColumns | undefined } = { chunk: undefined };

/** A recording in memory, in chunks of so many trades. */
function readThroughDoor(trades: readonly Trade[], size = 1_000): Recording {
  return {
    ...inMemory([]),
    async *chunks() {
      for (let from = 0; from < trades.length; from += size) {
        door.chunk = TradeColumns.of(trades.slice(from, from + size));
        yield door.chunk;
      }
    },
  };
}

/** A recording that has a second more of trades whenever it is read. */
function growing(trades: readonly Trade[]): Recording {
  let count = 3_000;
  return {
    ...inMemory([]),
    chunks() {
      count += 20;
      return inMemory(trades.slice(0, count)).chunks();
    },
  };
}

function tickerAt(time: number): WorldFact {
  const prices = { lastPrice: 60_000, markPrice: 60_000, indexPrice: 60_000 };
  const touch = { bidPrice: 59_999, bidQuantity: 1, askPrice: 60_001, askQuantity: 1 };
  return { kind: 'ticker', time, ticker: { time, ...prices, ...touch } };
}

/** The same of bars. */
function growingBars(trades: readonly Trade[]): Recording {
  let count = 100;
  const rows = trades.map(({ price }, at) => {
    const close = trades[at + 1]?.price ?? price;
    const [low, high] = [Math.min(price, close), Math.max(price, close)];
    return { time: START + at * 60_000, open: price, high, low, close, volume: 10 };
  });
  return {
    ...inMemory([]),
    kind: 'bars',
    barMs: 60_000,
    async *bars() {
      count += 7;
      yield barColumns(rows.slice(0, count), 60_000);
    },
  };
}

/** A walk of ticks, some 20 trades a second. */
function walk(count: number): readonly Trade[] {
  const random = seededRandom('lookahead-walk');
  let ticks = 600_000;
  let time = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, i) => {
    ticks += random.integer(-3, 3);
    time += random.integer(1, 100);
    return {
      id: String(i + 1),
      time,
      price: ticks / 10,
      quantity: random.integer(1, 500) / 1_000,
      isBuyerMaker: random.next() < 0.5,
    };
  });
}

const run = (strategy: BoundStrategy, recording: Recording) =>
  runBacktest({
    strategy,
    strategyHash: '',
    recording,
    fill: 'queue',
    capital: '100000',
    engineVersion: 'test',
  });

function proof(
  definition: StrategyDefinition,
  recording: Recording,
  params: Readonly<Record<string, unknown>> = {},
): Promise<LookaheadResult> {
  return lookahead({ strategy: bindStrategy(definition, params), recording, run });
}

/** What a look ahead would buy: long when the price will be higher. */
const wanted = (now: number, later: number | undefined) =>
  later === undefined ? undefined : later > now ? holdPosition('0.01') : flat();

const everything: number[] = [];

/** Its handlers are no keys of its object. */
class Seer implements Handlers {
  #seen = 0;

  onTrade(trade: Trade): Answer {
    return wanted(trade.price, door.chunk?.price[(this.#seen++ % 1_000) + 1]);
  }
}

const PLANTED: readonly (readonly [string, StrategyDefinition])[] = [
  [
    'by a closure over the data',
    defineStrategy({
      name: 'closure',
      create() {
        let seen = 0;
        return {
          onTrade: (trade) => wanted(trade.price, door.chunk?.price[(seen++ % 1_000) + 1]),
        };
      },
    }),
  ],
  [
    'by an indicator that averages both sides of now',
    defineStrategy({
      name: 'centred-average',
      create() {
        let seen = 0;
        return {
          onTrade({ price }) {
            const at = seen++ % 1_000;
            const around = [...(door.chunk?.price.slice(Math.max(0, at - 5), at + 6) ?? [])];
            return wanted(price, around.reduce((sum, each) => sum + each, 0) / around.length);
          },
        };
      },
    }),
  ],
  [
    'by a global that the first run fills',
    defineStrategy({
      name: 'global-state',
      create() {
        let seen = 0;
        return {
          onTrade({ price }) {
            const later = everything[seen + 100];
            everything[seen++] = price;
            return wanted(price, later);
          },
        };
      },
    }),
  ],
  [
    'in streams, by what the definition keeps of an earlier pass',
    (() => {
      let highest = Number.NEGATIVE_INFINITY;
      return defineStrategy({
        name: 'two-passes',
        create: () => {
          const top = highest;
          return {
            onTrade({ price }) {
              highest = Math.max(highest, price);
              return price === top ? flat() : holdPosition('0.01');
            },
          };
        },
      });
    })(),
  ],
  ['by a class over the data', defineStrategy({ name: 'class', create: () => new Seer() })],
];

describe('a strategy that sees the future', () => {
  it.each(PLANTED)('%s is caught, by event and both answers', async (_, definition) => {
    const { identical, firstLeak } = await proof(definition, readThroughDoor(walk(5_000)));
    expect(identical).toBe(false);
    expect(firstLeak?.whole).not.toBe(firstLeak?.cutShort);
    expect(firstLeak?.event).toBeGreaterThan(0);
    expect(firstLeak?.handler).toBe('onTrade');
  });

  it('is told from one that decides by chance', async () => {
    const dice = seededRandom('dice');
    const { firstLeak } = await proof(
      defineStrategy({
        name: 'dice',
        create: () => ({ onTrade: () => (dice.next() < 0.5 ? flat() : holdPosition('0.01')) }),
      }),
      readThroughDoor(walk(500)),
    );
    expect(firstLeak).toMatchObject({ future: 'same', handler: 'onTrade' });
    expect(firstLeak?.cut).toBeUndefined();
  });

  it('by the file of the recording is refused before it runs, at its line', async () => {
    await mkdir(join(folder, 'bots'), { recursive: true });
    await writeFile(
      join(folder, 'bots', 's.ts'),
      `import { readFileSync } from 'node:fs';
import { defineStrategy } from 'tickwright';
const tape = readFileSync('data/USD_BTC_PERP/2024-08-08.arrow');
export default defineStrategy({ name: 'file', create: () => ({ onTrade: () => tape.length }) });
`,
    );
    await expect(
      loadStrategy('bots/s.ts', {
        files: nodeFiles,
        cacheDirectory: join(folder, 'cache'),
        directory: folder,
      }),
    ).rejects.toThrow(/^bots\/s\.ts:1:\d+: a strategy must decide by its parameters and events/);
  });

  it('has its first leak named where it first decided otherwise', async () => {
    const trades = walk(400);
    // One row ahead, in chunks that the cuts fall into: the last trade before a cut is the first that can differ.
    const [, definition] = PLANTED[0] as (typeof PLANTED)[number];
    const { firstLeak } = await proof(definition, readThroughDoor(trades));
    const at = trades.findIndex(({ time }) => time === firstLeak?.cut) - 1;
    expect(firstLeak).toMatchObject({
      future: 'absent',
      event: at + 1,
      time: trades[at]?.time,
      handler: 'onTrade',
    });
  });
});

const OURS: readonly (readonly [string, StrategyDefinition, Readonly<Record<string, string>>])[] = [
  ['market-maker', marketMaker, {}],
  ['sma-cross', smaCross, { bars: '1s' }],
  ['sma-cross as streams', smaCrossStreams, { bars: '1s' }],
  ['band-reversion', bandReversion, { bars: '1s' }],
];

describe('a recording that grows meanwhile', () => {
  const SENSE = { onTrade: ({ price }: Trade) => (price % 1 < 0.5 ? holdPosition('0.01') : flat()) };

  it('accuses no strategy: all runs are over what there was at first', async () => {
    const found = await proof(defineStrategy({ name: 'sense', create: () => SENSE }), growing(walk(4_000)));
    expect(found).toMatchObject({ cuts: 20, identical: true });
    const once = await proof(
      defineStrategy({ name: 'sense', create: () => SENSE }),
      inMemory(walk(4_000).slice(0, 3_020)),
    );
    expect(found).toEqual(once);
  });

  it('accuses no strategy that hears tickers, which are written later than trades', async () => {
    const trades = walk(2_000);
    const last = (trades.at(-1) as Trade).time;
    let behind = 40_000;
    const recording: Recording = {
      ...inMemory(trades),
      async *facts() {
        behind -= 900;
        for (let time = START; time < last - behind; time += 1_000) yield [tickerAt(time)];
      },
    };
    const definition = defineStrategy({
      name: 'hears',
      create: () => ({ onTicker: ({ time }) => (time % 2_000 === 0 ? holdPosition('0.01') : flat()) }),
    });
    const found = await proof(definition, recording);
    expect(found).toMatchObject({ cuts: 20, identical: true });
    expect(found.answers).toBeGreaterThan(10);
  });

  it('accuses none on bars', async () => {
    const found = await proof(smaCross, growingBars(walk(1_000)), { bars: '1m', fast: '2', slow: '3' });
    expect(found).toMatchObject({ cuts: 20, identical: true });
    expect(found.answers).toBeGreaterThan(10);
  });

  it('hides no strategy that sees the future', async () => {
    const trades = walk(4_000);
    const [, definition] = PLANTED[0] as (typeof PLANTED)[number];
    let count = 3_000;
    const recording: Recording = {
      ...inMemory([]),
      chunks: () => readThroughDoor(trades.slice(0, (count += 20))).chunks(),
    };
    const { identical, firstLeak } = await proof(definition, recording);
    expect([identical, firstLeak?.handler]).toEqual([false, 'onTrade']);
    expect(['absent', 'poisoned']).toContain(firstLeak?.future);
  });
});

describe('our strategies', () => {
  it.each(OURS)('do not: %s', async (_, definition, params) => {
    const result = await proof(definition, readThroughDoor(walk(20_000)), params);
    expect(result).toMatchObject({ cuts: 20, identical: true });
    expect(result.answers).toBeGreaterThan(10);
    expect(result.firstLeak).toBeUndefined();
  });

  it.each(OURS)('do not on the recording that ships: %s', async (_, definition, params) => {
    const sample = fileURLToPath(new URL('../../backtest/sample', import.meta.url));
    expect(await proof(definition, await openRecording(nodeFiles, [sample]), params)).toMatchObject({
      cuts: 20,
      identical: true,
    });
  });

  it.skipIf(realTapePath === undefined)(
    `do not on a real day, in 20 cuts${realTapePath === undefined ? ` (skipped: ${WITHOUT_TAPE})` : ''}`,
    async () => {
      const tape = readRealTape();
      const before = process.cpuUsage();
      const result = await proof(marketMaker, readThroughDoor(tape, 65_536));
      const { user, system } = process.cpuUsage(before);
      expect(result).toMatchObject({ cuts: 20, identical: true });
      process.stdout.write(
        `lookahead of market-maker: 20 cuts on ${tape.length} trades, ${result.answers} answers: ${Math.round((user + system) / 1_000)} ms of CPU\n`,
      );
    },
  );
});

it('a recording is as it was after it was cut', async () => {
  const columns = TradeColumns.of(walk(300));
  const whole = columns.price.slice(0, 300);
  const recording = {
    ...inMemory([]),
    async *chunks() {
      yield columns;
    },
  };
  await proof(smaCross, recording);
  expect(columns.count).toBe(300);
  expect(columns.price.slice(0, 300)).toEqual(whole);
});
