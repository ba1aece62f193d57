/** What cannot begin is said by `check`, before a session or a backtest does. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { loadChecks } from '../../../src/cli/doctor/doctor-config.js';
import type { Settings } from '../../../src/cli/settings/settings.js';
import { strategyFilesCheck } from '../../../src/cli/doctor/strategy-files-check.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { folder } from '../../storage/support.js';

let project: string;
beforeEach(async () => {
  project = await folder();
  await mkdir(join(project, 'strategies'));
});

const CASES = [
  ["create() { throw new Error('no luck'); }", /one\.ts:3:\d+.*no luck/],
  ['create: () => ({ onTrades() {} })', /one\.ts: .*onTrades/],
  [
    "create: ({ size }) => { if (size === '9') throw new Error('nine'); return { onTrade() {} }; }",
    undefined,
  ],
] as const;

async function write(body: string): Promise<string> {
  const file = join(project, 'strategies', 'one.ts');
  const code = `import { defineStrategy, choice } from 'tickwright';\nexport default defineStrategy({ name: 'one', params: { size: choice({ default: '1', of: ['1', '9'] }) },\n${body} });\n`;
  await writeFile(file, code);
  return file;
}

const configured = async (file: string, params = {}) => {
  const settings = { strategies: [{ file, pair: 'USD_OF_NOBODY', params }] } as unknown as Settings;
  const [found] = await loadChecks(thisMachine(), settings, false);
  return found;
};

it.each(CASES)('of a strategy with %s', async (body, said) => {
  const file = await write(body);
  const found = [
    await configured(file),
    ...(await strategyFilesCheck(thisMachine(), { strategies: [] }, project)),
  ];
  const status = said === undefined ? 'ok' : 'fail';
  expect(found).toMatchObject([{ status }, { status }]);
  if (said !== undefined) for (const each of found) expect(each?.detail).toMatch(said);
});

it('the parameters are those of the configuration', async () => {
  const file = await write(CASES[2][0]);
  expect(await configured(file, { size: '9' })).toMatchObject({ status: 'fail' });
});
