/** Processes that never outlive us, whatever happens to us. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly hasEnded: boolean;
  /** What it said last on stdout and stderr, some thousand characters of it. */
  readonly stdout: string;
  readonly stderr: string;
  kill(signal: NodeJS.Signals): void;
}

const KEPT_CHARACTERS = 20_000;
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** For programs: a signal ends us as `exit` does, and so the children too. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
}

/** The kernel kills it when we die without a word (Linux; elsewhere only an orderly end of ours ends it). */
const guard = ['setpriv', '--pdeathsig', 'KILL', '--'];
const hasGuard = spawnSync(guard[0] as string, [...guard.slice(1), 'true']).status === 0;

export function startNode(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Child {
  const [command, ...rest] = [...(hasGuard ? guard : []), process.execPath, ...args] as [string, ...string[]];
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, rest, {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  alive.add(child);
  let stdout = '';
  let stderr = '';
  let hasEnded = false;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout = (stdout + part).slice(-KEPT_CHARACTERS);
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr = (stderr + part).slice(-KEPT_CHARACTERS);
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      hasEnded = true;
      alive.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    get hasEnded() {
      return hasEnded;
    },
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    kill: (signal) => void child.kill(signal),
  };
}
