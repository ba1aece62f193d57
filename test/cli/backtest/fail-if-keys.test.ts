import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/backtest/backtest.js';
import { parseFailIf, resultLookup } from '../../../src/backtest/fail-if.js';
import { checkAccountFailIfKeys, checkFailIfKeys } from '../../../src/cli/backtest/fail-if-keys.js';
import { defineMarket } from '../../../src/model/market.js';
import { marketSpecOf } from '../../../src/storage/market-spec.js';
import { barColumns } from '../../../src/storage/rows/bar-columns.js';
import type { Recording } from '../../../src/storage/recording/recording.js';
import { TradeColumns } from '../../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../../src/strategy/definition.js';
import { bindStrategy } from '../../../src/strategy/instance.js';
import { barInterval } from '../../../src/strategy/params.js';
import { holdPosition } from '../../../src/strategy/want.js';
import { inMemory } from '../../support/in-memory-recording.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const CAPITAL = '10000';

const NOTHING: Recording = {
  ...inMemory([]),
  async *chunks() {},
};

const TRADES: Recording = {
  ...NOTHING,
  async *chunks() {
    const prints = [0, 1, 2, 3].map((at) => ({
      id: String(at + 1),
      time: START + at * 1_000,
      price: 60_000 + at,
      quantity: 1,
      isBuyerMaker: false,
    }));
    yield TradeColumns.of(prints);
  },
};

const BARS: Recording = {
  ...NOTHING,
  kind: 'bars',
  barMs: MINUTE,
  async *bars() {
    const [open, high, low, close, volume] = [60_000, 60_010, 59_990, 60_005, 5];
    const rows = [0, 1, 2].map((at) => ({ time: START + at * MINUTE, open, high, low, close, volume }));
    yield barColumns(rows, MINUTE);
  },
};

const resultOfDays = { metrics: { sharpe: 1.5 }, pnl: { queue: '1' }, data: {} };

const buyer = bindStrategy(
  defineStrategy({
    name: 'buyer',
    params: { bars: barInterval({ default: '1m' }) },
    create() {
      const buy = () => holdPosition('0.1', { stop: 50_000 });
      return { onTrade: buy, onBar: buy };
    },
  }),
  {},
);

describe.each([
  ['all', TRADES],
  ['through', TRADES],
  ['touch', TRADES],
  ['all', BARS],
] as const)('--fail-if of %s models, before the run', (fill, recording) => {
  const checked = (text: string) => checkFailIfKeys(parseFailIf(text), recording, { fill, capital: CAPITAL });

  it('takes every figure that a result has', async () => {
    const { result } = await runBacktest({
      strategy: buyer,
      strategyHash: 'hash',
      recording,
      capital: CAPITAL,
      fill,
      engineVersion: '1',
    });
    expect(result.fills).toBeGreaterThan(0);
    const lookup = resultLookup(result, { trials: 1, comparedTrials: 0, deflatedSharpe: null });
    const keys = [
      ...leavesOf(result),
      ...Object.keys(result.metrics),
      'pnl',
      'trials',
      'comparedTrials',
      'deflatedSharpe',
    ];
    // Without those that hold no figure, such as the list of reasons.
    const figures = keys.filter((key) => lookup(key) !== undefined);
    expect(figures.length).toBeGreaterThan(80);
    for (const key of figures) {
      // Some are numbers and some are texts, and like is compared with like.
      await checked(`${key} != 123456789`).catch(() => checked(`${key} != 'nothing'`));
    }
  });

  it('refuses one that none has, though the other side of it is n/a or met', async () => {
    for (const text of ['sharp < 1', 'sharpe < 1 && sharp < 1', 'trades >= 0 || !(pnl.magic > 0)']) {
      await expect(checked(text)).rejects.toThrow(
        /must name keys of the result .* received (sharp|pnl\.magic)/,
      );
    }
  });

  it.each([
    ['pnl < 5%', 'pnl, whose unit is quote'],
    ['5% > roundTrips', 'roundTrips, whose unit is count'],
    ['maxDrawdown < -20% || sharpe < 50%', 'sharpe, whose unit is number'],
    ['!(averageHoldingMs > 5%)', 'averageHoldingMs, whose unit is ms'],
    ['finalPosition != 0%', 'finalPosition, whose unit is base'],
  ])('refuses %s, as a percentage is of a fraction alone', async (text, received) => {
    await expect(checked(text)).rejects.toThrow(
      `--fail-if must compare a percentage with a fraction, received ${received}`,
    );
  });

  it('takes a percentage of what is a fraction, and of a parameter, whose unit it cannot know', async () => {
    for (const key of ['maxDrawdown', 'winRate', 'metrics.cagr', 'deflatedSharpe', 'params.share']) {
      await checked(`${key} < 5%`);
    }
  });

  it('takes why figures are missing, which is nothing where they are not', async () => {
    for (const key of ['metrics.unavailable', 'unavailable']) {
      const failIf = parseFailIf(`${key} != ''`);
      await checkFailIfKeys(failIf, recording, { fill, capital: CAPITAL });
      const { metrics } = resultOfDays;
      expect(failIf.check(resultLookup({ ...resultOfDays, metrics }))).toEqual([]);
      const poor = resultLookup({ ...resultOfDays, metrics: { ...metrics, unavailable: 'too few days' } });
      expect(failIf.check(poor)).toEqual([`${key} != : too few days != `]);
    }
    await expect(checked("data.unavailable != ''")).rejects.toThrow(/received data\.unavailable/);
  });

  it('takes the time of a ruin, though there was none', async () => {
    await checked('ruinedAt > 0');
  });

  it('takes the time without a stop, which only a strategy with stops has', async () => {
    for (const key of ['heldMs', 'bareMs', 'longestBareMs', 'bareNotionalSeconds']) {
      await checked(`protection.${key} > 0`);
    }
    await expect(checked('protection.bare > 0')).rejects.toThrow(/received protection\.bare/);
  });

  it('takes the hits of limits.maxBareTime where that is set, and only there', async () => {
    const limits = { maxBareMs: 30_000 };
    const failIf = parseFailIf('protection.limitHits > 0');
    await checkFailIfKeys(failIf, recording, { fill, capital: CAPITAL, limits });
    await expect(checked('protection.limitHits > 0')).rejects.toThrow(/received protection\.limitHits/);
  });

  it('names the key that was probably meant', async () => {
    const meant = [
      ['maxDrawdwn < -20%', 'maxDrawdwn (did you mean maxDrawdown?)'],
      ['winrate < 0.4', 'winrate (did you mean winRate?)'],
      ['data.gap > 0', 'data.gap (did you mean data.gaps?)'],
      ['insideGaps > 0', 'insideGaps (did you mean insideGaps.pnl or insideGaps.roundTrips?)'],
      ['protection.longestBare > 0', 'protection.longestBare (did you mean protection.longestBareMs?)'],
    ] as const;
    for (const [text, hint] of meant) {
      await expect(checked(text)).rejects.toThrow(`received ${hint}`);
    }
    await expect(checked('magic > 0')).rejects.toThrow(/received magic$/);
  });
});

it('takes what the limits of a strategy of an account add to its result', async () => {
  const checked = (limits: Readonly<Record<string, unknown>>) =>
    checkAccountFailIfKeys(parseFailIf('strategies.USD_BTC_PERP.protection.limitHits > 0'), {
      parts: [{ recording: TRADES, limits }],
      options: { capital: CAPITAL, fill: 'queue' },
    });
  await checked({ maxBareMs: 30_000 });
  await expect(checked({})).rejects.toThrow(/received strategies\.USD_BTC_PERP\.protection\.limitHits/);
});

it('takes the figures and parameters of pairs whose names have signs in them', async () => {
  const pairs = ['BTC-USDT', 'BTC.USDT'];
  const parts = pairs.map((pair) => ({
    recording: { ...TRADES, pair, market: defineMarket({ ...marketSpecOf(TRADES.market), pair }) },
    limits: {},
  }));
  const checked = (text: string) =>
    checkAccountFailIfKeys(parseFailIf(text), { parts, options: { capital: CAPITAL } });
  for (const pair of pairs) {
    for (const key of ['maxDrawdown', 'params.fast', 'pnl.queue', 'protection.bareMs', 'liquidatedAt'])
      await checked(`strategies.${pair}.${key} < -20`);
    await expect(checked(`strategies.${pair}.maxDrawdwn < -20%`)).rejects.toThrow(
      `received strategies.${pair}.maxDrawdwn (did you mean strategies.${pair}.maxDrawdown?)`,
    );
  }
  for (const key of ['maxDrawdown', 'params.fast'])
    await expect(checked(`strategies.BTC.${key} < -20%`)).rejects.toThrow(
      `received strategies.BTC.${key} (strategies are named by their pair: BTC-USDT, BTC.USDT)`,
    );
});

it('names the pairs where a strategy of an account is asked for by its place', async () => {
  const request = {
    parts: [{ recording: TRADES, limits: {} }],
    options: { capital: CAPITAL, fill: 'queue' as const },
  };
  await expect(checkAccountFailIfKeys(parseFailIf('strategies.0.pnl < 0'), request)).rejects.toThrow(
    'received strategies.0.pnl (strategies are named by their pair: USD_BTC_PERP)',
  );
  await expect(
    checkAccountFailIfKeys(parseFailIf('strategies.USD_BTC_PERP.pnl < 0'), request),
  ).rejects.toThrow('(did you mean strategies.USD_BTC_PERP.pnl.queue?)');
});

it('takes what stops left bare of each strategy of an account, and knows no such figure of the account', async () => {
  const request = { parts: [{ recording: TRADES, limits: {} }], options: { capital: CAPITAL } };
  await checkAccountFailIfKeys(
    parseFailIf('strategies.USD_BTC_PERP.protection.longestBareMs > 1000'),
    request,
  );
  await expect(
    checkAccountFailIfKeys(parseFailIf('protection.longestBareMs > 1000'), request),
  ).rejects.toThrow('received protection.longestBareMs');
});

function leavesOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null ? leavesOf(inner, `${path}${name}.`) : [`${path}${name}`],
  );
}
