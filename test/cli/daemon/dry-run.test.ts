import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { set } from '../../../src/cli/commands/set.js';
import { swap } from '../../../src/cli/commands/swap.js';
import { describeError } from '../../../src/cli/report-error.js';
import { folder } from '../../storage/support.js';

it('set and swap without anything to compare with say so alike', async () => {
  const directory = await folder();
  const config = join(directory, 'bot.yaml');
  await writeFile(config, 'version: 1\nstrategies:\n  - { file: sma-cross.ts, pair: USD_BTC_PERP }\n');
  const options = { config, dryRun: true, reason: '' } as const;
  const reports = [set({ fast: '5' }, options), swap('market-maker', options)].map(async (dry) =>
    describeError(await dry.catch((error: unknown) => error)),
  );
  const report = {
    exitCode: 2,
    text:
      `error: decisions are compared on what a live session recorded; ${join(directory, 'var', 'USD_BTC_PERP', 'capture')} ` +
      'must hold one, received none (sessions on paper record none: compare backtests)',
  };
  expect(await Promise.all(reports)).toEqual([report, report]);
});
