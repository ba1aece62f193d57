import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson, withFolder } from './program.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

/** Imports bars of an hour of these days of January 2024. */
async function record(cwd: string, days: readonly number[]): Promise<void> {
  const rows = days.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const at = day * 24 + hour;
      const price = 60_000 + Math.round(2_000 * Math.sin(at / 7));
      return `${START + at * HOUR},${price},${price + 5},${price - 5},${price},1`;
    }),
  );
  await writeFile(join(cwd, 'bars.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
  const { code, stderr } = await run(['data', 'import', 'bars.csv', '--pair', 'USD_BTC_PERP'], { cwd });
  expect(code, stderr).toBe(0);
}

const SEARCH = ['optimize', 'sma-cross', '--set', 'fast=3', 'slow=10', '--workers', '1', '--json'];

it('of the bars to choose from, those that the recording has not fail their trials alone, with a row each', () =>
  withFolder(async (cwd) => {
    await record(cwd, [0, 1, 2]);
    const found = await runJson([...SEARCH, '--space', 'bars=30m,1h,2h', '--trials', 't.csv'], { cwd });
    const reason =
      'sma-cross must read bars of 1h or a multiple of it on this recording of bars, received 30m';
    expect(found).toMatchObject({ trials: 3, failed: 1, failures: [{ reason, count: 1 }] });
    const [head, ...rows] = (await readFile(join(cwd, 't.csv'), 'utf8')).trimEnd().split('\n');
    expect(head).toBe('trial,bars,pnl,sharpe,calmar,max_drawdown,fills,round_trips,run_id,failed');
    expect(rows.slice(0, 2).map((row) => row.split(',').at(-1))).toEqual(['', '']);
    expect(rows.slice(2)).toEqual([`1,30m,,,,,,,,"${reason}"`]);
  }));

it('a search of nothing but such bars is a mistake of who asks', () =>
  withFolder(async (cwd) => {
    await record(cwd, [0, 1, 2]);
    const { code, stdout, stderr } = await run([...SEARCH, '--space', 'bars=10m,30m'], { cwd });
    expect(stderr).toContain('received 2 that all failed: sma-cross must read bars of 1h or a multiple');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }));

it('a part of the walk forward of which nothing is recorded has no result, and is no trial', () =>
  withFolder(async (cwd) => {
    const days = Array.from({ length: 10 }, (_, day) => day);
    await record(cwd, [...days, ...days.map((day) => 30 + day)]);
    const walk = [...SEARCH, '--space', 'bars=1h,2h', '--walk-forward', '3'];
    const found = await runJson(walk, { cwd });
    const nothing = { failed: expect.stringMatching(/^nothing is recorded of USD_BTC_PERP from 2024-01-/) };
    expect(found['walkForward']).toMatchObject([
      { outOfSample: nothing },
      { outOfSample: nothing },
      { outOfSample: { pnl: expect.any(String) } },
    ]);
    const ledger = await readFile(join(cwd, 'backtest', 'runs', 'trials.ndjson'), 'utf8');
    const trials = ledger
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly from: number });
    expect(trials.filter(({ from }) => !(from >= START))).toEqual([]);

    const { stdout } = await run(
      walk.filter((word) => word !== '--json'),
      { cwd },
    );
    expect(stdout).toMatch(/ in all, [01] of 1 with a profit, 2 without a result$/m);
  }));
