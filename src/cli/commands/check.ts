import { dirname, join, resolve } from 'node:path';
import { findConfig } from '../../config/locate-config.js';
import type { EffectiveValue } from '../../config/effective-config.js';
import { UsageError } from '../../model/errors.js';
import { processFacts } from '../../platform/process.js';
import { type Check, fail, ok, warn } from '../doctor/doctor-check.js';
import { loadChecks } from '../doctor/doctor-config.js';
import { readSettings } from '../settings/settings.js';
import { strategyFilesCheck } from '../doctor/strategy-files-check.js';
import { typeCheck } from '../doctor/type-check.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { checksText } from '../view/checks-text.js';
import { printJson, printText } from '../view/output.js';
import { printable } from '../view/printable.js';
import { table } from '../view/table.js';

/** JavaScript is checked by no compiler. */
const TYPED = /\.[cm]?ts$/;

export interface CheckOptions {
  readonly config?: string | undefined;
  readonly printEffective?: true | undefined;
  readonly json?: true | undefined;
}

/** Checks what can be checked of a project without a venue. Exit code 3 if something is wrong. */
export async function check(options: CheckOptions): Promise<ExitCode> {
  const machine = thisMachine('error');
  const { directory } = processFacts();
  const { files, environment } = machine;
  const found = await findConfig({ files, environment, directory, flag: options.config });
  const file = found === undefined ? undefined : resolve(directory, found.path);
  const project = await projectOf(machine, file, directory);
  const configured = await configChecks(machine, options.config, project);
  const checks = [...configured.checks, await typeCheck(machine, project, configured.strategies)];
  const isReadable = configured.checks.every(({ name, status }) => name !== 'config' || status !== 'fail');
  const effective =
    options.printEffective === true && file !== undefined && isReadable
      ? await effectiveValues(machine, file)
      : undefined;
  if (options.json === true) await printJson({ checks, ...(effective === undefined ? {} : { effective }) });
  else {
    await printText(checksText(checks));
    if (effective !== undefined) await printText(`\n${effectiveText(effective)}`);
  }
  return checks.some(({ status }) => status === 'fail') ? EXIT.checkFailed : EXIT.ok;
}

/**
 * The folder whose types are checked: that of the configuration if it has a tsconfig.json, which a folder of
 * configurations only has not; else the working directory.
 */
async function projectOf({ files }: Machine, config: string | undefined, directory: string): Promise<string> {
  if (config === undefined) return directory;
  const folder = dirname(config);
  return (await files.stat(join(folder, 'tsconfig.json'))) === undefined ? directory : folder;
}

async function configChecks(
  machine: Machine,
  flag: string | undefined,
  project: string,
): Promise<{ readonly checks: readonly Check[]; readonly strategies: readonly string[] }> {
  try {
    const settings = await readSettings(machine, flag);
    const { file, mode } = settings;
    const others = await strategyFilesCheck(machine, settings, project);
    if (file === undefined) {
      const none = warn(
        'config',
        'there is none here; defaults count',
        'tickwright init makes one, --config names one',
      );
      return { checks: [none, ...others], strategies: [] };
    }
    const loads = await loadChecks(machine, settings, false);
    return {
      checks: [ok('config', `${file}, mode: ${mode}`), ...loads, ...others],
      strategies: settings.strategies.map((each) => each.file).filter((each) => TYPED.test(each)),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      checks: [fail('config', error.message, 'correct it; tickwright start says the same')],
      strategies: [],
    };
  }
}

async function effectiveValues(
  { files, environment }: Machine,
  path: string,
): Promise<readonly EffectiveValue[]> {
  const { effectiveConfig } = await import('../../config/effective-config.js');
  const values = effectiveConfig({ path, text: await files.readText(path), environment });
  const url = values.find((each) => each.path === 'venue.url');
  if (url === undefined || values.some((each) => each.path === 'venue.profile')) return values;
  const { profileOf } = await import('../connection/connection.js');
  const value = profileOf({ url: url.value }).name;
  return values.flatMap((each) =>
    each === url ? [each, { path: 'venue.profile', value, origin: 'default' as const }] : [each],
  );
}

function effectiveText(values: readonly EffectiveValue[]): string {
  const rows = values.map(({ path, value, origin }) => [path, printable(value), origin]);
  return table(['KEY', 'VALUE', 'FROM'], rows, ['left', 'left', 'left']);
}
