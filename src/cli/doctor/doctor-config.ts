/** Checks what the configuration needs, such as strategies and certificates. */
import { counted } from '../../model/counted.js';
import { StrategyError, TickwrightError } from '../../model/errors.js';
import { shellWord } from '../../model/shell-word.js';
import { requestPlan } from '../../runner/request-plan.js';
import { isLoopback } from '../../client/base-url.js';
import { cautious, tickwright } from '../../client/profile.js';
import type { Machine } from '../machine.js';
import { certifyCommand } from '../view/certify-command.js';
import { firstLine } from '../view/first-line.js';
import { alertLines } from '../daemon/alerts.js';
import { beginStrategy } from '../strategy/begin-strategy.js';
import { uncertified } from '../certify/certify.js';
import type { ConnectionOptions } from '../connection/connection.js';
import { type Check, fail, failLive, ok, warn } from './doctor-check.js';
import { demandLimits } from '../settings/limits.js';
import type { Settings } from '../settings/settings.js';
import { loadStrategy } from '../strategy/strategy.js';

const LEDGER_MS = 60_000;
const STRANGERS_WRITE = 0o022;

/** Checks whether each strategy loads with its parameters, and has its certificate. */
export async function strategyChecks(
  machine: Machine,
  settings: Settings,
  live: boolean,
): Promise<readonly Check[]> {
  const checks = await loadChecks(machine, settings, live);
  const areReady = settings.strategies.length > 0 && checks.every(({ status }) => status !== 'fail');
  return areReady ? [...checks, await certificateCheck(machine, settings, live)] : checks;
}

/** Checks whether each strategy loads with its parameters, and can start. */
export async function loadChecks(
  machine: Machine,
  { strategies }: Settings,
  live: boolean,
): Promise<readonly Check[]> {
  if (strategies.length === 0) {
    return [
      warn(
        'strategies',
        'the configuration names none',
        'name one below strategies:, or give one to tickwright run',
      ),
    ];
  }
  return Promise.all(
    strategies.map(async ({ file, pair, params }): Promise<Check> => {
      const name = `strategy ${pair}`;
      try {
        beginStrategy(await loadStrategy(machine, file, params), pair);
      } catch (error) {
        if (!(error instanceof TickwrightError)) throw error;
        const isThere = (await machine.files.stat(file)) !== undefined;
        if (error instanceof StrategyError) {
          return fail(name, firstLine(error.message), 'correct it: no session of it can begin');
        }
        const fix = isThere
          ? `tickwright help ${shellWord(file)} shows its parameters`
          : 'name a file by its path from the configuration; tickwright new NAME makes one';
        return fail(name, firstLine(error.message), fix);
      }
      const mode = (await machine.files.stat(file))?.mode ?? 0;
      return (mode & STRANGERS_WRITE) === 0
        ? ok(name, file)
        : failLive(
            live,
            name,
            `${file} may be changed by others (mode ${mode.toString(8)})`,
            `chmod go-w ${shellWord(file)}`,
          );
    }),
  );
}

async function certificateCheck(machine: Machine, settings: Settings, live: boolean): Promise<Check> {
  const [first] = await uncertified(machine, settings);
  if (first === undefined) return ok('certificate', 'valid for every strategy as it is');
  const { strategy, problem } = first;
  const text = `${strategy.pair}: ${problem}`;
  // Paper trading needs no certificate.
  if (!live) return ok('certificate', `${text}; only --live wants it`);
  const { file, pair } = strategy;
  return fail('certificate', text, certifyCommand(file, { config: settings.file, pair }));
}

export function limitChecks(settings: Settings, venue: ConnectionOptions, live: boolean): readonly Check[] {
  const { limits, poll, strategies } = settings;
  const profile = venue.profile ?? (isLoopback(venue.url) ? tickwright : cautious);
  const { restingPerPair, ordersPerMinute } = profile.limits;
  const checks: Check[] = [];
  const fix = 'set them below limits:';
  try {
    demandLimits(live ? venue.url : 'http://127.0.0.1', limits);
    const isSet = Object.values(limits ?? {}).some((bound) => bound !== undefined);
    checks.push(isSet ? ok('limits', 'set') : warn('limits', 'none is set', fix));
  } catch (error) {
    checks.push(fail('limits', firstLine(String((error as Error).message)), fix));
  }
  for (const [limit, value, most] of [
    ['maxOpenOrders', limits?.maxOpenOrders, restingPerPair],
    ['maxOrdersPerMinute', limits?.maxOrdersPerMinute, ordersPerMinute],
  ] as const) {
    if (value === undefined || value <= most) continue;
    const text = `limits.${limit} is ${value}, profile ${profile.name} allows ${most}`;
    checks.push(failLive(live, 'limits', text, `set it to ${most} at most`));
  }
  const sessions = Math.max(1, strategies.length);
  const { excess, shortage } = requestPlan({
    every: live ? poll : { trades: poll.trades, ticker: poll.ticker },
    followsClock: profile.clock === 'follow',
    ledgerMs: live ? LEDGER_MS : undefined,
    maxOrdersPerMinute: live ? limits?.maxOrdersPerMinute : undefined,
    perSecond: profile.budget.perSecond,
    sharedBy: sessions,
  });
  const slower = `set longer poll times, or the budget of profile ${profile.name}`;
  if (excess !== undefined) checks.push(failLive(live, 'requests', excess, slower));
  else if (shortage !== undefined) checks.push(warn('requests', shortage, slower));
  else
    checks.push(
      ok(
        'requests',
        `the polls of ${counted(sessions, 'session')} fit into ${profile.budget.perSecond} a second`,
      ),
    );
  return checks;
}

export async function alertCheck(machine: Machine, settings: Settings, live: boolean): Promise<Check> {
  if (settings.alerts.length === 0) {
    const fix = 'name a receiver below alerts:, then tickwright alert --test';
    return live ? warn('alerts', 'nobody is told when something goes wrong', fix) : ok('alerts', 'none');
  }
  const lines = await alertLines(machine, settings);
  await Promise.all(lines.map(({ notifier }) => notifier.close()));
  return ok('alerts', lines.map(({ notifier }) => notifier.name).join(', '));
}

export async function dataCheck({ files }: Machine, { data }: Settings): Promise<readonly Check[]> {
  const missing: string[] = [];
  for (const path of data) if ((await files.stat(path)) === undefined) missing.push(path);
  if (missing.length > 0) {
    return [warn('data', `not there: ${missing.join(', ')}`, 'tickwright record makes recordings')];
  }
  return data.length === 0 ? [] : [ok('data', data.join(', '))];
}
