import { UsageError } from '../../model/errors.js';
import { exitNow, processFacts } from '../../platform/process.js';
import { alertCheck, dataCheck, limitChecks, strategyChecks } from '../doctor/doctor-config.js';
import { type Check, fail, Looks, ok } from '../doctor/doctor-check.js';
import { nodeCheck, timeSyncCheck, tlsCheck } from '../doctor/doctor-machine.js';
import { stateChecks } from '../doctor/doctor-state.js';
import { keyCheck, venueChecks } from '../doctor/doctor-venue.js';
import { pairFolder } from '../journal/pair-folder.js';
import { readSettings, type Settings } from '../settings/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { checksText } from '../view/checks-text.js';
import { printJson, printText } from '../view/output.js';

export interface DoctorOptions {
  readonly config?: string | undefined;
  readonly venue?: string | undefined;
  readonly live?: true | undefined;
  readonly allowEnvKey?: true | undefined;
  readonly json?: true | undefined;
}

/**
 * The time limit of each check, ms. All checks together must end within three seconds, even if the venue does not
 * answer.
 */
const WITHIN_MS = 2_500;

/** Exit code 3 if a check fails. Changes nothing, and does not show any key. */
export async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const machine = thisMachine('error');
  const looks = new Looks(machine, WITHIN_MS);
  const checks = (await checksOf(machine, options, looks)).map((check) => ({
    ...check,
    detail: machine.scrubber.scrub(check.detail),
  }));
  if (options.json === true) await printJson({ checks });
  else await printText(checksText(checks));
  const code = checks.some(({ status }) => status === 'fail') ? EXIT.checkFailed : EXIT.ok;
  // Exits without waiting for requests that are still open.
  if (looks.areLate) exitNow(code);
  return code;
}

async function checksOf(machine: Machine, options: DoctorOptions, looks: Looks): Promise<readonly Check[]> {
  const live = options.live === true;
  const local = [
    nodeCheck(processFacts().nodeVersion, machine.clock.wall(), live),
    tlsCheck(machine),
    await timeSyncCheck(machine),
  ];
  let settings: Settings;
  try {
    settings = await readSettings(machine, options.config);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [...local, fail('config', error.message, 'correct it; tickwright start says the same')];
  }
  const { file, mode, strategies } = settings;
  const venue = settings.venue(options.venue);
  const modeFits = !live || mode === 'live';
  const config = modeFits
    ? ok('config', file === undefined ? 'none; defaults count' : `${file}, mode: ${mode}`)
    : fail(
        'config',
        `--live needs mode: live, it says mode: ${mode}`,
        `set mode: live in ${file ?? 'a configuration'}`,
      );
  const pairs = strategies.map(({ pair }) => pair);
  const far = (name: string, look: () => Promise<readonly Check[]>) =>
    looks.at(name, 'is the address right, and the venue up?', look);
  const near = (name: string, look: () => Promise<readonly Check[]>) =>
    looks.at(name, 'correct what the message names', look);
  const groups = await Promise.all([
    far('venue', () => venueChecks(machine, venue, pairs)),
    far('key', () => keyChecks(machine, settings, options)),
    near('state', () => stateChecks(machine, settings, { live, venue: options.venue })),
    near('strategies', () => strategyChecks(machine, settings, live)),
    near('limits', () => Promise.resolve(limitChecks(settings, venue, live))),
    near('alerts', async () => [await alertCheck(machine, settings, live)]),
    near('data', () => dataCheck(machine, settings)),
  ]);
  return [...local, config, ...groups.flat()];
}

/** Checks the key. Paper trading needs none, but an existing one must be valid. */
async function keyChecks(
  machine: Machine,
  settings: Settings,
  options: DoctorOptions,
): Promise<readonly Check[]> {
  const live = options.live === true || settings.mode === 'live';
  let venue: Awaited<ReturnType<Settings['venueWithKeys']>>;
  try {
    venue = await settings.venueWithKeys(options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const isMissing = error.code === 'TICKWRIGHT_E_CREDENTIALS';
    if (isMissing && !live) return [ok('key', 'none, and paper needs none')];
    return [
      fail('key', error.message, 'put key and secret into files of mode 600 that the configuration names'),
    ];
  }
  const folders = settings.strategies.map(({ pair }) => pairFolder(settings.state, pair));
  return keyCheck(machine, venue, { signs: options.live === true, folders });
}
