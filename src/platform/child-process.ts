import { spawn } from 'node:child_process';
import { constants } from 'node:os';

export interface ChildResult {
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildOptions {
  /** Killed after this long, ms. */
  readonly timeoutMs: number;
  readonly cwd?: string;
  /** Replaces the environment; default: inherited. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Through a shell, as scripts (npm) want it on Windows. The arguments must be words that no shell takes apart. */
  readonly shell?: boolean;
}

const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Runs this same Node on `args`, nothing on its stdin, and collects what it prints. Rejects if it cannot be started or prints too much. */
export function runNode(args: readonly string[], options: ChildOptions): Promise<ChildResult> {
  return runProgram(process.execPath, args, options);
}

/** The same of another program, by its path or as the shell would find it. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ChildOptions,
): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.shell === true ? { shell: true } : {}),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: { ...options.env } }),
    });
    // Not spawn's own timeout: its timer goes on when the program could not be started, and keeps this process alive.
    const tooLate = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
    const out: string[] = [];
    const err: string[] = [];
    let characters = 0;
    const collect = (into: string[]) => (chunk: string) => {
      characters += chunk.length;
      if (characters <= MOST_CHARACTERS) into.push(chunk);
      else child.kill('SIGKILL');
    };
    child.stdout.setEncoding('utf8').on('data', collect(out));
    child.stderr.setEncoding('utf8').on('data', collect(err));
    child.once('error', (error) => {
      clearTimeout(tooLate);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(tooLate);
      if (characters > MOST_CHARACTERS) {
        reject(new Error(`a child process must print at most ${MOST_CHARACTERS} characters, received more`));
        return;
      }
      resolve({ exitCode: code ?? undefined, stdout: out.join(''), stderr: err.join('') });
    });
  });
}

/**
 * Runs this same Node on `args` with our own terminal, and resolves with its exit code. Ctrl-C is the child's
 * business meanwhile; a signal that ends it counts as 128 and its number, as in a shell.
 */
export function runNodeInForeground(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    const leaveToChild = () => undefined;
    const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGINT', leaveToChild);
    process.on('SIGTERM', passOn);
    process.on('SIGHUP', passOn);
    const release = () => {
      process.off('SIGINT', leaveToChild);
      process.off('SIGTERM', passOn);
      process.off('SIGHUP', passOn);
    };
    child.once('error', (error) => {
      release();
      reject(error);
    });
    child.once('close', (code, signal) => {
      release();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
