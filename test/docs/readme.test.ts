import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { strategyText } from '../../src/cli/scaffold/strategy-text.js';
import { loadStrategy } from '../../src/loader/load-strategy.js';
import { nodeFiles } from '../../src/platform/files.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { backtestTrades } from '../../src/testing/backtest-trades.js';
import { tradesAt } from '../../src/testing/trades.js';
import { readPage } from './page.js';

const { text: readme } = readPage('README.md');
const folder = mkdtempSync(join(tmpdir(), 'tickwright-readme-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the README's strategy", () => {
  const [, name, code] = /<!-- strategy: (\S+) -->\n```ts\n([\s\S]+?)```/.exec(readme) ?? [];

  it('is what a new strategy begins as, and its test says what that is tested for', async () => {
    expect(strategyText('my-cross')).toBe(code);
    const [, test = ''] = /<!-- test of my-cross.ts -->\n```ts\n([\s\S]+?)```/.exec(readme) ?? [];
    const prices = JSON.parse(/tradesAt\((\[.*?\])\)/.exec(test)?.[1] ?? '') as readonly number[];
    const path = join(folder, name as string);
    writeFileSync(path, code as string);
    const { definition } = await loadStrategy(path, {
      files: nodeFiles,
      cacheDirectory: join(folder, 'cache'),
    });
    const { fills, result } = await backtestTrades(definition, {
      trades: tradesAt(prices),
      params: { fast: 2, slow: 3, bars: '1s' },
    });
    const claimed = [...test.matchAll(/side: '(\w+)', price: (\d+)/g)].map(([, side, price]) => ({
      side,
      price: Number(price),
    }));
    expect(claimed).toHaveLength(2);
    expect(fills).toMatchObject(claimed);
    expect(result.refusals).toBe(0);
  });

  it('runs as it stands, from a folder of its own, over the recording that ships', async () => {
    const path = join(folder, name as string);
    writeFileSync(path, code as string);
    const loaded = await loadStrategy(path, { files: nodeFiles, cacheDirectory: join(folder, 'cache') });
    const recording = await openRecording(nodeFiles, ['backtest/sample']);
    const { result } = await runBacktest({
      strategy: bindStrategy(loaded.definition, { bars: '5s' }),
      strategyHash: loaded.sha256,
      recording,
      capital: '100000',
      engineVersion: 'test',
    });
    expect(result.strategy).toBe('my-cross');
    expect(result.roundTrips).toBeGreaterThanOrEqual(5);
    expect(result.trades).toBe(57_744);
  });
});
