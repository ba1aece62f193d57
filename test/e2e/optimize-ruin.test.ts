import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run, runJson } from './program.js';

const HOUR_MS = 3_600_000;
const FROM = Date.parse('2026-01-05T00:00:00.001Z');
const HOURS = 40 * 24;
const TO = FROM + (HOURS - 1) * HOUR_MS + 1_000;

/** Holds from the first trade on, and on the twentieth day the price is half of what it was. */
const HOLDER = `
import { decimal, defineStrategy, holdPosition } from 'tickwright';
export default defineStrategy({
  name: 'holder',
  params: { quantity: decimal({ default: '0.01', min: 0 }) },
  create: ({ quantity }) => ({ onTrade: () => holdPosition(quantity) }),
});
`;

let folder = '';
const here = () => ({ cwd: folder });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-ruin-'));
  await writeFile(join(folder, 'holder.ts'), HOLDER);
  // Two an hour, a seller's and a buyer's a second later.
  const lines = Array.from({ length: 2 * HOURS }, (_, at) => {
    const hour = Math.floor(at / 2);
    const price = (hour < 20 * 24 ? 60_000 : 30_000) + ((hour * 7) % 11);
    const time = FROM + hour * HOUR_MS + (at % 2) * 1_000;
    return `${at + 1},USD_BTC_PERP,${at % 2 === 0},5,${price},${time}`;
  });
  const csv = ['id,pair,is_buyer_maker,qty,price,time', ...lines, ''].join('\n');
  await writeFile(join(folder, 'trades.csv'), csv);
  await runJson(
    ['data', 'import', 'trades.csv', '--pair', 'USD_BTC_PERP', '--out', 'data', '--json'],
    here(),
  );
});
afterAll(() => rm(folder, { recursive: true }));

const optimize = (quantities: string, ...more: string[]) => [
  'optimize',
  'holder.ts',
  '--space',
  `quantity=${quantities}`,
  '--capital',
  'USD=10000',
  ...more,
];

it('a trial that was ruined leaves the others their probability of overfitting', async () => {
  const result = await runJson(optimize('0.01,0.02,0.03,0.5', '--json'), here());
  expect(result).toMatchObject({ trials: 4, failed: 0, objective: 'sharpe', from: FROM, to: TO });
  expect(result['overfitting']).toEqual(expect.any(Number));
  expect(result['effectiveTrials']).toEqual(expect.any(Number));
});

it.each([
  ['0.5', ['--objective', 'pnl'], 'no deflated Sharpe: the account was ruined'],
  ['0,0.5', ['--objective', 'pnl'], 'no deflated Sharpe: nothing was traded'],
  [
    '0.01,0.02',
    ['--to', '2026-01-15', '--objective', 'pnl'],
    'no deflated Sharpe: 10 full days, 30 are needed',
  ],
])('why there is no deflated Sharpe of %s is said', async (quantities, more, words) => {
  const { code, stdout } = await run(optimize(quantities, ...more), here());
  expect(stdout).toContain(words);
  expect(code).toBe(0);
});

it('no trial that trades is a search that failed, and opens no holdout', async () => {
  const { code, stdout, stderr } = await run(optimize('0', '--objective', 'pnl', '--holdout', '20%'), here());
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('a search must have trials that trade, received 1 without a fill');
  const events = await readFile(join(folder, 'backtest', 'runs', 'holdouts.ndjson'), 'utf8').catch(() => '');
  expect(events).not.toContain('"opened"');
});

it('what was searched ends where it does though the best was ruined before', async () => {
  const ruined = ['0.5', '--objective', 'pnl'] as const;
  expect(await runJson(optimize(...ruined, '--json'), here())).toMatchObject({ from: FROM, to: TO });
  const { stdout } = await run(optimize(...ruined), here());
  expect(stdout).toContain('2026-01-05T00:00:00.001Z to 2026-02-13T23:00:01.001Z');
  const held = await runJson(optimize(...ruined, '--holdout', '25%', '--json'), here());
  // Ten of forty days are kept: the last print before them.
  expect(held).toMatchObject({ from: FROM, to: TO - 10 * 24 * HOUR_MS });
});
