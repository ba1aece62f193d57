import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisMachine } from '../../src/cli/machine.js';
import { limitsOf } from '../../src/cli/compose/limits.js';
import { readSettings } from '../../src/cli/compose/settings.js';
import { Decimal } from '../../src/model/decimal.js';
import { nodeFiles } from '../../src/platform/files.js';
import { BTC } from '../support/markets.js';

const FILE_KEYS = { apiKey: 'file-key', apiSecret: 'file-secret' };
const ENV_KEYS = { apiKey: 'env-key', apiSecret: 'env-secret' };

let folder: string;
let config: string;

beforeEach(async () => {
  folder = await nodeFiles.temporaryDirectory('tickwright-settings-');
  config = join(folder, 'bot.yaml');
  await writeFile(
    config,
    'version: 1\nvenue:\n  url: http://127.0.0.1:7001\n  profile: cautious\n  apiKeyFile: key\n  apiSecretFile: secret\n' +
      'poll: { trades: 250ms }\nstrategies:\n  - { file: a.ts, pair: USD_BTC_PERP }\nlimits: { maxOpenOrders: 3 }\n',
  );
  for (const [name, text] of [
    ['key', FILE_KEYS.apiKey],
    ['secret', FILE_KEYS.apiSecret],
  ] as const) {
    await writeFile(join(folder, name), `${text}\n`);
    await chmod(join(folder, name), 0o600);
  }
});

afterEach(() => nodeFiles.remove(folder));

function exportKeys(): void {
  vi.stubEnv('TICKWRIGHT_VENUE__API_KEY', ENV_KEYS.apiKey);
  vi.stubEnv('TICKWRIGHT_VENUE__API_SECRET', ENV_KEYS.apiSecret);
}

describe('settings', () => {
  it('come from the configuration, and without one from defaults', async () => {
    const settings = await readSettings(thisMachine(), config);
    expect(settings.venue(undefined)).toMatchObject({
      url: 'http://127.0.0.1:7001',
      profile: { name: 'cautious' },
    });
    expect(settings.poll).toMatchObject({ trades: 250, position: 1_000 });
    expect(settings.pair).toBe('USD_BTC_PERP');
    expect(settings.strategy(join(folder, 'a.ts'))).toMatchObject({ pair: 'USD_BTC_PERP' });
    expect(settings.state).toBe(join(folder, 'var'));

    vi.stubEnv('TICKWRIGHT_CONFIG', '');
    const bare = await readSettings(thisMachine(), undefined);
    expect(bare.venue(undefined)).toEqual({ url: 'http://127.0.0.1:8085' });
    expect(bare).toMatchObject({ mode: 'paper', pair: undefined, state: 'var' });
  });

  it("use the configuration's key for the configuration's venue only", async () => {
    const settings = await readSettings(thisMachine(), config);
    expect(await settings.venueWithKeys({})).toMatchObject({ credentials: FILE_KEYS });
    expect(await settings.venueWithKeys({ venue: 'http://127.0.0.1:7001/' })).toMatchObject({
      credentials: FILE_KEYS,
    });
    const other = { venue: 'http://127.0.0.1:7002' };
    await expect(settings.venueWithKeys(other)).rejects.toThrow(/a key must be given/);
    exportKeys();
    expect(await settings.venueWithKeys(other)).toEqual({ url: other.venue, credentials: ENV_KEYS });
  });

  it('use a key of the environment beyond this machine only when told so', async () => {
    const venue = 'https://api.example.com';
    const settings = await readSettings(thisMachine(), config);
    exportKeys();
    await expect(settings.venueWithKeys({ venue })).rejects.toThrow(/--allow-env-key/);
    exportKeys();
    expect(await settings.venueWithKeys({ venue, allowEnvKey: true })).toMatchObject({
      credentials: ENV_KEYS,
    });
  });

  it('take the key out of the environment, so that no child inherits it', async () => {
    exportKeys();
    const settings = await readSettings(thisMachine(), undefined);
    await settings.venueWithKeys({ venue: 'http://127.0.0.1:7002' });
    expect(process.env['TICKWRIGHT_VENUE__API_KEY']).toBeUndefined();
    expect(process.env['TICKWRIGHT_VENUE__API_SECRET']).toBeUndefined();
  });
});

describe('limits', () => {
  it('are counted in lots, and what lies between two lots is the lower one', () => {
    const none = {
      maxGrossNotional: undefined,
      maxOrdersPerMinute: undefined,
      maxDailyLoss: undefined,
      priceCollar: undefined,
    };
    const configured = {
      ...none,
      maxPosition: new Decimal('0.05'),
      maxOrderQuantity: new Decimal('0.0209'),
      maxOpenOrders: 20,
    };
    expect(limitsOf(BTC, configured)).toEqual({ maxPosition: 50, maxOrderQuantity: 20, maxOpenOrders: 20 });
    expect(limitsOf(BTC, undefined)).toEqual({
      maxPosition: undefined,
      maxOrderQuantity: undefined,
      maxOpenOrders: undefined,
    });
  });
});
