import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backtest } from '../../src/cli/commands/backtest.js';
import { parity } from '../../src/cli/commands/parity.js';
import { strategyHelp } from '../../src/cli/commands/strategy-help.js';
import { momentOf } from '../../src/cli/commands/why-not.js';
import { loadTapes } from '../../src/cli/venue/tape.js';
import { nodeFiles } from '../../src/platform/files.js';
import { importBars } from '../../src/storage/import/import-bars.js';
import { temporaryFolder } from '../support/temp-folder.js';

const OPTIONS = { fill: 'queue', seed: 1, save: false, data: ['backtest/sample'] } as const;

it('a stretch that ends before it begins is said to be one', async () => {
  await expect(backtest(['sma-cross'], { ...OPTIONS, from: '2026-01-06', to: '2026-01-05' })).rejects.toThrow(
    '--from must be before --to, received 2026-01-06 and 2026-01-05',
  );
});

it('a stretch outside of a recording is told what is recorded', async () => {
  await expect(backtest(['sma-cross'], { ...OPTIONS, from: '2025-01-06', to: '2025-01-07' })).rejects.toThrow(
    'within what is recorded of USD_BTC_PERP, 2026-01-05 to 2026-01-05 UTC',
  );
});

it('a time of the day that is none is told the form of one', () => {
  expect(() => momentOf('25:02', 0)).toThrow('--at must be a time like 14:02 (today, UTC), 2024-08-08,');
});

it('parity of a file that is no capture says what it must be', async () => {
  const path = 'strategies/sma-cross.ts';
  await expect(parity(path, {})).rejects.toThrow(
    `${path}:1 must be the header of a capture, which a session wrote its inputs into`,
  );
});

it('help on a command with a typo names it', async () => {
  await expect(strategyHelp('bactest', {}, ['backtest', 'run'])).rejects.toThrow('(did you mean backtest?)');
  await expect(strategyHelp('sma-crss', {}, ['backtest'])).rejects.toThrow('(did you mean sma-cross?)');
});

it('a tape of text files is of one pair', async () => {
  const file = join(await temporaryFolder('hints'), 'trades.csv');
  await writeFile(file, 'id,price,qty,time,is_buyer_maker\n1,60000,0.01,1640995200000,true\n');
  await expect(loadTapes(nodeFiles, [file], ['USD_BTC_PERP', 'USD_ETH_PERP'])).rejects.toThrow(
    '--pair must be one market where --tape names files of trades as text, received USD_BTC_PERP, USD_ETH_PERP',
  );
});

it('a tape of bars is said to hold bars', async () => {
  const folder = await temporaryFolder('hints');
  const file = join(folder, 'bars.csv');
  await writeFile(
    file,
    'time,open,high,low,close,volume\n1640995200000,1,3,1,2,5\n1640995260000,1,3,1,2,5\n',
  );
  await importBars(nodeFiles, { sources: [file], directory: join(folder, 'data'), pair: 'USD_BTC_PERP' });
  await expect(loadTapes(nodeFiles, [join(folder, 'data')], [])).rejects.toThrow(
    '--tape must be recordings of trades, received bars of USD_BTC_PERP',
  );
});
