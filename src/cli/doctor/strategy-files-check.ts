import { join, relative } from 'node:path';
import { TickwrightError } from '../../model/errors.js';
import type { Machine } from '../machine.js';
import { beginStrategy } from '../strategy/begin-strategy.js';
import { type Check, fail, ok } from './doctor-check.js';
import type { Settings } from '../settings/settings.js';
import { loadStrategy } from '../strategy/strategy.js';

const STRATEGY_FILE = /^(?!.*\.(?:test|spec|d)\.[cm]?[jt]s$).*\.[cm]?[jt]s$/;

/**
 * Checks whether strategies of the folder `strategies` that no configuration names load and can start, so that a
 * strategy that is only tested so far can also run. Files that define no strategy are ignored as helpers.
 */
export async function strategyFilesCheck(
  machine: Machine,
  { strategies }: Pick<Settings, 'strategies'>,
  project: string,
): Promise<readonly Check[]> {
  const folder = join(project, 'strategies');
  if ((await machine.files.stat(folder))?.kind !== 'directory') return [];
  const named = new Set(strategies.map(({ file }) => file));
  const checks: Check[] = [];
  for (const { name, path, kind } of await machine.files.list(folder)) {
    if (kind !== 'file' || !STRATEGY_FILE.test(name) || named.has(path)) continue;
    if (!(await machine.files.readText(path)).includes('defineStrategy')) continue;
    const shown = `strategy ${relative(project, path)}`;
    try {
      beginStrategy(await loadStrategy(machine, path, {}));
      checks.push(ok(shown, 'loads; the configuration does not name it'));
    } catch (error) {
      if (!(error instanceof TickwrightError)) throw error;
      checks.push(
        fail(
          shown,
          error.message.split('\n')[0] ?? '',
          `tickwright backtest ${relative(project, path)} says more`,
        ),
      );
    }
  }
  return checks;
}
