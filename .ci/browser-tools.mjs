// Installs what the tests of the dashboard and of reports in a browser need into .ci/browser, which nothing else sees: users of the
// package, and `npm ci`, do without. Runs before `npm run e2e`. The browser itself is Debian's (apt-get install chromium).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'browser');
const TOOLS = { 'playwright-core': '1.65.1', 'axe-core': '4.14.1' };

function installed(name) {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

const missing = Object.entries(TOOLS).some(([name, version]) => installed(name) !== version);
if (missing) {
  const wanted = Object.entries(TOOLS).map(([name, version]) => `${name}@${version}`);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const { status } = spawnSync('npm', ['install', ...flags, ...wanted], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
