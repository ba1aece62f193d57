import { spawnSync } from 'node:child_process';

/** What a shell says, and a shim, of a program that is not there. */
const NOT_FOUND = 127;

/** Why a test that runs these programs cannot run here; `undefined` when it can. In CI they must be there. */
export function missingTools(...names: readonly string[]): string | undefined {
  const missing = names.filter((name) => {
    const { error, status } = spawnSync(name, ['--version'], { stdio: 'ignore' });
    return error !== undefined || status === NOT_FOUND;
  });
  if (missing.length === 0) return undefined;
  const reason = `not on this machine: ${missing.join(', ')}`;
  if (process.env['CI'] === 'true') throw new Error(`needed in CI and ${reason}`);
  return reason;
}
