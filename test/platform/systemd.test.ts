import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../src/platform/files.js';
import { systemdSupervisor } from '../../src/platform/systemd.js';

let folder: string;
let program: string;
beforeEach(async () => {
  folder = await nodeFiles.temporaryDirectory('tickwright-systemd-');
  program = join(folder, 'systemd-notify');
  // Writes down how it was called, with the variables that it has.
  await writeFile(
    program,
    `#!/bin/sh\n{ for word in "$@"; do echo "arg $word"; done; env | sed 's/^/env /'; echo done; } > ${folder}/called\n`,
  );
  await chmod(program, 0o700);
});
afterEach(() => nodeFiles.remove(folder));

async function called(): Promise<readonly string[]> {
  for (;;) {
    const lines = (await readFile(join(folder, 'called'), 'utf8').catch(() => '')).split('\n');
    if (lines.includes('done')) return lines;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const words = (lines: readonly string[], kind: string) =>
  lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));

function supervisor(
  environment: Readonly<Record<string, string>>,
  onFailed: (reason: string) => void = () => undefined,
) {
  return systemdSupervisor({ environment, pid: 17, program, onFailed });
}
const SOCKET = { NOTIFY_SOCKET: '/run/systemd/notify', PATH: '/usr/bin:/bin' };

describe('systemd', () => {
  it('is only there where it says so', () => {
    expect(supervisor({})).toBeUndefined();
    expect(supervisor({ NOTIFY_SOCKET: '' })).toBeUndefined();
  });

  it('is told that all is ready, in one line, and hands on nothing of our environment', async () => {
    supervisor({ ...SOCKET, TICKWRIGHT_VENUE__API_SECRET: 'canary' })?.ready('live on\nx');
    const lines = await called();
    expect(words(lines, 'arg')).toEqual(['--ready', '--status=live on x']);
    const names = words(lines, 'env').map((line) => line.split('=')[0]);
    expect(names).toContain('NOTIFY_SOCKET');
    expect(lines.join('\n')).not.toContain('canary');
  });

  it.each([
    ['alive', 'WATCHDOG=1'],
    ['stopping', 'STOPPING=1'],
  ] as const)('is told: %s', async (method, word) => {
    supervisor(SOCKET)?.[method]();
    expect(words(await called(), 'arg')).toEqual([word]);
  });

  it('asks to be told again and again only where it watches this very process', () => {
    expect(supervisor(SOCKET)?.watchdogMs).toBeUndefined();
    expect(supervisor({ ...SOCKET, WATCHDOG_USEC: '60000000' })?.watchdogMs).toBe(60_000);
    expect(supervisor({ ...SOCKET, WATCHDOG_USEC: '60000000', WATCHDOG_PID: '17' })?.watchdogMs).toBe(60_000);
    expect(
      supervisor({ ...SOCKET, WATCHDOG_USEC: '60000000', WATCHDOG_PID: '18' })?.watchdogMs,
    ).toBeUndefined();
  });

  it('that cannot be told keeps no process alive', async () => {
    const bundle = join(folder, 'systemd.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../../src/platform/systemd.ts', import.meta.url))],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const script = join(folder, 'tell.mjs');
    await writeFile(
      script,
      `import { systemdSupervisor } from ${JSON.stringify(bundle)};
       systemdSupervisor({
         environment: { NOTIFY_SOCKET: '/run/systemd/notify' },
         pid: 17,
         program: ${JSON.stringify(join(folder, 'missing'))},
         onFailed: () => console.log(JSON.stringify(process.getActiveResourcesInfo())),
       }).stopping();`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(JSON.parse(stdout)).not.toContain('Timeout');
  });

  it('that cannot be told is said to be so', async () => {
    program = join(folder, 'missing');
    const reason = await new Promise<string>((resolve) => supervisor(SOCKET, resolve)?.alive());
    expect(reason).toContain('ENOENT');
  });
});
