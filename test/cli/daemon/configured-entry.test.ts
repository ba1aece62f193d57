/** One strategy file on two pairs of a configuration: each command takes the entry of the pair that is asked for. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { certify } from '../../../src/cli/commands/certify.js';
import { lookahead } from '../../../src/cli/commands/lookahead.js';
import { optimize } from '../../../src/cli/commands/optimize.js';
import { run } from '../../../src/cli/commands/run.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { loadConfiguredStrategy } from '../../../src/cli/strategy/strategy.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { folder } from '../../storage/support.js';

const STRATEGY = `import { defineStrategy, integer } from 'tickwright';
export default defineStrategy({
  name: 'still',
  params: { fast: integer({ default: 10 }), slow: integer({ default: 30 }) },
  create: () => ({ onTrade: () => undefined }),
});
`;

let config: string;
let file: string;
beforeEach(async () => {
  const directory = await folder();
  config = join(directory, 'two.yaml');
  file = join(directory, 'still.ts');
  await writeFile(file, STRATEGY);
  await configure('{ file: still.ts, pair: USD_ETH_PERP, params: { fast: 3 }, warmUp: 30m, onDoubt: hold }');
});

const configure = (second: string) =>
  writeFile(
    config,
    'version: 1\nstrategies:\n' +
      '  - { file: still.ts, pair: USD_BTC_PERP, params: { fast: 1 }, warmUp: 1m }\n' +
      `  - ${second}\n`,
  );

describe('a file with two entries', () => {
  const load = async (pair?: string, set?: Record<string, string>) =>
    loadConfiguredStrategy(thisMachine(), await readSettings(thisMachine(), config), file, { pair, set });

  it('is that of the pair', async () => {
    expect(await load('USD_BTC_PERP')).toMatchObject({
      strategy: { params: { fast: '1', slow: '30' } },
      configured: { pair: 'USD_BTC_PERP', warmUp: 60_000 },
    });
    expect(await load('USD_ETH_PERP', { slow: '40' })).toMatchObject({
      strategy: { params: { fast: '3', slow: '40' } },
      configured: { pair: 'USD_ETH_PERP', warmUp: 1_800_000, onDoubt: 'hold' },
    });
  });

  it('is refused where the pair does not decide, and its pairs are named', async () => {
    const words = `--pair must choose one of the 2 entries that the configuration has of ${file} (USD_BTC_PERP, USD_ETH_PERP), received`;
    await expect(load()).rejects.toMatchObject({ code: 'TICKWRIGHT_E_PAIR', message: `${words} none` });
    await expect(load('USD_XRP_PERP')).rejects.toThrow(`${words} USD_XRP_PERP`);
  });
});

it('a file with one entry is that entry, whatever the pair', async () => {
  await configure('{ file: other.ts, pair: USD_ETH_PERP }');
  const settings = await readSettings(thisMachine(), config);
  const entry = { pair: 'USD_BTC_PERP', warmUp: 60_000 };
  expect(settings.strategy(file, undefined)).toMatchObject(entry);
  expect(settings.strategy(file, 'USD_ETH_PERP')).toMatchObject(entry);
  expect(settings.strategy(join(config, '..', 'none.ts'), 'USD_BTC_PERP')).toBeUndefined();
});

describe('of a file with two entries', () => {
  const data = ['backtest/sample'];
  const commands: Readonly<Record<string, (pair?: string) => Promise<unknown>>> = {
    run: (pair) => run(file, { config, pair, seed: 1 }),
    backtest: (pair) => backtest([file], { config, pair, data, fill: 'all', seed: 1, save: false }),
    lookahead: (pair) => lookahead(file, { config, pair, data, cuts: 1, seed: 1 }),
    optimize: (pair) =>
      optimize(file, { config, pair, data, budget: 1, walkForward: 0, fill: 'queue', seed: 1 }),
    certify: (pair) => certify(file, { config, pair, seeds: 1 }),
  };

  it.each(Object.keys(commands))('%s takes that of --pair, and wants one', async (name) => {
    await configure('{ file: still.ts, pair: USD_ETH_PERP, params: { fats: 3 } }');
    await expect(commands[name]?.('USD_ETH_PERP')).rejects.toThrow(/two\.yaml:4:\d+ .*fats/);
    await expect(commands[name]?.()).rejects.toThrow(/USD_BTC_PERP, USD_ETH_PERP.*received none/);
  });
});
