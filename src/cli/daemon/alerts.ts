/** The alert receivers of a configuration, with the secrets from their files. */
import { basename, join } from 'node:path';
import { isLoopback } from '../../client/base-url.js';
import { undiciTransport } from '../../client/transport.js';
import type { AlertConfig } from '../../config/load-config.js';
import { hasTopic, NTFY_EXPECTED } from '../../config/ntfy-address.js';
import type { Alert } from '../../daemon/alerts/alert.js';
import { AlertLine } from '../../daemon/alerts/alert-line.js';
import { AlertDesk, type DeskLine } from '../../daemon/alerts/alert-desk.js';
import { type Address, TELEGRAM_URL } from '../../daemon/alerts/formats.js';
import { httpNotifier } from '../../daemon/alerts/http-notifier.js';
import type { DaemonControl } from '../../daemon/daemon-api.js';
import { UsageError } from '../../model/errors.js';
import { readSecretFile } from '../../platform/secrets.js';
import { FileMissing, type Files } from '../../ports/files.js';
import type { Machine } from '../machine.js';
import { pairFolder } from '../journal/pair-folder.js';
import type { Settings } from '../settings/settings.js';

/** @throws UsageError when a file cannot be used, or the address in it cannot */
export async function alertLines(
  machine: Machine,
  { alerts }: Pick<Settings, 'alerts'>,
): Promise<readonly DeskLine[]> {
  const addresses = await Promise.all(alerts.map((alert) => addressOf(machine, alert)));
  const names = receiverNames(alerts);
  return alerts.map(({ to, on, minSeverity, summary, repeat, perHour }, index) => {
    const address = addresses[index] as Address;
    const { clock, timers, environment } = machine;
    const baseUrl = new URL(address.url).origin;
    const transport = undiciTransport({ baseUrl, clock, timers, environment, pollConnections: 1 });
    const notifier = httpNotifier({ name: names[index] as string, to, address, transport });
    return { notifier, on, minSeverity, summary, repeatMs: repeat, perHour };
  });
}

/** The kinds of the receivers, with their place in the configuration where several are of one kind. */
function receiverNames(alerts: readonly Pick<AlertConfig, 'to'>[]): readonly string[] {
  return alerts.map(({ to }, index) => {
    const isOnly = alerts.filter((other) => other.to === to).length === 1;
    return isOnly ? to : `${to} (receiver ${index + 1})`;
  });
}

/** The name of the daemon in alerts: `live my-bot`. */
export function alertSource(mode: 'paper' | 'live', state: string): string {
  return `${mode} ${basename(state)}`;
}

/** Sends alerts from now on. @throws UsageError as `alertLines` does */
export async function openAlerts(
  machine: Machine,
  { settings, mode, daemon }: { settings: Settings; mode: 'paper' | 'live'; daemon: DaemonControl },
): Promise<AlertDesk> {
  const { clock, timers, log, scrubber, files } = machine;
  return AlertDesk.open({
    clock,
    timers,
    log,
    source: alertSource(mode, settings.state),
    scrub: (text) => scrubber.scrub(text),
    lines: await alertLines(machine, settings),
    daemon,
    journalBytes: () => journalBytes(files, settings),
  });
}

/** Sends one alert from a process that is not the daemon, and waits at most `graceMs` for its delivery. */
export async function tellReceivers(
  machine: Machine,
  { settings, mode, alert }: { settings: Settings; mode: 'paper' | 'live'; alert: Alert },
  graceMs: number,
): Promise<void> {
  const parts = {
    ...machine,
    source: alertSource(mode, settings.state),
    scrub: (text: string) => machine.scrubber.scrub(text),
  };
  const lines = (await alertLines(machine, settings)).map((line) => new AlertLine(line, parts));
  for (const line of lines) line.tell(alert);
  await Promise.all(lines.map((line) => line.close(graceMs)));
}

async function addressOf({ scrubber }: Machine, alert: AlertConfig): Promise<Address> {
  const { to, urlFile, tokenFile, chat } = alert;
  const token = tokenFile === undefined ? undefined : await readSecretFile(tokenFile);
  if (token !== undefined) scrubber.add(token);
  if (urlFile === undefined) return { url: (alert.url ?? TELEGRAM_URL).replace(/\/+$/, ''), token, chat };
  const text = await readSecretFile(urlFile);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(text));
  const demand = (expected: string) =>
    new UsageError(
      'TICKWRIGHT_E_ALERT_URL',
      `the file ${urlFile} of an alert to ${to} must hold ${expected}, received something else`,
    );
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '') {
    throw demand('an https address, or an http one of this machine, without user and password');
  }
  if (to === 'ntfy' && !hasTopic(text)) throw demand(NTFY_EXPECTED);
  // Parts of an address are secrets too: the last part of a webhook's path is its key.
  for (const part of [text, url.href, `${url.pathname}${url.search}`, ...url.pathname.split('/')]) {
    if (part.length >= SHORTEST_SECRET) scrubber.add(part);
  }
  return { url: url.href, token, chat };
}

const SHORTEST_SECRET = 16;

async function journalBytes(
  files: Files,
  { state, strategies }: Pick<Settings, 'state' | 'strategies'>,
): Promise<number | undefined> {
  let bytes: number | undefined;
  for (const { pair } of strategies) {
    const entries = await files.list(join(pairFolder(state, pair), 'journal')).catch((error: unknown) => {
      if (error instanceof FileMissing) return [];
      throw error;
    });
    for (const { size } of entries) bytes = (bytes ?? 0) + size;
  }
  return bytes;
}
