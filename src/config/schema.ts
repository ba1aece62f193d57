import { z } from 'zod';
import { type Decimal, parseDecimal } from '../model/decimal.js';
import { parseDuration } from '../model/duration.js';
import { MOST_TICKER_MS } from '../model/ticker.js';
import { alertSchema } from './alert-schema.js';
import { hasControls, plainText } from './plain-text.js';
import { isProfileName, isProfilePath } from './profile-name.js';
import type { REQUIRED_LIMITS } from './required-limits.js';
import { parseWarmUp, WARM_UP_EXPECTED } from './warm-up.js';

/**
 * The configuration file as people write it. The message of each check says what is expected; the path, the place and
 * what was received are added by `loadConfig`.
 */
const amount = (what: string, accept: (value: Decimal) => boolean) =>
  z.string(what).transform((text, context) => {
    const value = parseDecimal(text);
    if (value !== undefined && accept(value)) return value;
    context.addIssue({ code: 'custom', message: what });
    return z.NEVER;
  });

const positive = amount('a quoted decimal above 0, like "0.05"', (value) => value.gt(0));
const fraction = amount(
  'a quoted decimal above 0 and below 1, like "0.02"',
  (value) => value.gt(0) && value.lt(1),
);

const SHORTEST_POLL_MS = 50;
const pollTime = z.string('a duration of at least 50ms, like 500ms or 1s').transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= SHORTEST_POLL_MS) return ms;
  context.addIssue({
    code: 'custom',
    message: `a duration of at least ${SHORTEST_POLL_MS}ms, like 500ms or 1s`,
  });
  return z.NEVER;
});

const TICKER_EXPECTED = `a duration of at most ${MOST_TICKER_MS / 1_000}s: a mark that is older than twice that counts no more`;
const tickerTime = pollTime.refine((ms) => ms <= MOST_TICKER_MS, TICKER_EXPECTED);

const count = (what: string) => z.int(what).min(1, what);

const URL_EXPECTED = 'an https address, or http for this machine, like http://127.0.0.1:8085';
const venueUrl = z.string(URL_EXPECTED).refine(isVenueUrl, URL_EXPECTED);

const HTTP_EXPECTED = 'an address of this machine with a port, like 127.0.0.1:0';
const listenAddress = z.string(HTTP_EXPECTED).transform((address, context) => {
  const match = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(address);
  const port = Number(match?.[2]);
  if (match !== null && port <= 65_535) return { host: (match[1] as string).replace(/[[\]]/g, ''), port };
  context.addIssue({ code: 'custom', message: HTTP_EXPECTED });
  return z.NEVER;
});

const pause = z.string('a duration, like 500ms or 60s').transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  context.addIssue({ code: 'custom', message: 'a duration, like 500ms or 60s' });
  return z.NEVER;
});

const BYTES_EXPECTED = 'an amount of at least 128MiB, like 512MiB or 2GiB';
const LEAST_MIB = 128;
const MIB = 1_048_576;
const bytes = z.string(BYTES_EXPECTED).transform((text, context) => {
  const match = /^(\d{1,6})(MiB|GiB)$/.exec(text);
  const mib = Number(match?.[1]) * (match?.[2] === 'GiB' ? 1_024 : 1);
  if (mib >= LEAST_MIB) return mib * MIB;
  context.addIssue({ code: 'custom', message: BYTES_EXPECTED });
  return z.NEVER;
});

const HANG_EXPECTED = 'a duration from 5s to 10m, like 30s';
const hangTime = z.string(HANG_EXPECTED).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 5_000 && ms <= 600_000) return ms;
  context.addIssue({ code: 'custom', message: HANG_EXPECTED });
  return z.NEVER;
});

const SPELL_EXPECTED = 'a duration of at least 1s, like 20s';
const spell = z.string(SPELL_EXPECTED).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1_000) return ms;
  context.addIssue({ code: 'custom', message: SPELL_EXPECTED });
  return z.NEVER;
});

const keyFiles = {
  apiKeyFile: plainText('the path of a file').optional(),
  apiSecretFile: plainText('the path of a file').optional(),
};

const sentinelSchema = z
  .strictObject(
    {
      level: z.enum(['cancel', 'flat'], 'cancel or flat').default('cancel'),
      hung: spell.prefault('20s'),
      dead: spell.prefault('15s'),
      ending: spell.prefault('90s'),
      blind: spell.prefault('60s'),
      ...keyFiles,
    },
    { error: mapExpected },
  )
  .superRefine(demandBothKeyFiles);

const requiredLimits = {
  maxPosition: positive,
  maxOrderQuantity: positive,
  maxGrossNotional: positive,
  maxOpenOrders: count('a whole number of at least 1'),
  maxOrdersPerMinute: count('a whole number of at least 1'),
  maxDailyLoss: positive,
  priceCollar: fraction,
} satisfies Record<(typeof REQUIRED_LIMITS)[number], z.ZodType>;

/** What `limits` may hold besides. */
const moreLimits = {
  maxOrderNotional: positive,
  maxOrdersPerHour: count('a whole number of at least 1'),
  maxCancelsPerMinute: count('a whole number of at least 1'),
  minRepeat: pause,
  rejectPause: pause,
  maxDrawdown: positive,
  maxConsecutiveLosses: count('a whole number of at least 1'),
  lossPause: pause,
  maxLeverage: positive,
  minLiquidationDistance: fraction,
  maxBareTime: pause,
  maxSuspense: positive,
};

const PROFILE_EXPECTED = 'tickwright, cautious or the path of a profile, like ./venue.yaml';
const venue = z
  .strictObject(
    {
      url: venueUrl,
      profile: z
        .string(PROFILE_EXPECTED)
        .refine(
          (profile) => isProfileName(profile) || (isProfilePath(profile) && !hasControls(profile)),
          PROFILE_EXPECTED,
        )
        .optional(),
      ...keyFiles,
    },
    { error: mapExpected },
  )
  .superRefine(demandBothKeyFiles);

const poll = z.strictObject(
  {
    trades: pollTime.prefault('1s'),
    position: pollTime.prefault('1s'),
    orders: pollTime.prefault('1s'),
    fills: pollTime.prefault('1s'),
    ticker: tickerTime.prefault('1s'),
  },
  { error: mapExpected },
);

const warmUp = z.string(WARM_UP_EXPECTED).transform((given, context) => {
  const ms = parseWarmUp(given);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: WARM_UP_EXPECTED });
  return z.NEVER;
});

const PAIR_EXPECTED = 'the name of a pair, like USD_BTC_PERP';
const strategy = z.strictObject(
  {
    file: plainText('the path of a strategy file, or the name of one that ships'),
    pair: z.string(PAIR_EXPECTED).regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/, PAIR_EXPECTED),
    params: z
      .record(z.string(), z.string('a number, a text, true or false'), { error: mapExpected })
      .prefault({}),
    onDoubt: z.enum(['cancel', 'hold'], 'cancel or hold').default('cancel'),
    warmUp: warmUp.prefault('1h'),
  },
  { error: mapExpected },
);

export const configSchema = z.strictObject(
  {
    $schema: z.string('a text').optional(),
    version: z.literal(1, '1'),
    mode: z.enum(['paper', 'live'], 'paper or live').default('paper'),
    venue: venue.optional(),
    state: plainText('the path of a folder').default('var'),
    poll: poll.prefault({}),
    strategies: z.array(strategy, 'a list of strategies').min(1, 'at least one strategy').optional(),
    limits: z
      .strictObject({ ...requiredLimits, ...moreLimits }, { error: mapExpected })
      .partial()
      .prefault({}),
    control: z
      .strictObject(
        { http: listenAddress.optional(), dashboard: z.boolean('true or false').default(false) },
        { error: mapExpected },
      )
      .prefault({}),
    daemon: z
      .strictObject(
        {
          memory: bytes.prefault('512MiB'),
          hang: hangTime.prefault('30s'),
          sentinel: z.boolean('true or false').default(false),
        },
        { error: mapExpected },
      )
      .prefault({}),
    sentinel: sentinelSchema.prefault({}),
    alerts: z.array(alertSchema, 'a list of receivers').max(16, 'at most 16 receivers').default([]),
    data: z
      .union([plainText('a path'), z.array(plainText('a path'))], 'a path or a list of paths')
      .optional(),
  },
  { error: mapExpected },
);

export type ConfigInput = z.output<typeof configSchema>;

function mapExpected(issue: { readonly code: string }): string | undefined {
  return issue.code === 'invalid_type' ? 'a map' : undefined;
}

/** Half a key is none: that of the environment would count, which the file does not name. */
function demandBothKeyFiles(
  named: { readonly apiKeyFile?: string | undefined; readonly apiSecretFile?: string | undefined },
  context: z.RefinementCtx,
): void {
  if ((named.apiKeyFile === undefined) === (named.apiSecretFile === undefined)) return;
  const [there, missing] =
    named.apiSecretFile === undefined ? ['apiKeyFile', 'apiSecretFile'] : ['apiSecretFile', 'apiKeyFile'];
  const message = `the path of a file, since ${there} names one`;
  context.addIssue({ code: 'custom', path: [missing], message });
}

/** https, or http to this machine; without a user or a password in it. */
function isVenueUrl(address: string): boolean {
  if (hasControls(address)) return false;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false;
  }
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const plainRest = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return plainRest && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal));
}
