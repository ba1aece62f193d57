import { describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseConfigured, chooseMarket, orUnknownPair, refusalOf } from '../../../src/cli/settings/pair.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { demandPerpetual } from '../../../src/model/market.js';
import { VenueError } from '../../../src/ports/venue-api.js';
import { folder } from '../../storage/support.js';
import { BTC } from '../../support/markets.js';

const api = { markets: () => Promise.resolve(new Map([[BTC.pair, BTC]])) };

describe('the market to work on', () => {
  it('is the one that is named, else the only active one', async () => {
    expect(await chooseMarket(api, BTC.pair)).toBe(BTC);
    expect(await chooseMarket(api, undefined)).toBe(BTC);
  });

  it('is refused by the name of the option that named it', async () => {
    await expect(chooseMarket(api, 'NOPE')).rejects.toThrow(
      `--pair must be a market of the venue (${BTC.pair}), received NOPE`,
    );
    await expect(chooseMarket(api, 'NOPE', 'PAIR')).rejects.toThrow(
      `PAIR must be a market of the venue (${BTC.pair}), received NOPE`,
    );
  });

  it('that the configuration names is refused by its place there, where no flag named another', async () => {
    const config = join(await folder(), 'bot.yaml');
    await writeFile(
      config,
      'version: 1\nstrategies:\n  - { file: a.ts, pair: USD_XXX }\n  - { file: b.ts, pair: USD_YYY }\n',
    );
    const settings = await readSettings(thisMachine(), config);
    const [first, second] = settings.strategies;
    const received = `must be a market of the venue (${BTC.pair}), received`;
    await expect(chooseConfigured(api, settings, undefined, first)).rejects.toThrow(
      `bot.yaml:3:25 strategies[0].pair: ${received} USD_XXX\n`,
    );
    await expect(chooseConfigured(api, settings, undefined, second)).rejects.toThrow(
      `bot.yaml:4:25 strategies[1].pair: ${received} USD_YYY\n`,
    );
    await expect(chooseConfigured(api, settings, 'NOPE', first)).rejects.toThrow(`--pair ${received} NOPE`);
    expect(await chooseConfigured(api, settings, BTC.pair, first)).toBe(BTC);
    // Two pairs are configured, and none is meant: the venue's only one is.
    expect(await chooseConfigured(api, settings, undefined)).toBe(BTC);
  });

  it('of a strategy that cannot trade it is refused by its place in the configuration', async () => {
    const config = join(await folder(), 'bot.yaml');
    await writeFile(config, `version: 1\nstrategies:\n  - { file: a.ts, pair: ${BTC.pair} }\n`);
    const settings = await readSettings(thisMachine(), config);
    const [strategy] = settings.strategies;
    const refusal = refusalOf(settings, { pair: BTC.pair, strategy });
    expect(() => demandPerpetual({ ...BTC, contract: 'spot' }, refusal)).toThrow(
      `bot.yaml:3:25 strategies[0].pair: must be a perpetual (linear), received ${BTC.pair}, which is spot\n`,
    );
  });
});

describe('a read that the venue refuses', () => {
  const refused = new VenueError('refused', 'unknown pair: NOPE');

  it('because of its pair is told like any other unknown pair, and else as it is', async () => {
    const fails = (error: Error) => () => Promise.reject(error);
    await expect(orUnknownPair(api, 'NOPE', fails(refused))).rejects.toThrow(
      `--pair must be a market of the venue (${BTC.pair}), received NOPE`,
    );
    await expect(orUnknownPair(api, BTC.pair, fails(refused))).rejects.toBe(refused);
    await expect(orUnknownPair(api, undefined, fails(refused))).rejects.toBe(refused);
    const away = new VenueError('unreachable', 'no connection');
    await expect(orUnknownPair(api, 'NOPE', fails(away))).rejects.toBe(away);
    const unlisted = { markets: () => Promise.reject(away) };
    await expect(orUnknownPair(unlisted, 'NOPE', fails(refused))).rejects.toBe(refused);
  });

  it('asks for the markets only then', async () => {
    const silent = { markets: () => Promise.reject(new Error('nobody asks')) };
    expect(await orUnknownPair(silent, 'NOPE', () => Promise.resolve(1))).toBe(1);
  });
});
