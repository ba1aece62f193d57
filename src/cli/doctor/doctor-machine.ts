/** Checks this machine: its Node, its clock, and its certificate verification. */
import { DAY_MS, dayNumber } from '../../model/calendar.js';
import type { Machine } from '../machine.js';
import { type Check, fail, failLive, ok, warn } from './doctor-check.js';

/** When the support of each Node line ends, as published; epoch ms. Odd lines are supported for half a year. */
const END_OF_LIFE: Readonly<Record<number, number>> = {
  20: endOf(2026),
  22: endOf(2027),
  24: endOf(2028),
  26: endOf(2029),
};
/** The support of even lines ends with April. */
function endOf(year: number): number {
  return dayNumber({ year, month: 5, day: 1 }) * DAY_MS;
}

const LEAST = [20, 19] as const;

export function nodeCheck(version: string, now: number, live: boolean): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const name = 'node';
  const fix = 'install the newest even major of Node, like 24';
  if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
    return fail(name, `Node ${version} is older than ${LEAST.join('.')}`, fix);
  }
  if (major % 2 === 1)
    return failLive(live, name, `Node ${version} is of a line that nobody supports for long`, fix);
  const end = END_OF_LIFE[major];
  if (end !== undefined && now >= end) {
    return failLive(live, name, `Node ${version} gets no security fixes any more`, fix);
  }
  return ok(name, `Node ${version}`);
}

export function tlsCheck({ environment }: Pick<Machine, 'environment'>): Check {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return ok('tls', 'certificates are verified');
  return fail(
    'tls',
    'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified',
    'unset it: nothing starts with it',
  );
}

const TIMESYNC = '/run/systemd/timesync';

export async function timeSyncCheck({ files }: Pick<Machine, 'files'>): Promise<Check> {
  const name = 'time sync';
  const has = async (path: string) => (await files.stat(path).catch(() => undefined)) !== undefined;
  if (await has(`${TIMESYNC}/synchronized`)) return ok(name, 'systemd-timesyncd is synchronized');
  if (await has(TIMESYNC)) {
    return warn(
      name,
      'systemd-timesyncd runs and is not synchronized',
      'timedatectl set-ntp true; timedatectl timesync-status',
    );
  }
  if (await has('/run/chrony')) return ok(name, 'chrony runs');
  return ok(name, 'nobody here says; the distance to the clock of the venue is what counts');
}
