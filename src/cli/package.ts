/** The parts of the package, located relative to the program. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE_URL } from '../loader/module-url.js';
import type { Files } from '../ports/files.js';

/** Root folder of the package. */
export const PACKAGE_FOLDER = fileURLToPath(PACKAGE_URL);

export const STRATEGIES_FOLDER = join(PACKAGE_FOLDER, 'strategies');

/** The recording of the package, from our synthetic market. */
export const SAMPLE_FOLDER = join(PACKAGE_FOLDER, 'backtest', 'sample');

/** The program, as a child process runs it. */
export const MAIN_FILE = join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js');

/** The program that withdraws: a separate file that no other module imports. */
export const WITHDRAW_FILE = join(PACKAGE_FOLDER, 'dist', 'cli', 'withdraw-main.js');

/** The files of the daemon's dashboard. */
export const DASHBOARD_FOLDER = join(PACKAGE_FOLDER, 'dist', 'daemon', 'dashboard');

/** Names of the strategies of the package. */
export async function shippedStrategies(files: Files): Promise<readonly string[]> {
  const entries = await files.list(STRATEGIES_FOLDER);
  return entries.filter(({ name }) => name.endsWith('.ts')).map(({ name }) => name.slice(0, -3));
}

export async function packageVersion(files: Files): Promise<string> {
  const { version } = JSON.parse(await files.readText(join(PACKAGE_FOLDER, 'package.json'))) as {
    version: string;
  };
  return version;
}
