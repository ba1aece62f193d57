import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAY_SKIP, NO_BROWSER } from './browser.js';
import { oneDocument, ROOT, run, runJson, withFolder } from './program.js';
import { expectReport, reportWrongs } from './report-page.js';

it('a stretch of which nothing was recorded is a mistake of who asks', () =>
  withFolder(async (cwd) => {
    const { code, stdout, stderr } = await run(['backtest', 'sma-cross', '--from', '2100-01-01'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /must be within what is recorded of USD_BTC_PERP, .*, received --from 2100-01-01 \(/,
    );
  }));

it.each([
  [
    'create: () => ({ onTrades: () => undefined }) as object',
    'a handler of odd must be named onTrade, received onTrades',
  ],
  ['create: () => undefined as never', 'create() of odd must return its handlers, received undefined'],
  ['streams: () => 42 as never', 'streams() of odd must return an Observable of wants, received 42'],
])('a strategy that is not made as one is a mistake of who asks, with its file: %s', (made, message) =>
  withFolder(async (cwd) => {
    const text = `import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'odd', ${made} });\n`;
    await writeFile(join(cwd, 'odd.ts'), text);
    const { code, stdout, stderr } = await run(['backtest', 'odd.ts'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`error: odd.ts: ${message}\n`);
  }));

it.each([
  ['has onTicker', 'create: () => ({ onTicker: () => flat() })'],
  ['reads ticker$', 'streams: ({ ticker$ }) => ticker$.pipe(map(() => flat()))'],
])('a strategy that %s hears from a recording without tickers that it has none', (reads, made) =>
  withFolder(async (cwd) => {
    const text =
      "import { defineStrategy, flat } from 'tickwright';\nimport { map } from 'rxjs';\n" +
      `export default defineStrategy({ name: 'lone', ${made} });\nexport const used = map;\n`;
    await writeFile(join(cwd, 'lone.ts'), text);
    const { code, stdout, stderr } = await run(['backtest', 'lone.ts', '--json'], { cwd });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('icker')]);
    const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '));
    expect(warnings).toEqual([
      expect.stringContaining(`lone ${reads}, and nothing came of it: the recording of USD_BTC_PERP has no`),
    ]);
    const other = await run(['backtest', 'sma-cross-streams', '--json', '--no-save'], { cwd });
    expect(other.stderr).not.toContain('warning');
  }));

it.each([
  ['has onTrade', 'create: () => ({ onBar: () => holdPosition(1), onTrade: () => flat() })'],
  [
    'reads trades$',
    'streams: ({ bars$, trades$ }) => merge(bars$, trades$).pipe(map(() => holdPosition(1)))',
  ],
])('a strategy that %s hears from a recording of bars that there are no trades', (reads, made) =>
  withFolder(async (cwd) => {
    const rows = Array.from(
      { length: 10 },
      (_, at) => `${1_640_995_200_000 + at * 60_000},60000,60001,59999,60000,1`,
    );
    await writeFile(join(cwd, 'bars.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
    await run(['data', 'import', 'bars.csv', '--pair', 'USD_BTC_PERP'], { cwd });
    const text =
      "import { barInterval, defineStrategy, flat, holdPosition } from 'tickwright';\nimport { map, merge } from 'rxjs';\n" +
      `export default defineStrategy({ name: 'stopped', params: { bars: barInterval({ default: '1m' }) }, ${made} });\n` +
      'export const used = [flat, map, merge];\n';
    await writeFile(join(cwd, 'stopped.ts'), text);
    const told = expect.stringContaining(
      `stopped ${reads}, and nothing came of it: the recording of USD_BTC_PERP has bars and no trades`,
    );
    const tries = [['backtest'], ['optimize', '--space', 'bars=1m,2m', '--workers', '1']];
    for (const [command = '', ...rest] of tries) {
      const { code, stderr } = await run([command, 'stopped.ts', ...rest, '--json'], { cwd });
      expect([code, stderr.split('\n').filter((line) => line.startsWith('warning: '))]).toEqual([0, [told]]);
    }
    const other = await run(['backtest', 'sma-cross', '--json', '--no-save'], { cwd });
    expect([other.code, other.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
  }));

it('a result stands where nothing about it can be written down', () =>
  withFolder(async (cwd) => {
    await writeFile(join(cwd, 'backtest'), 'in the way of the folder\n');
    const { code, stdout, stderr } = await run(['backtest', 'sma-cross', '--json'], { cwd });
    expect(oneDocument(stdout)).toMatchObject({ strategy: 'sma-cross' });
    expect(stderr).toMatch(/^warning: it cannot be written down that sma-cross looks at this stretch: /m);
    expect(stderr).toMatch(/^warning: the run was not saved/m);
    expect(code).toBe(0);
  }));

describe('several strategies in one backtest', () => {
  it('come to what each comes to by itself, and are all kept', () =>
    withFolder(async (cwd) => {
      const names = ['sma-cross', 'market-maker', 'sma-cross-streams'];
      const { runs } = await runJson(['backtest', ...names, '--json'], { cwd });
      const alone = [];
      for (const name of names) alone.push(await runJson(['backtest', name, '--no-save', '--json'], { cwd }));
      expect(runs).toEqual(alone);
      const saved = await readdir(join(cwd, 'backtest', 'runs'));
      for (const { runId } of alone) expect(saved).toContain(runId);

      const shown = await run(['backtest', ...names], { cwd });
      expect(shown.stdout).toMatch(/^strategy +pair +P&L/);
      for (const name of names) expect(shown.stdout).toMatch(new RegExp(`^${name} +USD_BTC_PERP `, 'm'));
    }));

  it('are one run each: a file is of one of them, and a name stands once', () =>
    withFolder(async (cwd) => {
      const report = await run(['backtest', 'sma-cross', 'market-maker', '--report', 'r.html'], { cwd });
      expect([report.code, report.stderr]).toEqual([
        2,
        expect.stringContaining('--report must be with one strategy'),
      ]);
      const twice = await run(['backtest', 'sma-cross', 'sma-cross'], { cwd });
      expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('received sma-cross twice')]);
    }));
});

it('the trial figures of strategies that run together are the same in whatever order they are named', () =>
  withFolder(async (cwd) => {
    const asked = ['backtest', 'sma-cross', 'market-maker', '--no-save', '--fail-if', 'trials < 2'];
    const { code, stderr } = await run(asked, { cwd });
    expect(stderr).not.toContain('failed: ');
    expect(code).toBe(0);
  }));

describe('of several strategies one that fails', () => {
  const thrower = (after: number, message: string) =>
    `import { defineStrategy } from 'tickwright';\n` +
    `let trades = 0;\n` +
    `export default defineStrategy({ name: 'thrower', params: {}, create: () => ({\n` +
    `  onTrade() {\n` +
    `    if (++trades > ${after}) throw new Error('${message}');\n` +
    `    return undefined;\n` +
    `  },\n` +
    `}) });\n`;

  it('takes nothing from the others: they are kept and shown, and it is named, with its exit code', () =>
    withFolder(async (cwd) => {
      await writeFile(join(cwd, 'early.ts'), thrower(1_000, 'too early'));
      await writeFile(join(cwd, 'late.ts'), thrower(5_000, 'too late'));
      const names = ['late.ts', 'sma-cross', 'early.ts', 'market-maker'];
      const alone = [];
      for (const name of ['sma-cross', 'market-maker']) {
        alone.push(await runJson(['backtest', name, '--no-save', '--json'], { cwd }));
      }
      const ended = await run(['backtest', ...names, '--json', '--fail-if', 'fills > 0'], { cwd });
      expect(oneDocument(ended.stdout)).toEqual({
        schemaVersion: 1,
        runs: alone,
        failed: [
          {
            strategy: 'thrower',
            file: expect.stringMatching(/late\.ts$/),
            pair: 'USD_BTC_PERP',
            error: expect.stringMatching(/^late\.ts:5:\d+: too late/),
          },
          {
            strategy: 'thrower',
            file: expect.stringMatching(/early\.ts$/),
            pair: 'USD_BTC_PERP',
            error: expect.stringMatching(/^early\.ts:5:\d+: too early/),
          },
        ],
      });
      // That of a strategy that throws, although a condition was met too.
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/failed: sma-cross: fills > 0/);
      expect(ended.stderr).toMatch(
        /^late: error: late\.ts:5:\d+: too late\n[^]*^early: error: early\.ts:5:\d+: too early/m,
      );
      const saved = await readdir(join(cwd, 'backtest', 'runs'));
      expect(saved.sort()).toEqual(
        ['holdouts.ndjson', 'trials.ndjson', ...alone.map(({ runId }) => String(runId))].sort(),
      );
      const ledger = await readFile(join(cwd, 'backtest', 'runs', 'trials.ndjson'), 'utf8');
      expect(ledger.trimEnd().split('\n')).toHaveLength(2);

      const shown = await run(['backtest', ...names], { cwd });
      expect(shown.stdout).toMatch(/^sma-cross +USD_BTC_PERP [^]*^market-maker +USD_BTC_PERP /m);
      expect(shown.stdout).toContain('Without a result: late, early.');
      expect(shown.code).toBe(1);
    }));

  it('takes nothing from another pair either, and by itself is told as ever', () =>
    withFolder(async (cwd) => {
      await writeFile(join(cwd, 'early.ts'), thrower(1_000, 'too early'));
      const sample = join(ROOT, 'backtest', 'sample');
      await run(['data', 'export', sample, '--format', 'csv', '--out', 'trades.csv'], { cwd });
      const outside = await run(
        ['data', 'export', sample, '--format', 'csv', '--from', '2001-01-01', '--to', '2001-01-02'],
        { cwd },
      );
      expect([outside.code, outside.stdout]).toEqual([2, '']);
      expect(outside.stderr).toContain(
        'the stretch must have trades in it, received none from 2001-01-01 to 2001-01-02',
      );
      const trades = await readFile(join(cwd, 'trades.csv'), 'utf8');
      await writeFile(join(cwd, 'others.csv'), trades.replaceAll('USD_BTC_PERP', 'USD_ETH_PERP'));
      await run(['data', 'import', 'trades.csv', '--pair', 'USD_BTC_PERP'], { cwd });
      await run(['data', 'import', 'others.csv', '--pair', 'USD_ETH_PERP'], { cwd });
      const entry = (file: string, pair: string) => `  - file: ${file}\n    pair: ${pair}\n`;
      const shipped = join(ROOT, 'strategies', 'sma-cross.ts');
      const config = `version: 1\nstrategies:\n${entry(shipped, 'USD_BTC_PERP')}${entry('early.ts', 'USD_ETH_PERP')}`;
      await writeFile(join(cwd, 'tickwright.yaml'), config);
      const both = await run(['backtest', shipped, 'early.ts', '--json'], { cwd });
      expect(oneDocument(both.stdout)).toMatchObject({
        runs: [{ strategy: 'sma-cross', pair: 'USD_BTC_PERP' }],
        failed: [{ strategy: 'thrower', file: expect.stringMatching(/early\.ts$/), pair: 'USD_ETH_PERP' }],
      });
      expect(both.code).toBe(1);
      expect((await readdir(join(cwd, 'backtest', 'runs'))).length).toBe(3);

      const single = await run(['backtest', 'early.ts', '--json'], { cwd });
      expect([single.code, single.stdout]).toEqual([1, '']);
      expect(single.stderr).toMatch(/^error: early\.ts:5:\d+: too early/m);
    }));

  it('is named where all of them do and there is nothing to show', () =>
    withFolder(async (cwd) => {
      await writeFile(join(cwd, 'early.ts'), thrower(1_000, 'too early'));
      await writeFile(join(cwd, 'late.ts'), thrower(5_000, 'too late'));
      const { code, stdout, stderr } = await run(['backtest', 'late.ts', 'early.ts'], { cwd });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^late: error: [^]*^early: error: /m);
    }));

  it('for the same reason as all the others is told once, with them', () =>
    withFolder(async (cwd) => {
      const rows = [0, 60_000, 120_000].map(
        (time) => `${1_640_995_200_000 + time},60000,60001,59999,60000,1`,
      );
      await writeFile(join(cwd, 'bars.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
      await run(['data', 'import', 'bars.csv', '--pair', 'USD_BTC_PERP'], { cwd });
      const asked = ['backtest', 'sma-cross', 'sma-cross-streams', '--poll', '1s'];
      const { code, stdout, stderr } = await run(asked, { cwd });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr.match(/error: .*/g)).toEqual([
        expect.stringContaining('a backtest on bars must be without polls, received --poll'),
      ]);
      expect(stderr).toMatch(/^sma-cross, sma-cross-streams: error: /m);
    }));
});

describe('a saved backtest', () => {
  it('is executed again to the byte, and what was changed is named', () =>
    withFolder(async (cwd) => {
      const first = await runJson(['backtest', 'sma-cross', '--set', 'bars=5s', '--json'], { cwd });
      const id = String(first['runId']);
      const saved = join(cwd, 'backtest', 'runs', id, 'result.json');
      const text = await readFile(saved, 'utf8');
      expect(JSON.parse(text)).toEqual(first);
      expect(await runJson(['verify', id.slice(0, 6), '--json'], { cwd })).toMatchObject({ identical: true });

      await writeFile(saved, text.replace('"fills":', '"fills":1'));
      const changed = await run(['verify', id], { cwd });
      expect(changed.code).toBe(3);
      expect(changed.stdout).toContain('the first is fills');
      expect(changed.stdout).not.toContain('the code of the strategy');
      await writeFile(saved, text.replace('"strategyHash":"', '"strategyHash":"0'));
      expect((await run(['verify', id], { cwd })).stdout).toContain(
        'the first is strategyHash\n  the code of the strategy is not what the run was made with',
      );
      await writeFile(saved, text);

      const other = await runJson(['backtest', 'sma-cross', '--set', 'bars=10s', '--json'], { cwd });
      const compared = await runJson(['compare', id, String(other['runId']), '--json'], { cwd });
      expect(compared['identical']).toBe(false);
      expect(compared['differences']).toContainEqual({ key: 'params.bars', left: '5000', right: '10000' });

      // The first one once more is no trial of its own.
      await run(['backtest', 'sma-cross', '--set', 'bars=5s'], { cwd });
      const ledger = await readFile(join(cwd, 'backtest', 'runs', 'trials.ndjson'), 'utf8');
      expect(ledger.split('\n').filter((line) => line !== '')).toHaveLength(2);
    }));

  it('keeps no run with --no-save, and counts what was tried and seen all the same, once', () =>
    withFolder(async (cwd) => {
      for (const bars of ['5s', '5s', '10s']) {
        await runJson(['backtest', 'sma-cross', '--set', `bars=${bars}`, '--no-save', '--json'], { cwd });
      }
      const runs = join(cwd, 'backtest', 'runs');
      expect((await readdir(runs)).sort()).toEqual(['holdouts.ndjson', 'trials.ndjson']);
      const trials = await readFile(join(runs, 'trials.ndjson'), 'utf8');
      expect(trials.trim().split('\n')).toHaveLength(2);
      const search = ['optimize', 'sma-cross', '--space', 'fast=2..3', '--holdout', '30', '--budget', '2'];
      expect((await run(search, { cwd })).stdout).toContain('though it was seen before, by 2 runs:');
    }));

  it('fails with 3 and both numbers when a condition holds, and with 2 when it is none', () =>
    withFolder(async (cwd) => {
      const at = ['backtest', 'sma-cross', '--set', 'bars=5s', '--no-save', '--fail-if'];
      const failed = await run([...at, 'roundTrips > 3 && fees > 0'], { cwd });
      expect(failed.code).toBe(3);
      expect(failed.stderr).toMatch(/failed: roundTrips > 3: \d+ > 3/);
      expect((await run([...at, 'roundTrips < 3'], { cwd })).code).toBe(0);
      expect((await run([...at, 'roundTrips <'], { cwd })).code).toBe(2);
      // Before the run: nothing is printed of one.
      const unknown = await run([...at, 'sharpe < 1 && sharp < 1'], { cwd });
      expect(unknown.code).toBe(2);
      expect(unknown.stdout).toBe('');
      expect(unknown.stderr).toMatch(
        /--fail-if must name keys of the result .* received sharp \(did you mean sharpe\?\)$/m,
      );
    }));

  it('writes one line for each round trip that it counts', () =>
    withFolder(async (cwd) => {
      const at = ['backtest', 'sma-cross', '--set', 'bars=5s', '--no-save', '--json'];
      const result = await runJson([...at, '--round-trips', 'trips.csv'], { cwd });
      const [head, ...lines] = (await readFile(join(cwd, 'trips.csv'), 'utf8')).trimEnd().split('\n');
      expect(head).toBe(
        'entry_time,exit_time,side,quantity,entry_price,exit_price,pnl,fees,funding,worst,best,inside_gap',
      );
      expect(lines).toHaveLength(Number(result['roundTrips']));
    }));

  it('loses neither the result nor the other files when one of them cannot be written', () =>
    withFolder(async (cwd) => {
      // Free, and too long as soon as anything is added, as it is while the file is written.
      const report = `${'r'.repeat(245)}.html`;
      const files = ['--report', report, '--trades', 'fills.csv'];
      const ended = await run(['backtest', 'sma-cross', '--json', ...files], { cwd });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/^error: .*ENAMETOOLONG/m);
      const result = JSON.parse(ended.stdout) as Record<string, unknown>;
      const lines = (await readFile(join(cwd, 'fills.csv'), 'utf8')).trimEnd().split('\n').slice(1);
      expect(lines).toHaveLength(Number(result['fills']));
      const again = await run(['verify', String(result['runId'])], { cwd });
      expect(again.code).toBe(0);
    }));
});

it('of a recording that cannot be read to its end warns, and so does who runs it again', () =>
  withFolder(async (cwd) => {
    const name = join('recording', 'USD_BTC_PERP', '2026-01-05.arrow');
    await cp(join(ROOT, 'backtest', 'sample'), join(cwd, 'recording'), { recursive: true });
    await appendFile(join(cwd, name), 'of another file');
    const first = await run(['backtest', 'sma-cross', '--data', 'recording', '--json'], { cwd });
    const warning = /^warning: .*2026-01-05\.arrow: its last 15 bytes, .*cannot be read/m;
    expect(first.stderr).toMatch(warning);
    const { runId } = JSON.parse(first.stdout) as { readonly runId: string };
    const again = await run(['verify', runId], { cwd });
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(warning)]);
  }));

describe.skipIf(MAY_SKIP)(`the report in a browser (skipped: ${NO_BROWSER})`, () => {
  it('is laid out at the width of a desktop and of a phone without an error or a refused request', () =>
    withFolder(async (cwd) => {
      await run(['backtest', 'market-maker', '--no-save', '--report', 'report.html'], { cwd });
      await expectReport(cwd, 'report.html', [
        'figures',
        'equity',
        'underwater',
        'price',
        'models',
        'costs',
        'trips',
        'excursions',
        'clock',
      ]);
    }));

  it('is told of what the policy of the page refuses', () =>
    withFolder(async (cwd) => {
      await run(['backtest', 'sma-cross', '--no-save', '--report', 'report.html'], { cwd });
      const page = await readFile(join(cwd, 'report.html'), 'utf8');
      await writeFile(join(cwd, 'report.html'), page.replace('<main>', '<main><script>alert(1)</script>'));
      const wrongs = await reportWrongs(join(cwd, 'report.html'));
      expect(wrongs).toContainEqual(expect.stringMatching(/^console: .*Content Security Policy/));
    }));
});

it('what a strategy says on the console stands beside the results, not in them', () =>
  withFolder(async (cwd) => {
    await writeFile(
      join(cwd, 'talks.ts'),
      `import { defineStrategy } from 'tickwright';
console.log('loaded');
export default defineStrategy({
  name: 'talks',
  create() {
    console.info('made %d', 1);
    console.debug({ made: 2 });
    return {};
  },
});
`,
    );
    const { code, stdout, stderr } = await run(['backtest', 'talks.ts', '--json', '--no-save'], { cwd });
    expect(code).toBe(0);
    expect(oneDocument(stdout)).toMatchObject({ strategy: 'talks' });
    for (const said of ['loaded', 'made 1', '{ made: 2 }']) expect(stderr).toContain(said);
  }));
