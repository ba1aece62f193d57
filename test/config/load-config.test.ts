import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.js';
import { UsageError } from '../../src/model/errors.js';
import type { StrategyDefinition } from '../../src/strategy/definition.js';
import { parseParams } from '../../src/strategy/params.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));

function parse(text: string, environment: Readonly<Record<string, string>> = {}) {
  return parseConfig({ path: '/bots/one/tickwright.yaml', text, environment, shown: 'tickwright.yaml' });
}

/** The message of what is wrong, without carets. */
function problems(text: string, environment: Readonly<Record<string, string>> = {}): string[] {
  try {
    parse(text, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message.split('\n').filter((line) => line.startsWith('tickwright.yaml:'));
  }
  return [];
}

const LIMITS = `limits:
  maxPosition: "0.05"
  maxOrderQuantity: "0.02"
  maxGrossNotional: "5000"
  maxOpenOrders: 20
  maxOrdersPerMinute: 60
  maxDailyLoss: "200"
  priceCollar: "0.02"
`;

const FULL = `version: 1
mode: live
venue:
  url: https://venue.example/api
  profile: profiles/mine.yaml
  apiKeyFile: secrets/key
  apiSecretFile: /run/credentials/secret
state: var/my-bot
poll: { trades: 1s, position: 500ms, orders: 2s, fills: 1m, ticker: 1.5s }
strategies:
  - file: strategies/market-maker.ts
    pair: USD_BTC_PERP
    params: { quantity: "0.01", half: 0.10, bars: 1s, lean: true, exact: 12345678901234567890 }
${LIMITS}control: { http: 127.0.0.1:0, dashboard: true }
daemon: { memory: 1GiB, hang: 45s }
alerts:
  - { to: telegram, tokenFile: secrets/bot, chat: "-1001", on: [halt, fill], summary: "00:05", repeat: 1h, perHour: 3 }
  - { to: ntfy, url: https://ntfy.example/mine }
data: [data, /srv/tape]
`;

/** All that ships but the fault plan, which is another kind of file. */
const configurations = readdirSync(join(repository, 'config')).filter(
  (name) => name.endsWith('.yaml') && name !== 'faults-example.yaml',
);

describe('a configuration', () => {
  it('is typed, with exact decimals, durations in ms and absolute paths; parameters stay as they are written', () => {
    const config = parse(FULL);
    expect(JSON.parse(JSON.stringify(config))).toEqual({
      file: '/bots/one/tickwright.yaml',
      mode: 'live',
      venue: {
        url: 'https://venue.example/api',
        profile: '/bots/one/profiles/mine.yaml',
        apiKeyFile: '/bots/one/secrets/key',
        apiSecretFile: '/run/credentials/secret',
      },
      state: '/bots/one/var/my-bot',
      poll: { trades: 1_000, position: 500, orders: 2_000, fills: 60_000, ticker: 1_500 },
      strategies: [
        {
          file: '/bots/one/strategies/market-maker.ts',
          pair: 'USD_BTC_PERP',
          params: { quantity: '0.01', half: '0.10', bars: '1s', lean: 'true', exact: '12345678901234567890' },
          onDoubt: 'cancel',
          warmUp: 3_600_000,
        },
      ],
      limits: {
        maxPosition: '0.05',
        maxOrderQuantity: '0.02',
        maxGrossNotional: '5000',
        maxOpenOrders: 20,
        maxOrdersPerMinute: 60,
        maxDailyLoss: '200',
        priceCollar: '0.02',
      },
      control: { http: { host: '127.0.0.1', port: 0 }, dashboard: true },
      daemon: { memory: 1_073_741_824, hang: 45_000, sentinel: false },
      sentinel: { level: 'cancel', hung: 20_000, dead: 15_000, ending: 90_000, blind: 60_000 },
      alerts: [
        {
          to: 'telegram',
          tokenFile: '/bots/one/secrets/bot',
          chat: '-1001',
          on: ['halt', 'fill'],
          minSeverity: 'info',
          summary: 5,
          repeat: 3_600_000,
          perHour: 3,
        },
        {
          to: 'ntfy',
          url: 'https://ntfy.example/mine',
          minSeverity: 'warning',
          repeat: 600_000,
          perHour: 10,
        },
      ],
      data: ['/bots/one/data', '/srv/tape'],
    });
  });

  it('may hold more limits than live mode demands, and a strategy that leaves its quotes in doubt', () => {
    const { limits, strategies } = parse(
      'version: 1\nstrategies:\n  - { file: a.ts, pair: A, onDoubt: hold, warmUp: 2d }\nlimits: { maxOrderNotional: "900", ' +
        'maxOrdersPerHour: 600, maxDrawdown: "500", maxConsecutiveLosses: 5, lossPause: 2h, maxLeverage: "2.5", ' +
        'maxCancelsPerMinute: 90, minRepeat: 250ms, rejectPause: 2m, minLiquidationDistance: "0.1", maxBareTime: 30s, maxSuspense: "2.5" }\n',
    );
    expect(strategies[0]).toMatchObject({ onDoubt: 'hold', warmUp: 172_800_000 });
    expect(JSON.parse(JSON.stringify(limits))).toEqual({
      maxOrderNotional: '900',
      maxOrdersPerHour: 600,
      maxDrawdown: '500',
      maxConsecutiveLosses: 5,
      lossPause: 7_200_000,
      maxLeverage: '2.5',
      maxCancelsPerMinute: 90,
      minRepeat: 250,
      rejectPause: 120_000,
      minLiquidationDistance: '0.1',
      maxBareTime: 30_000,
      maxSuspense: '2.5',
    });
  });

  it('needs no more than its version, and is paper unless it says otherwise', () => {
    const config = parse('version: 1\n');
    expect(config).toMatchObject({
      mode: 'paper',
      venue: undefined,
      state: '/bots/one/var',
      strategies: [],
      daemon: { memory: 512 * 1024 * 1024, hang: 30_000, sentinel: false },
      alerts: [],
      data: [],
    });
    expect(config.poll).toEqual({
      trades: 1_000,
      position: 1_000,
      orders: 1_000,
      fills: 1_000,
      ticker: 1_000,
    });
  });

  it.each(configurations)('that ships is right as it stands: %s', (name) => {
    const path = join(repository, 'config', name);
    const config = parseConfig({ path, text: readFileSync(path, 'utf8'), environment: {} });
    expect(config.mode).toBe(name === 'live.yaml' ? 'live' : 'paper');
    for (const { file } of config.strategies) expect(readFileSync(file, 'utf8')).toContain('defineStrategy');
  });

  it.each(configurations)('that ships gives its strategies parameters that they have: %s', async (name) => {
    const path = join(repository, 'config', name);
    for (const { file, params } of parseConfig({ path, text: readFileSync(path, 'utf8'), environment: {} })
      .strategies) {
      const { default: definition } = (await import(file)) as { default: StrategyDefinition };
      expect(Object.keys(parseParams(definition.name, definition.params, params))).toEqual(
        Object.keys(definition.params),
      );
    }
  });
});

it('config/live.yaml: what is commented out below alerts is a configuration too', () => {
  const shipped = readFileSync(join(repository, 'config', 'live.yaml'), 'utf8');
  const [before = '', after = ''] = shipped.split('alerts: []\n');
  const all = `${before}alerts:\n${after.replaceAll(/^#/gm, '')}`;
  const { alerts } = parse(all, { VENUE_URL: 'https://api.example.com' });
  expect(alerts.map(({ to }) => to)).toEqual(['slack', 'telegram', 'ntfy']);
  expect(alerts[1]).toMatchObject({
    on: ['halt', 'venue', 'strategy', 'fill'],
    summary: 5,
    minSeverity: 'info',
  });
  expect(alerts[2]).toMatchObject({ minSeverity: 'critical', repeat: 600_000, perHour: 10 });
});

describe('what is wrong is said by file, line, column and path', () => {
  it('with the line and carets under it', () => {
    expect(() => parse('version: 1\nvenue:\n  ulr: https://venue.example\n')).toThrow(
      'tickwright.yaml:3:3 venue.ulr: expected one of url, profile, apiKeyFile, apiSecretFile, received ulr (did you mean url?)\n' +
        '  3 |   ulr: https://venue.example\n' +
        '    |   ^^^',
    );
  });

  it('a number that quotes do not help, without the hint to write them', () => {
    expect(problems('version: 1\nlimits: { maxGrossNotional: -5 }\n')).toEqual([
      'tickwright.yaml:2:29 limits.maxGrossNotional: expected a quoted decimal above 0, like "0.05", received -5',
    ]);
    expect(problems('version: 1\nlimits: { priceCollar: 2 }\n')).toEqual([
      'tickwright.yaml:2:24 limits.priceCollar: expected a quoted decimal above 0 and below 1, like "0.02", received 2',
    ]);
  });

  it('a sentinel that would take the time between two polls for blindness', () => {
    const text = (blind: string) => `version: 1\npoll: { trades: 20s }\nsentinel: { blind: ${blind} }\n`;
    expect(problems(text('79s'))).toEqual([
      'tickwright.yaml:3:20 sentinel.blind: expected at least 80s, four times poll.trades, received 79s',
    ]);
    expect(problems(text('80s'))).toEqual([]);
    // What is not given goes by the polls.
    expect(problems('version: 1\npoll: { trades: 20s }\n')).toEqual([]);
  });

  it('a second strategy on a pair, at its own pair', () => {
    const text = (second: string) =>
      `version: 1\nstrategies:\n  - { file: a.ts, pair: USD_BTC_PERP }\n  - file: b.ts\n    pair: ${second}\n`;
    expect(problems(text('USD_BTC_PERP'))).toEqual([
      'tickwright.yaml:5:11 strategies[1].pair: expected a pair with no other strategy, since the fills of two could not be told apart, received "USD_BTC_PERP", which strategies[0] is on',
    ]);
    expect(problems(text('"${PAIR}"'), { PAIR: 'USD_BTC_PERP' })).toEqual([
      expect.stringContaining(
        'tickwright.yaml:5:11 strategies[1].pair: expected a pair with no other strategy',
      ),
    ]);
    expect(problems(text('USD_ETH_PERP'))).toEqual([]);
    // What is no pair is told as such, and only as such.
    expect(problems('version: 1\nstrategies: [{ file: a.ts }, { file: b.ts }]\n')).toEqual([
      expect.stringContaining('strategies[0].pair: expected the name of a pair'),
      expect.stringContaining('strategies[1].pair: expected the name of a pair'),
    ]);
  });

  it('all of it at once, in the order of the file', () => {
    const text =
      'version: 2\nmode: simulated\npoll: { trades: 1 }\nlimits:\n  maxPosition: 0.05\n  maxOpenOrder: 3\n';
    expect(problems(text)).toEqual([
      'tickwright.yaml:1:10 version: expected 1, received 2',
      'tickwright.yaml:2:7 mode: expected paper or live, received "simulated"',
      'tickwright.yaml:3:17 poll.trades: expected a duration of at least 50ms, like 500ms or 1s, received 1',
      'tickwright.yaml:5:16 limits.maxPosition: expected a quoted decimal above 0, like "0.05", received 0.05 (write "0.05" in quotes)',
      'tickwright.yaml:6:3 limits.maxOpenOrder: expected one of maxPosition, maxOrderQuantity, maxGrossNotional, maxOpenOrders, maxOrdersPerMinute, maxDailyLoss, priceCollar, maxOrderNotional, maxOrdersPerHour, maxCancelsPerMinute, minRepeat, rejectPause, maxDrawdown, maxConsecutiveLosses, lossPause, maxLeverage, minLiquidationDistance, maxBareTime, maxSuspense, received maxOpenOrder (did you mean maxOpenOrders?)',
    ]);
  });

  it.each([
    ['', 'tickwright.yaml:1:1: expected a map, received nothing'],
    ['- 1\n', 'tickwright.yaml:1:1: expected a map, received a list'],
    ['mode: paper\n', 'tickwright.yaml:1:1 version: expected 1, received nothing'],
    ['version: "1"\n', 'tickwright.yaml:1:10 version: expected 1, received "1"'],
    [
      'version: 1\nvenue: { url: http://venue.example }\n',
      'tickwright.yaml:2:15 venue.url: expected an https address, or http for this machine, like http://127.0.0.1:8085, received "http://venue.example"',
    ],
    [
      'version: 1\nvenue: { url: ftp://127.0.0.1 }\n',
      'tickwright.yaml:2:15 venue.url: expected an https address',
    ],
    [
      'version: 1\nvenue:\n  profile: cautious\n',
      'tickwright.yaml:2:1 venue.url: expected an https address, or http for this machine, like http://127.0.0.1:8085, received nothing',
    ],
    [
      'version: 1\nstrategies: []\n',
      'tickwright.yaml:2:13 strategies: expected at least one strategy, received an empty list',
    ],
    [
      'version: 1\nstrategies:\n  - pair: A\n',
      'tickwright.yaml:3:5 strategies[0].file: expected the path of a strategy file, or the name of one that ships, received nothing',
    ],
    [
      'version: 1\nstrategies:\n  - { file: a.ts, pair: ../x }\n',
      'tickwright.yaml:3:25 strategies[0].pair: expected the name of a pair, like USD_BTC_PERP, received "../x"',
    ],
    [
      'version: 1\nstrategies:\n  - { file: a.ts, pair: A, params: { a: [1] } }\n',
      'tickwright.yaml:3:41 strategies[0].params.a: expected a number, a text, true or false, received a list',
    ],
    [
      'version: 1\nlimits: { priceCollar: "2" }\n',
      'tickwright.yaml:2:24 limits.priceCollar: expected a quoted decimal above 0 and below 1, like "0.02", received "2"',
    ],
    [
      'version: 1\nlimits: { rejectPause: 0s }\n',
      'tickwright.yaml:2:24 limits.rejectPause: expected a duration, like 500ms or 60s, received "0s"',
    ],
    [
      'version: 1\nlimits: { maxBareTime: 0s }\n',
      'tickwright.yaml:2:24 limits.maxBareTime: expected a duration, like 500ms or 60s, received "0s"',
    ],
    [
      'version: 1\nlimits: { maxBareTime: 30 }\n',
      'tickwright.yaml:2:24 limits.maxBareTime: expected a duration, like 500ms or 60s, received 30',
    ],
    [
      'version: 1\nstrategies:\n  - { file: a.ts, pair: A, onDoubt: wait }\n',
      'tickwright.yaml:3:37 strategies[0].onDoubt: expected cancel or hold, received "wait"',
    ],
    [
      'version: 1\nstrategies:\n  - { file: a.ts, pair: A, warmUp: 31d }\n',
      'tickwright.yaml:3:36 strategies[0].warmUp: expected a duration of at most 30d, like 1h or 2d, received "31d"',
    ],
    [
      'version: 1\nlimits: { maxPosition: "1e3" }\n',
      'tickwright.yaml:2:24 limits.maxPosition: expected a quoted decimal above 0, like "0.05", received "1e3"',
    ],
    [
      'version: 1\nlimits: { maxOpenOrders: 1.5 }\n',
      'tickwright.yaml:2:26 limits.maxOpenOrders: expected a whole number of at least 1, received 1.5',
    ],
    [
      'version: 1\ncontrol: { http: 0.0.0.0:80 }\n',
      'tickwright.yaml:2:18 control.http: expected an address of this machine with a port, like 127.0.0.1:0, received "0.0.0.0:80"',
    ],
    [
      'version: 1\nalerts: [{ to: pigeon }]\n',
      'tickwright.yaml:2:16 alerts[0].to: expected webhook, slack, discord, ntfy, telegram, received "pigeon"',
    ],
    [
      'version: 1\nalerts: [{ to: webhook, url: http://example.com/x }]\n',
      'alerts[0].url: expected an https address without user and query',
    ],
    [
      'version: 1\nalerts: [{ to: webhook, url: "https://example.com/x?token=abc" }]\n',
      'one that holds a token belongs into urlFile',
    ],
    [
      'version: 1\nalerts: [{ to: slack, url: https://example.com/x, urlFile: f }]\n',
      'alerts[0].url: expected nothing: the address holds a token, it belongs into urlFile',
    ],
    [
      'version: 1\nalerts: [{ to: telegram, chat: "1" }]\n',
      "alerts[0].tokenFile: expected the path of the file with the bot's token, received nothing",
    ],
    [
      'version: 1\nalerts: [{ to: telegram, tokenFile: t }]\n',
      'alerts[0].chat: expected a quoted chat id, like "-1001234567", received nothing',
    ],
    [
      'version: 1\nalerts: [{ to: ntfy }]\n',
      'alerts[0].url: expected one of url and urlFile, received nothing',
    ],
    [
      'version: 1\nalerts: [{ to: ntfy, url: https://example.com/t, on: [fills] }]\n',
      'alerts[0].on[0]: expected one of start, stop, halt',
    ],
    [
      'version: 1\nalerts: [{ to: ntfy, url: https://example.com/t, summary: "24:00" }]\n',
      'alerts[0].summary: expected a time of the day in UTC, like "00:05", received "24:00"',
    ],
    ['version: 1\nalerts: [{ to: ntfy, url: https://example.com/t, tokn: x }]\n', 'received tokn'],
    [
      'version: 1\nalerts: [{ to: ntfy, url: https://example.com/up-5% }]\n',
      'tickwright.yaml:2:27 alerts[0].url: expected an address that ends with a topic, in which a % is written %25, received "https://example.com/up-5%"',
    ],
    [
      'version: 1\nalerts: [{ to: ntfy, url: https://example.com/ }]\n',
      'alerts[0].url: expected an address that ends with a topic, in which a % is written %25, received "https://example.com/"',
    ],
    [
      'version: 1\nalerts: [{ to: ntfy, url: example.com/up-5% }]\n',
      'alerts[0].url: expected an https address without user and query',
    ],
    [
      'version: 1\ndaemon: { memory: 64MiB }\n',
      'daemon.memory: expected an amount of at least 128MiB, like 512MiB or 2GiB, received "64MiB"',
    ],
    [
      'version: 1\ndaemon: { hang: 1s }\n',
      'daemon.hang: expected a duration from 5s to 10m, like 30s, received "1s"',
    ],
    ['version: 1\ndata: 5\n', 'tickwright.yaml:2:7 data: expected a path or a list of paths, received 5'],
    [
      'version: 1\npoll: { trades: 10ms }\n',
      'tickwright.yaml:2:17 poll.trades: expected a duration of at least 50ms',
    ],
    [
      'version: 1\npoll: { ticker: 31s }\n',
      'tickwright.yaml:2:17 poll.ticker: expected a duration of at most 30s',
    ],
    [
      'version: 1\nstate: "a\\0b"\n',
      'tickwright.yaml:2:8 state: expected the path of a folder, without control characters, received "a\\u0000b"',
    ],
    [
      'version: 1\nstrategies:\n  - { file: "a\\n.ts", pair: A }\n',
      'strategies[0].file: expected the path of a strategy file, or the name of one that ships, without control characters, received "a\\n.ts"',
    ],
    [
      'version: 1\nvenue: { url: "http://127.0.0.1:80\\n85" }\n',
      'venue.url: expected an https address, or http for this machine, like http://127.0.0.1:8085, received "http://127.0.0.1:80\\n85"',
    ],
    [
      'version: 1\nvenue: { url: https://a.example, profile: "./a\\0.yaml" }\n',
      'venue.profile: expected tickwright, cautious or the path of a profile, like ./venue.yaml, received "./a\\u0000.yaml"',
    ],
    [
      'version: 1\nvenue: { url: https://a.example, apiKeyFile: "k\\0", apiSecretFile: s }\n',
      'venue.apiKeyFile: expected the path of a file, without control characters, received "k\\u0000"',
    ],
    [
      'version: 1\nsentinel: { apiKeyFile: k, apiSecretFile: "k\\0" }\n',
      'sentinel.apiSecretFile: expected the path of a file, without control characters, received "k\\u0000"',
    ],
    [
      'version: 1\nvenue: { url: https://a.example, apiKeyFile: k }\n',
      'venue.apiSecretFile: expected the path of a file, since apiKeyFile names one, received nothing',
    ],
    [
      'version: 1\nvenue: { url: https://a.example, apiSecretFile: s }\n',
      'venue.apiKeyFile: expected the path of a file, since apiSecretFile names one, received nothing',
    ],
    [
      'version: 1\nvenue: { url: https://a.example, apiKeyFile: "${NOBODY_SET}", apiSecretFile: s }\n',
      'NOBODY_SET',
    ],
    [
      'version: 1\nsentinel: { apiKeyFile: k }\n',
      'sentinel.apiSecretFile: expected the path of a file, since apiKeyFile names one, received nothing',
    ],
    [
      'version: 1\nsentinel: { apiSecretFile: s }\n',
      'sentinel.apiKeyFile: expected the path of a file, since apiSecretFile names one, received nothing',
    ],
    [
      'version: 1\nalerts: [{ to: ntfy, urlFile: "u\\0" }]\n',
      'alerts[0].urlFile: expected the path of a file, without control characters, received "u\\u0000"',
    ],
    [
      'version: 1\nalerts: [{ to: ntfy, url: "https://example.com/t\\nx" }]\n',
      'alerts[0].url: expected an https address without user and query',
    ],
    ['version: 1\nmode:\n', 'tickwright.yaml:2:1 mode: expected paper or live, received nothing'],
  ])('%j', (text, message) => {
    const found = problems(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  it('live mode demands a venue, a strategy and every limit', () => {
    const text = FULL.replace(/ {2}maxDailyLoss.*\n/, '').replace(/ {2}maxOpenOrders.*\n/, '');
    expect(problems(text)).toEqual([
      'tickwright.yaml:14:1 limits.maxOpenOrders: expected a value, which live mode demands, received nothing',
      'tickwright.yaml:14:1 limits.maxDailyLoss: expected a value, which live mode demands, received nothing',
    ]);
    expect(problems('version: 1\nmode: live\n').map((line) => line.split(' ')[1])).toEqual([
      'venue:',
      'strategies:',
      ...[...LIMITS.matchAll(/ {2}(\w+):/g)].map(([, name]) => `limits.${name}:`),
    ]);
    expect(problems(text.replace('mode: live', 'mode: paper'))).toEqual([]);
  });
});

describe('YAML is read strictly', () => {
  it.each([
    [
      'a key twice',
      'version: 1\nmode: paper\nmode: live\n',
      'tickwright.yaml:3:1: expected YAML, received what is none: Map keys must be unique',
    ],
    ['broken indentation', 'version: 1\n  mode: paper\n', 'tickwright.yaml:1:10: expected YAML'],
    [
      'an alias',
      'version: 1\nstate: &a var\ndata: *a\n',
      'tickwright.yaml:3:7 data: expected a value, received the alias *a',
    ],
    [
      'an unknown tag',
      'version: 1\nstate: !!js/function "x"\n',
      'tickwright.yaml:2:8: expected YAML, received what is none: Unresolved tag',
    ],
    [
      'a merge key',
      'version: 1\nvenue:\n  <<: { url: https://a.example }\n  url: https://b.example\n',
      'tickwright.yaml:3:3 venue.<<: expected one of url',
    ],
    [
      'a key that would reach the prototype',
      'version: 1\n__proto__: { mode: live }\n',
      'tickwright.yaml:2:1 __proto__: expected an ordinary key',
    ],
    ['a key that is no text', 'version: 1\n5: x\n', 'tickwright.yaml:2:1'],
    [
      'two documents',
      'version: 1\n---\nversion: 1\n',
      'tickwright.yaml:2:1: expected one document in a file, received one more',
    ],
    [
      'absurd nesting',
      `version: 1\ndata: ${'['.repeat(50)}${']'.repeat(50)}\n`,
      'expected at most 32 levels, received more',
    ],
    ['nesting that ends the parser', '['.repeat(20_000), 'expected YAML, received'],
  ])('%s is refused', (_, text, message) => {
    expect(problems(text).join('\n')).toContain(message);
  });

  it('an alias is one mistake, and not also nothing where it stands', () => {
    const text =
      'version: 1\nstrategies:\n  - { file: a.ts, pair: A_B, params: &p { a: 1 } }\n  - { file: a.ts, pair: A_C, params: *p }\n';
    expect(problems(text)).toEqual([
      'tickwright.yaml:4:38 strategies[1].params: expected a value, received the alias *p',
    ]);
  });

  it('a file of more than a MiB is refused', () => {
    expect(() => parse(`version: 1 # ${'x'.repeat(1_100_000)}`)).toThrow(
      'tickwright.yaml: expected at most 1048576 characters',
    );
  });
});

describe('environment variables', () => {
  it('are put in, keep numbers numbers and texts texts, and have defaults', () => {
    const text =
      'version: 1\nvenue: { url: "${URL}/v1" }\nlimits:\n  maxOpenOrders: ${N}\n  maxPosition: "${P:-0.5}"\nstate: a$${b}${EMPTY:-c}\n';
    const config = parse(text, { URL: 'https://venue.example', N: '7', EMPTY: '' });
    expect(config.venue?.url).toBe('https://venue.example/v1');
    expect(config.limits.maxOpenOrders).toBe(7);
    expect(config.limits.maxPosition?.toString()).toBe('0.5');
    expect(config.state).toBe('/bots/one/a${b}c');
  });

  it.each([
    [
      'state: "x/${HOME_OF_BOT}"',
      'tickwright.yaml:2:11 state: expected the environment variable HOME_OF_BOT to be set, received nothing',
    ],
    ['state: ${1X}', 'tickwright.yaml:2:8 state: expected ${NAME} or ${NAME:-default}, received ${1X}'],
    [
      'venue: { url: ${URL:-http://127.0.0.1:8085}, profile: cautious }',
      'tickwright.yaml:2:15: expected quotes around it inside of { } and [ ], received ${URL}',
    ],
    [
      'data: [${A}, ${B}]',
      'tickwright.yaml:2:8: expected quotes around it inside of { } and [ ], received ${A}',
    ],
    ['state: ${OPEN', 'tickwright.yaml:2:8 state: expected ${NAME} or ${NAME:-default}, received ${OPEN'],
    [
      'state: ${__proto__}',
      'tickwright.yaml:2:8 state: expected the environment variable __proto__ to be set',
    ],
    [
      'state: ${VENUE_API_SECRET}',
      'tickwright.yaml:2:8 state: expected no secret in this file, received ${VENUE_API_SECRET}',
    ],
    [
      'limits: { maxPosition: "${P}" }',
      'tickwright.yaml:2:24 limits.maxPosition: expected a quoted decimal above 0, like "0.05", received "many"',
    ],
  ])('%s', (line, message) => {
    expect(
      problems(`version: 1\n${line}\n`, { P: 'many', VENUE_API_SECRET: 'hunter2' }).join('\n'),
    ).toContain(message);
  });

  it('are one mistake where quotes are missing, not each bracket that the parser then meets', () => {
    expect(problems('version: 1\nvenue: { url: ${A}, profile: cautious }\nstate: b\n')).toHaveLength(1);
  });

  it('may name the file of a secret', () => {
    const text =
      'version: 1\nvenue: { url: https://a.example, apiKeyFile: "${API_KEY_FILE}", apiSecretFile: s }\n';
    expect(parse(text, { API_KEY_FILE: '/run/key' }).venue?.apiKeyFile).toBe('/run/key');
  });

  it('do not turn what is in them into structure', () => {
    expect(parse('version: 1\nstate: ${S}\n', { S: '{ a: 1 } # no comment' }).state).toBe(
      '/bots/one/{ a: 1 } # no comment',
    );
  });
});

describe('a secret', () => {
  it.each([
    'venue: { url: https://a.example, apiKey: hunter2 }',
    'venue:\n  url: https://a.example\n  api_secret: "hunter2"',
    'apiSecret: hunter2',
    'password: hunter2',
    'venue: { secret: hunter2, ulr: x }',
    'venue: { url: "https://me:hunter2@venue.example" }',
    'apiKey: hunter2\n  broken: [',
  ])('is refused and never repeated: %s', (line) => {
    expect(() => parse(`version: 1\n${line}\n`)).toThrow(UsageError);
    try {
      parse(`version: 1\n${line}\n`);
    } catch (error) {
      expect((error as Error).message).not.toContain('hunter2');
    }
  });

  it('is refused with a word on where it belongs', () => {
    expect(problems('version: 1\nvenue: { url: https://a.example, apiKey: x }\n')).toEqual([
      'tickwright.yaml:2:34 venue.apiKey: expected no secret in this file, received apiKey: put it into a file of your own ' +
        '(chmod 600) and name that in venue.apiKeyFile and venue.apiSecretFile, or use TICKWRIGHT_VENUE__API_KEY and TICKWRIGHT_VENUE__API_SECRET',
    ]);
  });
});
