import { describe, expect, it } from 'vitest';
import { gridSampler } from '../../../src/backtest/search/grid.js';
import type { Sampler } from '../../../src/backtest/search/sampler.js';
import { search } from '../../../src/backtest/search/search.js';
import { sobolSampler } from '../../../src/backtest/search/sobol.js';
import { spaceOf } from '../../../src/backtest/search/space.js';
import { tpeSampler } from '../../../src/backtest/search/tpe.js';
import { seededRandom } from '../../../src/model/random.js';
import { integer, number } from '../../../src/strategy/params.js';

const SPECS = { a: integer({ default: 1 }), b: integer({ default: 1 }), c: number({ default: 1 }) };
const small = spaceOf('demo', SPECS, { a: '1..3', b: '10..40:10' });
const wide = spaceOf('demo', SPECS, { a: '1..100', b: '1..100', c: '0..1' });

describe('a grid', () => {
  it('is every point once, the last parameter first', async () => {
    const tried = await search({
      space: small,
      sampler: gridSampler(small.dimensions),
      budget: 100,
      attempt: ({ a, b }) => Promise.resolve(`${a} ${b}`),
      scoreOf: () => 0,
    });
    const all = [1, 2, 3].flatMap((a) => [10, 20, 30, 40].map((b) => `${a} ${b}`));
    expect(tried.map(({ outcome }) => outcome)).toEqual(all);
    expect(tried.map(({ number: at }) => at)).toEqual(all.map((_, at) => at + 1));
  });

  it('refuses a range without a step', () => {
    expect(() => gridSampler(wide.dimensions)).toThrow('a grid must have a step in each range');
  });
});

describe('a search', () => {
  it.each([
    ['sobol', sobolSampler],
    ['tpe', tpeSampler],
  ] as const)('by %s tries the same points in the same order, whichever trial is over first', async (_, make) => {
    const run = async (delay: (at: number) => Promise<void>) => {
      const tried = await search({
        space: wide,
        sampler: make(wide.dimensions, 'seed'),
        budget: 50,
        attempt: async ({ a, b, c }, at) => {
          await delay(at);
          return (Number(a) - 30) ** 2 + (Number(b) - 60) ** 2 + Number(c);
        },
        scoreOf: (outcome) => -outcome,
      });
      return tried.map(({ texts }) => texts);
    };
    const random = seededRandom(1);
    const turns = Array.from({ length: 51 }, () => random.integer(0, 9));
    const expected = await run(async () => undefined);
    expect(expected).toHaveLength(50);
    const waiting = async (at: number) => {
      for (let turn = 0; turn < (turns[at] ?? 0); turn++) await Promise.resolve();
    };
    expect(await run(waiting)).toEqual(expected);
  });

  it('tries nothing twice, and ends where there is nothing else', async () => {
    const seen: string[] = [];
    const tried = await search({
      space: small,
      sampler: tpeSampler(small.dimensions, 'x'),
      budget: 1_000,
      attempt: (texts) => {
        seen.push(JSON.stringify(texts));
        return Promise.resolve(1);
      },
      scoreOf: () => 1,
    });
    expect(tried).toHaveLength(12);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('tells the sampler what each point came to, in the order in which it asked', async () => {
    const told: number[] = [];
    const grid = gridSampler(small.dimensions);
    const sampler: Sampler = {
      learns: true,
      ask: (count) => grid.ask(count),
      tell: (_, score) => void told.push(score),
    };
    await search({
      space: small,
      sampler,
      budget: 11,
      attempt: ({ a, b }) => Promise.resolve(Number(a) + Number(b)),
      scoreOf: (outcome) => (outcome > 40 ? undefined : outcome),
    });
    const no = Number.NEGATIVE_INFINITY;
    expect(told).toEqual([11, 21, 31, no, 12, 22, 32, no, 13, 23, 33]);
  });

  it('asks one that learns for a few at a time, one that does not for many: no thread waits for another', async () => {
    const most = async (sampler: Sampler) => {
      let open = 0;
      let highest = 0;
      await search({
        space: wide,
        sampler,
        budget: 100,
        attempt: async () => {
          highest = Math.max(highest, ++open);
          await new Promise((resolve) => setImmediate(resolve));
          open--;
          return 1;
        },
        scoreOf: () => 1,
      });
      return highest;
    };
    expect(await most(sobolSampler(wide.dimensions, 'x'))).toBe(100);
    expect(await most(tpeSampler(wide.dimensions, 'x'))).toBe(8);
  });

  it('ends with the error of a trial', async () => {
    const failing = search({
      space: small,
      sampler: gridSampler(small.dimensions),
      budget: 5,
      attempt: (_, at) => (at === 3 ? Promise.reject(new Error('broken')) : Promise.resolve(1)),
      scoreOf: () => 1,
    });
    await expect(failing).rejects.toThrow('broken');
  });
});
