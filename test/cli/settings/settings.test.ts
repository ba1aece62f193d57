import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisMachine } from '../../../src/cli/machine.js';
import { profileOf } from '../../../src/cli/connection/connection.js';
import { STRATEGIES_FOLDER } from '../../../src/cli/package.js';
import { limitChecks } from '../../../src/cli/doctor/doctor-config.js';
import { demandLimits, limitsByHand, limitsOf, suspenseBound } from '../../../src/cli/settings/limits.js';
import { readSettings } from '../../../src/cli/settings/settings.js';
import { cautious, tickwright } from '../../../src/client/profile.js';
import type { LimitsConfig, StrategyConfig } from '../../../src/config/load-config.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import { UsageError } from '../../../src/model/errors.js';
import { Decimal } from '../../../src/model/decimal.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { BTC } from '../../support/markets.js';

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
    expect(settings.strategy(join(folder, 'a.ts'), undefined)).toMatchObject({ pair: 'USD_BTC_PERP' });
    expect(settings.state).toBe(join(folder, 'var'));

    vi.stubEnv('TICKWRIGHT_CONFIG', '');
    const bare = await readSettings(thisMachine(), undefined);
    expect(bare.venue(undefined)).toEqual({ url: 'http://127.0.0.1:8085' });
    expect(bare).toMatchObject({ mode: 'paper', pair: undefined, state: 'var' });
  });

  it('take a strategy by the name under which it ships, where no file beside the configuration has that name', async () => {
    const shipped = join(STRATEGIES_FOLDER, 'market-maker.ts');
    await writeFile(
      config,
      'version: 1\nstrategies:\n  - { file: market-maker, pair: USD_BTC_PERP }\n  - { file: other/market-maker, pair: USD_ETH_PERP }\n',
    );
    const settings = await readSettings(thisMachine(), config);
    expect(settings.strategies.map(({ file }) => file)).toEqual([
      shipped,
      join(folder, 'other/market-maker'),
    ]);
    expect(settings.strategy(shipped, undefined)).toMatchObject({ pair: 'USD_BTC_PERP' });
    const first = settings.strategies[0] as StrategyConfig;
    const unknown = new UsageError('TICKWRIGHT_E_PARAM_UNKNOWN', 'takes no such parameter');
    expect(settings.paramError(first, 'params', unknown).message).toContain(`${config}:3:`);

    await writeFile(join(folder, 'market-maker'), '');
    const own = await readSettings(thisMachine(), config);
    expect(own.strategies[0]).toMatchObject({ file: join(folder, 'market-maker') });
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

  it('use what systemd hands to a service before any file, for the venue of the file only', async () => {
    for (const [name, text] of [
      ['api_key', 'system-key'],
      ['api_secret', 'system-secret'],
    ] as const) {
      await writeFile(join(folder, name), `${text}\n`);
      await chmod(join(folder, name), 0o440);
    }
    vi.stubEnv('CREDENTIALS_DIRECTORY', folder);
    const settings = await readSettings(thisMachine(), config);
    expect(await settings.venueWithKeys({})).toMatchObject({
      credentials: { apiKey: 'system-key', apiSecret: 'system-secret' },
    });
    await expect(settings.venueWithKeys({ venue: 'http://127.0.0.1:7002' })).rejects.toThrow(
      /a key must be given/,
    );
    await rm(join(folder, 'api_secret'));
    await expect(settings.venueWithKeys({})).rejects.toThrow(/api_secret must be readable/);
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

describe('the dialect of a venue', () => {
  const profile = () => join(folder, 'venue.yaml');
  const useProfile = async (text: string) => {
    await writeFile(profile(), text);
    await writeFile(config, 'version: 1\nvenue:\n  url: http://127.0.0.1:7001\n  profile: ./venue.yaml\n');
  };

  it('is what the file says over a profile that ships', async () => {
    await useProfile('base: cautious\nmaxLimit: 77\norderFields: { quantity: size }\nbudget: { burst: 9 }\n');
    const settings = await readSettings(thisMachine(), config);
    expect(settings.venue(undefined).profile).toMatchObject({
      maxLimit: 77,
      orderFields: { quantity: 'size', pair: 'pair' },
      budget: { perSecond: cautious.budget.perSecond, burst: 9 },
      definiteRefusals: [],
    });
    // Another venue is not spoken to in it.
    expect(settings.venue('http://127.0.0.1:7002').profile).toBeUndefined();
  });

  it.each([
    ['https://api.example.com', 'cautious'],
    ['http://127.0.0.1:7001', 'tickwright'],
  ])('goes by the address where nobody names it: nothing is relied on at %s but what is proven', async (url, name) => {
    await writeFile(config, `version: 1\nvenue: { url: "${url}" }\n`);
    const settings = await readSettings(thisMachine(), config);
    expect(profileOf(settings.venue(undefined)).name).toBe(name);
  });

  it('of the flag counts before that of the file, for any venue', async () => {
    await useProfile('base: cautious\nmaxLimit: 77\n');
    const settings = await readSettings(thisMachine(), config, 'tickwright');
    expect(settings.venue(undefined).profile).toBe(tickwright);
    expect(settings.venue('http://127.0.0.1:7002').profile).toBe(tickwright);
    const file = await readSettings(thisMachine(), undefined, profile());
    expect(file.venue(undefined).profile).toMatchObject({ maxLimit: 77 });
  });

  it.each([
    [
      'base: tickwright\nmaxLimit: many\n',
      /venue\.yaml:2:11 maxLimit: expected a whole number .*, received "many"/,
    ],
    [
      'base: tickwright\nbulk:\n  maxOrdres: 5\n',
      /venue\.yaml:3:3 bulk\.maxOrdres: expected a key of profile\.bulk/,
    ],
    ['base: tickwright\nmax-limit: 5\n', /venue\.yaml:2:1 max-limit: expected a key of profile/],
    ['base: tickwright\norderNesting: [order, 5]\n', /venue\.yaml:2:23 orderNesting\[1\]: expected/],
    [
      'base: tickwright\norderFields: { price: qty }\n',
      /venue\.yaml:2:\d+ orderFields\.\w+: expected unlike/,
    ],
    ['base: tickwrong\n', /venue\.yaml:1:7 base: expected one of tickwright, cautious/],
  ])('%j is refused by its place in its file', async (text, said) => {
    await useProfile(text);
    await expect(readSettings(thisMachine(), config)).rejects.toThrow(said);
  });

  it('that is not there is refused by its place in the configuration', async () => {
    await useProfile('');
    await nodeFiles.remove(profile());
    await expect(readSettings(thisMachine(), config)).rejects.toThrow(
      /bot\.yaml:4:12 venue\.profile: expected a file that can be read, received .*venue\.yaml: no such file/,
    );
    await writeFile(config, 'version: 1\nvenue:\n  url: http://127.0.0.1:7001\n  profile: tickwrong\n');
    await expect(readSettings(thisMachine(), config)).rejects.toThrow(
      /bot\.yaml:4:12 venue\.profile: expected tickwright, cautious or the path of a profile/,
    );
  });
});

describe('limits', () => {
  const none: LimitsConfig = {
    maxPosition: undefined,
    maxOrderQuantity: undefined,
    maxOpenOrders: undefined,
    maxGrossNotional: undefined,
    maxOrdersPerMinute: undefined,
    maxDailyLoss: undefined,
    priceCollar: undefined,
    maxOrderNotional: undefined,
    maxOrdersPerHour: undefined,
    maxCancelsPerMinute: undefined,
    maxDrawdown: undefined,
    maxConsecutiveLosses: undefined,
    lossPause: undefined,
    maxLeverage: undefined,
    minRepeat: undefined,
    rejectPause: undefined,
    minLiquidationDistance: undefined,
    maxBareTime: undefined,
    maxSuspense: undefined,
  };
  const demanded: LimitsConfig = {
    ...none,
    maxPosition: new Decimal('0.05'),
    maxOrderQuantity: new Decimal('0.0209'),
    maxOpenOrders: 20,
    maxGrossNotional: new Decimal('5000'),
    maxOrdersPerMinute: 60,
    maxDailyLoss: new Decimal('200'),
    priceCollar: new Decimal('0.02'),
  };
  const inLots = {
    maxPosition: 50,
    maxOrderQuantity: 20,
    maxOpenOrders: 20,
    maxGrossNotional: 5_000,
    maxOrdersPerMinute: 60,
    maxDailyLoss: 200,
    priceCollar: 0.02,
    rejectPause: { rejected: 5, of: 10, forMs: 60_000 },
  };

  const errorAt = (path: readonly (string | number)[], message: string) =>
    new UsageError('X', `${path.join('.')} ${message}`);
  const limitsFrom = (limits: LimitsConfig | undefined) => limitsOf(BTC, { limits, errorAt });

  it.each(['maxOrderQuantity', 'maxPosition'] as const)('of %s below one lot are a mistake', (name) => {
    const tiny = { ...demanded, [name]: new Decimal('0.0009') };
    expect(() => limitsFrom(tiny)).toThrow(
      `limits.${name} must be at least one lot of ${BTC.pair}, 0.001, received 0.0009`,
    );
    expect(limitsFrom({ ...demanded, [name]: new Decimal('0.001') })[name]).toBe(1);
  });

  it('are counted in lots, what lies between two lots is the lower one, and with them goes the reject ratio', () => {
    expect(limitsFrom(demanded)).toEqual(inLots);
    const more = {
      ...demanded,
      maxOrderNotional: new Decimal('1500'),
      maxCancelsPerMinute: 90,
      minRepeat: 250,
      rejectPause: 120_000,
      maxOrdersPerHour: 600,
      maxDrawdown: new Decimal('500'),
      maxConsecutiveLosses: 5,
      lossPause: 7_200_000,
      maxLeverage: new Decimal('2.5'),
      minLiquidationDistance: new Decimal('0.1'),
      maxBareTime: 30_000,
    };
    expect(limitsFrom(more)).toEqual({
      ...inLots,
      maxOrderNotional: 1_500,
      maxCancelsPerMinute: 90,
      minRepeatMs: 250,
      rejectPause: { rejected: 5, of: 10, forMs: 120_000 },
      minLiquidationDistance: 0.1,
      maxOrdersPerHour: 600,
      maxDrawdown: 500,
      lossPause: { losses: 5, forMs: 7_200_000 },
      maxLeverage: 2.5,
      maxBareMs: 30_000,
    });
    expect(limitsFrom({ ...more, lossPause: undefined }).lossPause).toEqual({
      losses: 5,
      forMs: 3_600_000,
    });
  });

  it('let one unit of the quote asset be unexplained unless they say otherwise, and any amount where there are none', () => {
    const unit = 10n ** BigInt(BTC.quotePrecision);
    expect(suspenseBound(BTC, demanded)).toBe(unit);
    expect(suspenseBound(BTC, { ...none, maxSuspense: new Decimal('2.5') })).toBe((5n * unit) / 2n);
    expect(suspenseBound(BTC, none)).toBeUndefined();
    expect(suspenseBound(BTC, undefined)).toBeUndefined();
  });

  it('are none where the configuration sets none', () => {
    expect(limitsFrom(undefined)).toEqual(NO_LIMITS);
    expect(limitsFrom(none)).toEqual(NO_LIMITS);
  });

  it('of an order by hand are those that it and the account tell', () => {
    const { maxOrdersPerMinute, maxDailyLoss, rejectPause, ...rest } = inLots;
    expect([maxOrdersPerMinute, maxDailyLoss, rejectPause]).not.toContain(undefined);
    expect(limitsByHand(limitsFrom(demanded))).toEqual(rest);
  });

  it('are demanded for real money, by name, and not on a simulated venue of this machine', () => {
    const { maxDailyLoss: _, priceCollar: __, ...rest } = demanded;
    const lacking = { ...none, ...rest };
    expect(() => demandLimits('http://127.0.0.1:8085', undefined)).not.toThrow();
    expect(() => demandLimits('https://venue.example', demanded)).not.toThrow();
    expect(() => demandLimits('https://venue.example', lacking)).toThrow(
      'for live trading at https://venue.example, received none of maxDailyLoss, priceCollar',
    );
    expect(() => demandLimits('https://venue.example', undefined)).toThrow(/received none of maxPosition/);
  });
});

it('the configuration for live trading that ships is one that a daemon can run', async () => {
  const shipped = fileURLToPath(new URL('../../../config/live.yaml', import.meta.url));
  vi.stubEnv('VENUE_URL', '');
  const settings = await readSettings(thisMachine(), shipped);
  const checks = limitChecks(settings, settings.venue(undefined), true);
  expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual(['limits ok', 'requests ok']);
});
