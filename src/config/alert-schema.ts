import { z } from 'zod';
import { parseDuration } from '../model/duration.js';
import { hasTopic, NTFY_EXPECTED } from './ntfy-address.js';
import { hasControls, plainText } from './plain-text.js';

/** What an alert can be about. */
const ALERT_KINDS = [
  'start',
  'stop',
  'halt',
  'resume',
  'venue',
  'strategy',
  'pair',
  'problem',
  'fill',
  'refusal',
  'summary',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

const ALERT_RECEIVERS = ['webhook', 'slack', 'discord', 'ntfy', 'telegram'] as const;
export type AlertReceiver = (typeof ALERT_RECEIVERS)[number];

const RECEIVERS_EXPECTED = ALERT_RECEIVERS.join(', ');
const KINDS_EXPECTED = `one of ${ALERT_KINDS.join(', ')}`;
const SEVERITY_EXPECTED = 'info, warning or critical';
const ADDRESS_EXPECTED =
  'an https address without user and query, or http for this machine; one that holds a token belongs into urlFile';
const TIME_EXPECTED = 'a time of the day in UTC, like "00:05"';
const WINDOW_EXPECTED = 'a duration of at least 1s, like 10m';
const HOURLY_EXPECTED = 'a whole number from 1 to 1000';
const MINUTES = 60;

const timeOfDay = z.string(TIME_EXPECTED).transform((text, context) => {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (match !== null) return Number(match[1]) * MINUTES + Number(match[2]);
  context.addIssue({ code: 'custom', message: TIME_EXPECTED });
  return z.NEVER;
});

const repeatWindow = z.string(WINDOW_EXPECTED).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1_000) return ms;
  context.addIssue({ code: 'custom', message: WINDOW_EXPECTED });
  return z.NEVER;
});

const path = plainText('the path of a file');

/** One receiver of alerts. Tokens are never in it, only the names of the files that hold them. */
export const alertSchema = z
  .strictObject(
    {
      to: z.enum(ALERT_RECEIVERS, RECEIVERS_EXPECTED),
      url: z.string(ADDRESS_EXPECTED).refine(isPlainAddress, ADDRESS_EXPECTED).optional(),
      urlFile: path.optional(),
      tokenFile: path.optional(),
      chat: z
        .string('a quoted chat id, like "-1001234567"')
        .regex(/^(-?\d{1,20}|@\w{1,64})$/, 'a quoted chat id, like "-1001234567"')
        .optional(),
      on: z.array(z.enum(ALERT_KINDS, KINDS_EXPECTED), 'a list').min(1, KINDS_EXPECTED).optional(),
      minSeverity: z.enum(ALERT_SEVERITIES, SEVERITY_EXPECTED).optional(),
      summary: timeOfDay.optional(),
      repeat: repeatWindow.prefault('10m'),
      perHour: z.int(HOURLY_EXPECTED).min(1, HOURLY_EXPECTED).max(1_000, HOURLY_EXPECTED).default(10),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'a map' : undefined) },
  )
  .superRefine((alert, context) => {
    const need = (name: 'url' | 'urlFile' | 'tokenFile' | 'chat', message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (alert.to === 'telegram') {
      if (alert.tokenFile === undefined) need('tokenFile', "the path of the file with the bot's token");
      if (alert.chat === undefined) need('chat', 'a quoted chat id, like "-1001234567"');
      if (alert.urlFile !== undefined) need('urlFile', 'nothing: the token is in tokenFile');
      return;
    }
    if (alert.chat !== undefined) need('chat', 'nothing: only telegram has chats');
    if (alert.to === 'slack' || alert.to === 'discord') {
      if (alert.url !== undefined) need('url', 'nothing: the address holds a token, it belongs into urlFile');
      if (alert.urlFile === undefined)
        need('urlFile', 'the path of the file with the address of the webhook');
      if (alert.tokenFile !== undefined) need('tokenFile', 'nothing: the token is in the address');
    } else if ((alert.url === undefined) === (alert.urlFile === undefined)) {
      need(alert.url === undefined ? 'url' : 'urlFile', 'one of url and urlFile');
    } else if (alert.to === 'ntfy' && alert.url !== undefined && !hasTopic(alert.url)) {
      need('url', NTFY_EXPECTED);
    }
  });

/** https, or http to this machine, with nothing in it that could be a secret of the usual form. */
function isPlainAddress(address: string): boolean {
  if (hasControls(address) || !URL.canParse(address)) return false;
  const url = new URL(address);
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal));
}
