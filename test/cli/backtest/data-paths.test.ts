import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataImport } from '../../../src/cli/commands/data-import.js';
import { dataPaths } from '../../../src/cli/backtest/data-paths.js';
import { SAMPLE_FOLDER } from '../../../src/cli/package.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { folder, PAIR } from '../../storage/support.js';

const before = process.cwd();
beforeEach(async () => process.chdir(await folder()));
afterEach(() => process.chdir(before));

async function defaultPaths() {
  const machine = thisMachine();
  return dataPaths(machine, await readSettings(machine, undefined), undefined);
}

it('an import that fails leaves nothing in the way of the sample', async () => {
  await writeFile('bad.csv', 'id,pair,is_buyer_maker,qty,price,time\n1,nonsense\n');
  await writeFile('bars.csv', 'open_time,open,high,low,close,volume\n1,nonsense\n');
  for (const file of ['bad.csv', 'bars.csv', 'none.csv']) {
    await expect(dataImport(file, { pair: PAIR, out: 'data' })).rejects.toThrow(file);
  }
  expect(await defaultPaths()).toMatchObject({ paths: [SAMPLE_FOLDER] });
});

it('./data counts once there is a recording in it', async () => {
  await mkdir(join('data', PAIR), { recursive: true });
  expect(await defaultPaths()).toEqual({
    paths: [SAMPLE_FOLDER],
    origin: 'the sample that ships: ./data holds no recordings',
  });
  await writeFile(join('data', PAIR, '2024-08-08.arrow'), '');
  expect(await defaultPaths()).toEqual({ paths: ['data'], origin: 'the default folder' });
});
