import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backtest } from '../../src/cli/commands/backtest.js';
import { dataExport } from '../../src/cli/commands/data-export.js';
import type { BacktestOptions } from '../../src/cli/compose/backtest-options.js';

/** There is no such recording: who looks at the data first says so. */
const NO_DATA = '/no/such/recording';

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tw-output-'));
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
