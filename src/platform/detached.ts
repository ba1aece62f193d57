import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';

export interface DetachedProcess {
  readonly pid: number;
  /** Its exit code once it has ended; a signal counts as 128 and its number, as in a shell. */
  readonly ended: Promise<number>;
  /** It may outlive this process, which no longer waits for it. */
  letGo(): void;
}

/** Names the file that standard error goes to: whoever logs there keeps it from growing without end. */
export const LOG_FILE_VARIABLE = 'TICKWRIGHT_LOG_FILE';
const OWNER_ONLY = 0o600;

/** Starts this same Node on `args` in a session of its own, with what it prints appended to a file. */
export function startDetached(args: readonly string[], logFile: string): DetachedProcess {
  const log = openSync(logFile, 'a', OWNER_ONLY);
  try {
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, [LOG_FILE_VARIABLE]: resolve(logFile) },
    });
    const ended = new Promise<number>((resolve) => {
      child.once('error', () => resolve(1));
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
    return { pid: child.pid ?? 0, ended, letGo: () => child.unref() };
  } finally {
    closeSync(log);
  }
}
