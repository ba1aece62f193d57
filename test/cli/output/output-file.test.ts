import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { dataExport } from '../../../src/cli/commands/data-export.js';
import { run } from '../../../src/cli/commands/run.js';
import type { BacktestOptions } from '../../../src/cli/backtest/backtest-options.js';
import { checkOutputFile } from '../../../src/cli/output/output-file.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { temporaryFolder } from '../../support/temp-folder.js';

/** There is no such recording: who looks at the data first says so. */
const NO_DATA = '/no/such/recording';

async function folder(): Promise<string> {
  const directory = await temporaryFolder('output');
  await mkdir(join(directory, 'adir'));
  await writeFile(join(directory, 'file'), '');
  return directory;
}

describe('a file that cannot be written where it was asked for', () => {
  it.each([
    'report',
    'trades',
    'roundTrips',
  ])('of backtest, %s, is told before any data is read', async (name) => {
    const at = await folder();
    const flag = { report: '--report', trades: '--trades', roundTrips: '--round-trips' }[name];
    const outcome = (path: string) => {
      const options: BacktestOptions = { fill: 'queue', seed: 1, data: [NO_DATA], save: false };
      return backtest(['sma-cross'], { ...options, [name]: path });
    };
    await expect(outcome(`${at}/none/x`)).rejects.toThrow(
      `${flag} must be in a folder that is there, received ${at}/none/x`,
    );
    await expect(outcome(`${at}/file/x`)).rejects.toThrow(
      `${flag} must be in a folder that is there, received ${at}/file/x`,
    );
    await expect(outcome(`${at}/adir`)).rejects.toThrow(
      `${flag} must name a file, received the directory ${at}/adir`,
    );
    await expect(outcome('-')).rejects.toThrow(`${flag} must name a file, received -, which is none`);
    await expect(outcome('./-')).rejects.toThrow(NO_DATA);
    await expect(outcome('/dev/null')).rejects.toThrow(
      `${flag} must name a file, received /dev/null, a device, pipe or socket`,
    );
  });

  it('because its folder may not be written is told as what it is, by the path that was given', async () => {
    const at = await folder();
    const refused = () => Promise.resolve(`EACCES: permission denied, access '${at}'`);
    for (const path of [`${at}/x`, `${at}/file`]) {
      await expect(checkOutputFile(nodeFiles, '--report', path, refused)).rejects.toThrow(
        new RegExp(
          `^--report must be in a folder that user \\S+ may write, received ${path}: EACCES: permission denied$`,
        ),
      );
      await checkOutputFile(nodeFiles, '--report', path);
    }
  });

  it('because another result of backtest goes there is told before any data is read', async () => {
    const at = await folder();
    const options: BacktestOptions = { fill: 'queue', seed: 1, data: [NO_DATA], save: false };
    const two = { trades: `${at}/x`, report: `${at}/adir/../x` };
    await expect(backtest(['sma-cross'], { ...options, ...two })).rejects.toThrow(
      `--report must name another file than --trades, received ${at}/adir/../x`,
    );
    await expect(backtest(['sma-cross'], { ...options, ...two, report: `${at}/y` })).rejects.toThrow(NO_DATA);
  });

  it('of data export is told before any data is read', async () => {
    const at = await folder();
    await expect(dataExport(NO_DATA, { format: 'csv', out: `${at}/none/x.csv` })).rejects.toThrow(
      `--out must be in a folder that is there, received ${at}/none/x.csv`,
    );
    await expect(dataExport(NO_DATA, { format: 'csv', out: `${at}/adir` })).rejects.toThrow(
      `--out must name a file, received the directory ${at}/adir`,
    );
  });
});

/** A project: a strategy of two files, a configuration of it, a recording. */
async function project(): Promise<string> {
  const at = await temporaryFolder('project');
  await copyFile(resolve('strategies/sma-cross.ts'), join(at, 'my.ts'));
  await writeFile(join(at, 'part.ts'), 'export const part = 1;\n');
  const text = await readFile(join(at, 'my.ts'), 'utf8');
  await writeFile(join(at, 'my.ts'), `import './part.js';\n${text}`);
  await writeFile(
    join(at, 'tickwright.yaml'),
    ['version: 1', 'mode: paper', 'strategies:', '  - file: my.ts', '    pair: USD_BTC_PERP', ''].join('\n'),
  );
  await mkdir(join(at, 'data', 'USD_BTC_PERP'), { recursive: true });
  await writeFile(join(at, 'data', 'USD_BTC_PERP', '2026-01-05.arrow'), '');
  await symlink(join(at, 'my.ts'), join(at, 'link.ts'));
  await symlink(at, join(at, 'adir'));
  return at;
}

describe('what a run reads is never written over', () => {
  const refusal = (flag: string, path: string, what: string) =>
    `${flag} must name a file that the run does not read, received ${path}, which is ${what}`;
  const options: BacktestOptions = { fill: 'queue', seed: 1, save: false };
  const ends: readonly (readonly [path: string, what: string])[] = [
    ['my.ts', 'its strategy'],
    ['link.ts', 'its strategy'],
    ['adir/my.ts', 'its strategy'],
    ['part.ts', 'a part of its strategy'],
    ['tickwright.yaml', 'its configuration'],
    ['data/USD_BTC_PERP/2026-01-05.arrow', 'its recording'],
    ['data/USD_BTC_PERP/market.json', 'its recording'],
  ];

  it.each(ends)('of backtest, whatever it is called: %s', async (name, what) => {
    const at = await project();
    const config = join(at, 'tickwright.yaml');
    const data = [join(at, 'data')];
    const path = relative(process.cwd(), join(at, name));
    const flags = { report: '--report', trades: '--trades', roundTrips: '--round-trips' };
    for (const [key, flag] of Object.entries(flags)) {
      const outcome = backtest([join(at, 'my.ts')], { ...options, config, data, [key]: path });
      await expect(outcome).rejects.toThrow(refusal(flag, path, what));
    }
    const configured = backtest([], { ...options, config, data, report: path });
    await expect(configured).rejects.toThrow(refusal('--report', path, what));
  });

  it('of several strategies on one account', async () => {
    const at = await project();
    const config = join(at, 'tickwright.yaml');
    const shipped = resolve('strategies/sma-cross.ts');
    await writeFile(
      config,
      `${await readFile(config, 'utf8')}  - file: ${shipped}\n    pair: USD_ETH_PERP\n`,
    );
    for (const [name, what] of [
      ['my.ts', 'its strategy'],
      ['tickwright.yaml', 'its configuration'],
    ] as const) {
      const report = join(at, name);
      await expect(backtest([], { ...options, config, report })).rejects.toThrow(
        refusal('--report', report, what),
      );
    }
  });

  it('of data export', async () => {
    const at = await project();
    const out = join(at, 'data', 'USD_BTC_PERP', '2026-01-05.arrow');
    await expect(dataExport(join(at, 'data'), { format: 'csv', out })).rejects.toThrow(
      refusal('--out', out, 'its recording'),
    );
  });

  it('of run, by its capture', async () => {
    const at = await project();
    const [my, config] = [join(at, 'my.ts'), join(at, 'tickwright.yaml')];
    for (const [capture, what] of [
      [my, 'its strategy'],
      [config, 'its configuration'],
    ] as const) {
      await expect(run(my, { seed: 1, config, capture, venue: 'http://127.0.0.1:1' })).rejects.toThrow(
        refusal('--capture', capture, what),
      );
    }
  });
});
