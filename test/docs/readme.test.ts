import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { loadStrategy } from '../../src/loader/load-strategy.js';
import { nodeFiles } from '../../src/platform/files.js';
import { openRecording } from '../../src/storage/recording.js';
import { bindStrategy } from '../../src/strategy/instance.js';

const readme = readFileSync('README.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tickwright-readme-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the README's strategy", () => {
  const [, name, code] = /<!-- strategy: (\S+) -->\n```ts\n([\s\S]+?)```/.exec(readme) ?? [];

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

describe('the README', () => {
  it('names only commands, flags and files that exist', () => {
    const program = readFileSync('src/cli/program.ts', 'utf8');
    const commands = [...readme.matchAll(/npx tickwright (\w+)/g)].map(([, command]) => command);
    const flags = [...readme.matchAll(/npx tickwright [^\n]+/g)].flatMap(([line]) =>
      [...line.matchAll(/ --([a-z-]+)/g)].map(([, flag]) => flag),
    );
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands)
      expect(program).toMatch(new RegExp(`command\\(['"]${command}|name: '${command}'|'${command}[ ']`));
    for (const flag of flags) if (flag !== 'help') expect(program).toContain(`--${flag}`);
    for (const [, path] of readme.matchAll(/`(strategies\/\S+?|src\/\S+?)`/g)) {
      expect(() => readFileSync(path as string)).not.toThrow(/ENOENT/);
    }
  });
});
