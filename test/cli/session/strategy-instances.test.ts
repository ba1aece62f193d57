/** What a strategy keeps outside of `create` is its own in each session that runs in one process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { folder } from '../../storage/support.js';

const KEEPING = `import { barInterval, crossover, defineStrategy, flat, holdPosition, sma } from 'tickwright';
const [fast, slow, cross] = [sma(10), sma(30), crossover()];
export default defineStrategy({
  name: 'keeping',
  params: { bars: barInterval({ default: '5s' }) },
  create: () => ({
    onBar({ close }) {
      const side = cross.next(fast.next(close), slow.next(close));
      return side === 'above' ? holdPosition('0.01') : side === 'below' ? flat() : undefined;
    },
  }),
});
`;

const MODELS = ['through', 'queue', 'touch'] as const;

interface Figures {
  readonly models: Readonly<Record<string, unknown>>;
}

let out: string;
beforeEach(() => {
  const written = (take: (text: string) => void) => (text: unknown, done?: unknown) => {
    take(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(written((text) => void (out += text)));
  vi.spyOn(process.stderr, 'write').mockImplementation(written(() => undefined));
});
afterEach(() => vi.restoreAllMocks());

async function figures(
  names: readonly string[],
  fill: 'all' | 'through' | 'queue' | 'touch',
): Promise<unknown> {
  out = '';
  const data = ['backtest/sample'];
  expect(await backtest(names, { fill, data, seed: 1, save: false, json: true })).toBe(0);
  return JSON.parse(out);
}

it('each fill model comes to what it comes to alone', async () => {
  const file = join(await folder(), 'keeping.ts');
  await writeFile(file, KEEPING);
  const { models } = (await figures([file], 'all')) as Figures;
  for (const model of MODELS) {
    const alone = (await figures([file], model)) as Figures;
    expect(alone.models).toEqual({ [model]: models[model] });
  }
});

it('of two strategies that are one file, each comes to what it comes to alone', async () => {
  const directory = await folder();
  const file = join(directory, 'keeping.ts');
  await writeFile(file, KEEPING);
  const alone = await figures([file], 'queue');
  const { runs } = (await figures([file, `${directory}/./keeping.ts`], 'queue')) as { runs: unknown[] };
  expect(runs).toEqual([alone, alone]);
});
