import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../../src/platform/child-process.js';
import { systemClock } from '../../src/platform/clock.js';
import { systemEntropy } from '../../src/platform/entropy.js';
import { nodeFiles } from '../../src/platform/files.js';
import { terminal } from '../../src/platform/terminal.js';

const source = (name: string) => fileURLToPath(new URL(`../../src/platform/${name}.ts`, import.meta.url));
let directory: string;

/** Runs a script against the platform in a process of its own. */
async function script(name: string, text: string): Promise<string> {
  const path = join(directory, `${name}.mjs`);
  await writeFile(path, text);
  return path;
}

beforeAll(async () => {
  directory = await nodeFiles.temporaryDirectory('tickwright-test-');
  const entryPoints = ['process', 'signals', 'timers'].map(source);
  await build({
    entryPoints,
    outdir: directory,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
  });
});
afterAll(() => nodeFiles.remove(directory));

describe('a child process', () => {
  it('gives its exit code and what it printed', async () => {
    const code = 'console.log("out"); console.error("err"); process.exitCode = 3';
    expect(await runNode(['-e', code], { timeoutMs: 20_000 })).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('gives all of a long output, cut at no character', async () => {
    const { stdout } = await runNode(['-e', 'process.stdout.write("ä€".repeat(200_000))'], {
      timeoutMs: 20_000,
    });
    expect(stdout).toBe('ä€'.repeat(200_000));
  });

  it('is killed when it takes too long, and has no exit code then', async () => {
    const result = await runNode(['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 100 });
    expect(result.exitCode).toBeUndefined();
  });

  it('sees the folder and the environment it is given', async () => {
    const code = 'console.log(process.cwd(), process.env.A, process.env.B)';
    const { stdout } = await runNode(['-e', code], {
      timeoutMs: 20_000,
      cwd: directory,
      env: { A: 'a', B: undefined },
    });
    expect(stdout.trim()).toBe(`${directory} a undefined`);
  });
});

describe('the process', () => {
  it.each([
    ['stdout', 'writeOut'],
    ['stderr', 'writeError'],
  ] as const)('goes on when the reader of its %s went away, and can tell', async (name, write) => {
    const path = await script(
      `use-${name}`,
      `import { ${write}, outliveReaders, setExitCode } from './process.mjs';
       outliveReaders();
       while (await ${write}('x'.repeat(1000) + '\\n'));
       await ${write}('nobody reads this');
       setExitCode(5);`,
    );
    const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'pipe'] });
    const other = name === 'stdout' ? child.stderr : child.stdout;
    let said = '';
    other.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child[name].once('data', () => child[name].destroy());
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, said]).toEqual([5, '']);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('hears %s until it stops listening', async (asked) => {
    const path = await script(
      'use-signals',
      `import { processSignals } from './signals.mjs';
       const alive = setInterval(() => {}, 1000);
       const stop = processSignals.onStop((signal) => { console.log(signal); stop(); process.kill(process.pid, 'SIGTERM'); });
       console.log('ready');`,
    );
    const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output === 'ready\n') child.kill(asked);
    });
    const signal = await new Promise((resolve) => child.once('close', (_code, name) => resolve(name)));
    expect([output, signal]).toEqual([`ready\n${asked}\n`, 'SIGTERM']);
  });

  it('waits for timers, and not for background timers', async () => {
    const path = await script(
      'use-timers',
      `import { systemTimers, backgroundTimers } from './timers.mjs';
       systemTimers.after(20, () => console.log('timer'));
       backgroundTimers.after(60000, () => console.log('background'));`,
    );
    expect((await runNode([path], { timeoutMs: 20_000 })).stdout).toBe('timer\n');
  });
});

describe('the terminal', () => {
  const tty = { isTTY: true, columns: 120 };
  it.each([
    [tty, {}, true],
    [{}, {}, false],
    [{}, { FORCE_COLOR: '1' }, true],
    [tty, { FORCE_COLOR: '0' }, false],
    [tty, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [tty, { NO_COLOR: '' }, true],
  ])('%j with %j has colours: %s', (stdout, environment, color) => {
    expect(terminal(stdout, {}, environment).color).toBe(color);
  });

  it('is as wide as stdout, else stderr, else 80', () => {
    expect(terminal(tty, {}, {}).columns).toBe(120);
    expect(terminal({}, tty, {})).toEqual({
      stdoutIsTerminal: false,
      stderrIsTerminal: true,
      columns: 120,
      color: false,
    });
    expect(terminal({}, {}, {}).columns).toBe(80);
  });
});

describe('clock and entropy', () => {
  it('move on, and differ', () => {
    const before = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
    expect(systemClock.wall()).toBeGreaterThan(1_700_000_000_000);
    expect(systemEntropy.bytes(16)).toHaveLength(16);
    expect(Buffer.from(systemEntropy.bytes(16))).not.toEqual(Buffer.from(systemEntropy.bytes(16)));
  });
});
