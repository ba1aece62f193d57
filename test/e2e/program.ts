import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const MAIN = join(ROOT, 'dist', 'cli', 'main.js');

export const KEY = 'e2e-key';
export const SECRET = 'e2e-secret-that-nobody-has';
/** What a user exports to trade on the venue of `startVenue`. */
export const KEYS = { TICKWRIGHT_VENUE__API_KEY: KEY, TICKWRIGHT_VENUE__API_SECRET: SECRET };

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stdout or stderr has this text; rejects when the process ends without. */
  said(text: string): Promise<string>;
  /** What it has said on stderr so far. */
  words(): string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file that stdout goes to; nothing of it is in what has ended then. */
  readonly stdout?: number;
  /** Whoever it runs as; default: who runs this. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Starts the built program as its `bin` is started, without the terminal's own variables. */
export function start(
  args: readonly string[],
  { cwd = ROOT, env = {}, stdout: file, user }: Surroundings = {},
): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', file ?? 'pipe', 'pipe'],
    ...user,
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
    for (const look of waiting) look();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    ended,
    words: () => stderr,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!`${stdout}\n${stderr}`.includes(text)) return;
          waiting.delete(look);
          resolve(stdout);
        };
        waiting.add(look);
        look();
        void ended.then((end) => reject(new Error(`ended without saying ${text}: ${JSON.stringify(end)}`)));
      }),
  };
}

export function run(args: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  return start(args, surroundings).ended;
}

/** Runs `args`, which must end with 0, and reads the one JSON document that it prints. */
export async function runJson(
  args: readonly string[],
  surroundings?: Surroundings,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(args, surroundings);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return oneDocument(stdout);
}

/** @throws unless the text is one JSON document on one line. */
export function oneDocument(stdout: string): Record<string, unknown> {
  if (!/^[^\n]+\n$/.test(stdout))
    throw new Error(`stdout must be one line, received ${JSON.stringify(stdout)}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** A simulated venue with the account of `KEYS`, in a process of its own. */
export async function startVenue(
  args: readonly string[],
): Promise<{ readonly url: string; readonly running: Running }> {
  const running = start(['venue', '--port', '0', '--account', `${KEY}:${SECRET}`, ...args]);
  const stdout = await running.said('listening');
  return { url: (JSON.parse(stdout) as { listening: string }).listening, running };
}

/** Where a machine that is five times slower is still on its way, ms. */
export const PATIENCE_MS = 300_000;
const LOOK_MS = 50;

/** Resolves to ms until it holds. @throws when it takes far too long, with `more` */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  more: () => string = () => '',
): Promise<number> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > PATIENCE_MS) {
      throw new Error(`${what} must come within ${PATIENCE_MS} ms, received nothing\n${more()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return performance.now() - startedAt;
}

/** False also of one that has ended and that nobody has buried. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It may go between any two looks.
    return false;
  }
}

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tickwright-e2e-'));
  try {
    return await work(folder);
  } finally {
    // A process that was killed may still write while it is removed.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Installs a package of one module in a folder. */
export function writePackage(folder: string, name: string, code: string): void {
  const directory = join(folder, 'node_modules', name);
  mkdirSync(directory, { recursive: true });
  const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js' };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(directory, 'index.js'), code);
}
