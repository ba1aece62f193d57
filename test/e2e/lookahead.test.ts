import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, withFolder } from './program.js';

/** What it keeps beyond one run is the future of the next. */
const LEAKY = `import { defineStrategy, flat, holdPosition } from 'tickwright';
const seen: number[] = [];
export default defineStrategy({
  name: 'leaky',
  create() {
    let at = 0;
    return {
      onTrade(trade) {
        const now = trade.price;
        const later = seen[at + 10] ?? 0;
        if (at === seen.length) seen.push(now);
        at++;
        return later > now ? holdPosition('0.01') : flat();
      },
    };
  },
});
`;

describe('lookahead', () => {
  it('ends with 0 for a strategy of ours, and says how many cuts agreed', async () => {
    const { code, stdout } = await run([
      'lookahead',
      'sma-cross',
      '--cuts',
      '3',
      '--set',
      'bars=1s',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, cuts: 3, identical: true });
    expect(code).toBe(0);
  });

  it('ends with 3 for one that knows what comes, and names the first leak', () =>
    withFolder(async (cwd) => {
      await writeFile(join(cwd, 'leaky.ts'), LEAKY);
      const told = await run(['lookahead', 'leaky.ts', '--cuts', '2'], { cwd });
      expect(told.stdout).toMatch(
        /^leaky does NOT decide by the past alone \(the same run a second time: it keeps something/,
      );
      expect(told.stdout).toMatch(/first at event \d+, onTrade of \S+\n/);
      expect(told.code).toBe(3);
      const { stdout } = await run(['lookahead', 'leaky.ts', '--cuts', '2', '--json'], { cwd });
      expect(JSON.parse(stdout)).toMatchObject({
        identical: false,
        firstLeak: { future: 'same', handler: 'onTrade' },
      });
    }));

  it('ends with 3 where there was no answer to compare: nothing is proven', () =>
    withFolder(async (cwd) => {
      const silent = LEAKY.replace(/const now[\s\S]*flat\(\);/, 'void trade;');
      await writeFile(join(cwd, 'silent.ts'), silent);
      const { code, stdout } = await run(['lookahead', 'silent.ts', '--cuts', '2'], { cwd });
      expect(stdout).toContain('leaky: NOTHING PROVEN: it gave no answer over the whole recording');
      expect(code).toBe(3);
    }));

  it('names what it cannot prove: data that the strategy brings along, and packages', () =>
    withFolder(async (cwd) => {
      await writeFile(join(cwd, 'prices.json'), '[60000, 60001]');
      await mkdir(join(cwd, 'node_modules', 'helper'), { recursive: true });
      await writeFile(
        join(cwd, 'node_modules', 'helper', 'package.json'),
        '{"name":"helper","type":"module","exports":"./i.js"}',
      );
      await writeFile(
        join(cwd, 'node_modules', 'helper', 'i.js'),
        'export const half = (value) => value / 2;',
      );
      const knowing = `import prices from './prices.json';\nimport { half } from 'helper';\n${LEAKY.replace(
        /const now[\s\S]*flat\(\);/,
        'return trade.price > half(prices[0] * 2) ? holdPosition(0.01) : flat();',
      )}`;
      await writeFile(join(cwd, 'knowing.ts'), knowing);
      const { code, stdout } = await run(['lookahead', 'knowing.ts', '--cuts', '2'], { cwd });
      expect(code).toBe(0);
      expect(stdout).toContain('\n  not proven    prices.json: what a strategy brings along');
      expect(stdout).toContain('\n  not proven    helper: nobody looked');
      const told = await run(['lookahead', 'knowing.ts', '--cuts', '2', '--json'], { cwd });
      expect(JSON.parse(told.stdout)).toMatchObject({ carried: ['prices.json'], packages: ['helper'] });
    }));

  it('ends with 2 for one that reads the clock or a file, at its line', () =>
    withFolder(async (cwd) => {
      await writeFile(
        join(cwd, 'clock.ts'),
        LEAKY.replace('const now = trade.price', 'const now = Date.now()'),
      );
      await writeFile(join(cwd, 'file.ts'), `import 'node:fs';\n${LEAKY}`);
      const clock = await run(['lookahead', 'clock.ts'], { cwd });
      expect(clock.stderr).toContain('clock.ts:9:21: a strategy must take the time from context.now');
      const file = await run(['backtest', 'file.ts'], { cwd });
      expect(file.stderr).toContain('file.ts:1:8: a strategy must decide by its parameters and events');
      expect([clock.code, file.code]).toEqual([2, 2]);
    }));
});
