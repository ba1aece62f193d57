import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/model/random.js';
import { MAY_SKIP, NO_BROWSER } from './browser.js';
import { ROOT, run, runJson, withFolder } from './program.js';
import { expectReport } from './report-page.js';

const START = Date.UTC(2026, 0, 1);

/** Two days of a made-up market, as a file to import. */
function tape(pair: string, price: number): string {
  const random = seededRandom(pair);
  const lines = ['id,pair,is_buyer_maker,qty,price,time'];
  let time = START;
  let at = price;
  for (let id = 1; id <= 20_000; id++) {
    time += Math.floor(random.next() * 17_000);
    at *= 1 + (random.next() - 0.5) / 1_000;
    const quantity = (1 + Math.floor(random.next() * 200)) / 100;
    lines.push(`${id},${pair},${random.next() < 0.5},${quantity},${at.toFixed(1)},${time}`);
  }
  return `${lines.join('\n')}\n`;
}

const config = (strategies: readonly (readonly [file: string, pair: string])[], more = '') =>
  [
    'version: 1',
    'mode: paper',
    'venue: { url: "http://127.0.0.1:8085" }',
    'data: [data]',
    'strategies:',
    ...strategies.flatMap(([file, pair]) => [
      `  - file: ${join(ROOT, 'strategies', `${file}.ts`)}`,
      `    pair: ${pair}`,
    ]),
    more,
  ].join('\n');

const TWO = [
  ['sma-cross', 'USD_BTC_PERP'],
  ['market-maker', 'USD_ETH_PERP'],
] as const;

const TELLER = `
import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'teller',
  params: {},
  create: () => ({
    onTrade() {
      throw new Error('seen enough');
    },
  }),
});
`;

/** A folder with recordings of two pairs, and a configuration that trades both. */
const withData = (work: (cwd: string) => Promise<void>, text = config(TWO)) =>
  withFolder(async (cwd) => {
    for (const [pair, price] of [
      ['USD_BTC_PERP', 60_000],
      ['USD_ETH_PERP', 3_000],
    ] as const) {
      await writeFile(join(cwd, 'trades.csv'), tape(pair, price));
      const imported = await run(['data', 'import', 'trades.csv', '--pair', pair, '--out', 'data'], { cwd });
      expect(imported.code).toBe(0);
    }
    await writeFile(join(cwd, 'tickwright.yaml'), text);
    await work(cwd);
  });

type Result = Record<string, unknown> & {
  readonly strategies: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly pnl: Readonly<Record<string, string>>;
};

describe('a backtest of all strategies of a configuration', () => {
  it('is on one account, where each decides as alone while money does not bind, and can be run again', () =>
    withData(async (cwd) => {
      const first = await run(['backtest', '--json'], { cwd });
      const second = await run(['backtest', '--json', '--no-save'], { cwd });
      expect([first.code, second.stdout]).toEqual([0, first.stdout]);
      const result = JSON.parse(first.stdout) as Result;
      let sum = 0;
      for (const [name, pair] of TWO) {
        const alone = await runJson(['backtest', name, '--json', '--no-save'], { cwd });
        const part = result.strategies[pair];
        for (const key of ['wantsHash', 'decisionHash', 'pnl', 'fills', 'orders', 'trades', 'roundTrips']) {
          expect([pair, key, part?.[key]]).toEqual([pair, key, alone[key]]);
        }
        expect(Number(alone['fills'])).toBeGreaterThan(20);
        sum += Number((alone['pnl'] as Result['pnl'])['queue']);
      }
      expect(Number(result.pnl['queue'])).toBeCloseTo(sum, 6);

      const runId = String(result['runId']);
      const folder = join(cwd, 'backtest', 'runs', runId);
      expect((await readdir(folder)).sort()).toEqual(['result.json', 'run.json', 'series.json']);
      expect(await readFile(join(folder, 'result.json'), 'utf8')).toBe(first.stdout);
      expect(await runJson(['verify', runId, '--json'], { cwd })).toMatchObject({ runId, identical: true });

      const poor = JSON.parse(
        (await run(['backtest', '--capital', 'USD=15', '--json'], { cwd })).stdout,
      ) as Result;
      const refused = Object.values(poor.strategies).map(({ reasons }) => JSON.stringify(reasons));
      expect(refused.join()).toContain('balance');
      const compared = await runJson(['compare', runId, String(poor['runId']), '--json'], { cwd });
      expect(compared['differences']).toContainEqual({ key: 'capital', left: '100000', right: '15' });

      const shown = await run(['backtest', '--no-save'], { cwd });
      expect(shown.stdout).toMatch(/^2 strategies on one account of 100000\.00 USD, /);
      for (const [name, pair] of TWO) expect(shown.stdout).toMatch(new RegExp(`^  ${name} +${pair} `, 'm'));
    }));

  it('opens the holdout of a pair before it reads it, though a strategy throws what it saw', () =>
    withData(
      async (cwd) => {
        await writeFile(join(cwd, 'teller.ts'), TELLER);
        const space = ['--space', 'fast=2,3', '--set', 'bars=5m', '--pair', 'USD_ETH_PERP'];
        const kept = ['--holdout', '20%', '--keep-sealed'];
        expect((await run(['optimize', 'sma-cross', ...space, ...kept], { cwd })).code).toBe(0);
        expect((await run(['backtest'], { cwd })).code).toBe(2);
        const told = await run(['backtest', '--open-holdout'], { cwd });
        expect(told.stderr).toMatch(/the holdout of USD_ETH_PERP, .*, is opened: [^]*seen enough/);
        expect(told).toMatchObject({ code: 1, stdout: '' });
        const after = await run(['backtest', 'sma-cross', '--pair', 'USD_ETH_PERP'], { cwd });
        expect(after.code).toBe(0);
        expect(after.stderr).toContain('was opened by teller, which came to no result');
      },
      config([TWO[0], ['sma-cross', 'USD_ETH_PERP']]).replace(
        new RegExp(`${join(ROOT, 'strategies', 'sma-cross.ts')}(?=\\n    pair: USD_ETH)`),
        './teller.ts',
      ),
    ));

  it('keeps its strategies together within the limits of the account', () =>
    withData(
      async (cwd) => {
        const { strategies } = (await runJson(['backtest', '--json'], { cwd })) as Result;
        const reasons = Object.values(strategies).map((part) => JSON.stringify(part['reasons']));
        expect(reasons.join()).toContain('max-gross-notional');
      },
      config(TWO, 'limits: { maxGrossNotional: "610" }'),
    ));

  it('gives each pair the parameters of its own entry, where one file trades several', () =>
    withData(
      async (cwd) => {
        const { strategies } = (await runJson(['backtest', '--json'], { cwd })) as Result;
        const params = Object.values(strategies).map((part) => part['params']);
        expect(params).toEqual([
          expect.objectContaining({ fast: '5', slow: '20' }),
          expect.objectContaining({ fast: '9', slow: '40' }),
        ]);
      },
      config([
        ['sma-cross', 'USD_BTC_PERP'],
        ['sma-cross', 'USD_ETH_PERP'],
      ])
        .replace('USD_BTC_PERP', 'USD_BTC_PERP\n    params: { fast: 5, slow: 20 }')
        .replace('USD_ETH_PERP', 'USD_ETH_PERP\n    params: { fast: 9, slow: 40 }'),
    ));

  it('fails by figures of the account and of each strategy, and names those that are not there', () =>
    withData(async (cwd) => {
      const failIf = (condition: string) => run(['backtest', '--no-save', '--fail-if', condition], { cwd });
      expect((await failIf('fills > 0')).code).toBe(3);
      expect((await failIf('strategies.USD_ETH_PERP.fills > 0')).code).toBe(3);
      expect((await failIf('strategies.USD_ETH_PERP.fills < 0 || metrics.maxLeverage > 50')).code).toBe(0);
      const unknown = await failIf('strategies.USD_XRP_PERP.fills > 0');
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        expect.stringContaining('received strategies.USD_XRP_PERP.fills'),
      ]);
    }));

  it('takes what is of one strategy for a mistake, and says what can be on one account', () =>
    withData(async (cwd) => {
      for (const flags of [
        ['--trades', 't.csv'],
        ['--poll', '1s'],
        ['--pair', 'USD_BTC_PERP'],
      ]) {
        const { code, stderr } = await run(['backtest', ...flags], { cwd });
        const text = `${flags[0] ?? ''} must be with one strategy that is named, received the 2 of `;
        expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
      }
      await writeFile(join(cwd, 'none.yaml'), 'version: 1\nmode: paper\n');
      const none = await run(['backtest', '--config', 'none.yaml'], { cwd });
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('a strategy must be named')]);
      const empty = await run(['backtest', '--from', '2100-01-01'], { cwd });
      expect([empty.code, empty.stderr]).toEqual([
        2,
        expect.stringContaining('the recording of USD_BTC_PERP must hold trades in the stretch'),
      ]);
    }));

  it.skipIf(MAY_SKIP)(`has a report for a browser (skipped: ${NO_BROWSER})`, () =>
    withData(async (cwd) => {
      const shown = await run(['backtest', '--no-save', '--report', 'report.html'], { cwd });
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^report report\.html$/m)]);
      await expectReport(cwd, 'report.html', [
        'figures',
        'equity',
        'strategies',
        'contributions',
        'underwater',
        'models',
        'costs',
        'clock',
        'provenance',
      ]);
      const unwritable = await run(['backtest', '--no-save', '--report', 'no/such/report.html'], { cwd });
      expect([unwritable.code, unwritable.stdout]).toEqual([2, '']);
    }),
  );

  it('names the strategy that throws, by its file and line', () =>
    withData(async (cwd) => {
      await writeFile(
        join(cwd, 'thrower.ts'),
        `import { defineStrategy } from 'tickwright';\n` +
          `let trades = 0;\n` +
          `export default defineStrategy({ name: 'thrower', params: {}, create: () => ({\n` +
          `  onTrade() {\n` +
          `    if (++trades > 1_000) throw new Error('too many');\n` +
          `    return undefined;\n` +
          `  },\n` +
          `}) });\n`,
      );
      const text = config([TWO[0], ['../thrower', 'USD_ETH_PERP']]).replace(
        join(ROOT, 'strategies', '../thrower.ts'),
        join(cwd, 'thrower.ts'),
      );
      await writeFile(join(cwd, 'tickwright.yaml'), text);
      const { code, stdout, stderr } = await run(['backtest'], { cwd });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/thrower\.ts:5:\d+.*too many/);
    }));
});

it('of several strategies on one account each that waits for tickers hears that there are none', () =>
  withData(
    async (cwd) => {
      const lone = TELLER.replace("onTrade() {\n      throw new Error('seen enough');", 'onTicker() {');
      await writeFile(join(cwd, 'lone.ts'), lone);
      const { code, stderr } = await run(['backtest', '--no-save', '--json'], { cwd });
      expect(code).toBe(0);
      expect(stderr.match(/^warning: .*/gm)).toEqual([
        expect.stringContaining('teller has onTicker, and nothing came of it: the recording of USD_ETH_PERP'),
      ]);
    },
    config(TWO).replace(join(ROOT, 'strategies', 'market-maker.ts'), './lone.ts'),
  ));
