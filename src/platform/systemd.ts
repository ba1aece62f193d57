import { spawn } from 'node:child_process';
import type { Supervisor } from '../ports/supervisor.js';

export interface SystemdOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** A message that could not be given. */
  readonly onFailed: (reason: string) => void;
  /** The program that gives them; Node has no datagram sockets. Default: `systemd-notify`. */
  readonly program?: string;
}

const TIMEOUT_MS = 5_000;
const MICROSECONDS = 1_000;
const MOST_STATUS = 200;

/** systemd, where it started this process with `Type=notify` and `NotifyAccess=all`; else `undefined`. */
export function systemdSupervisor(options: SystemdOptions): Supervisor | undefined {
  const { environment, pid } = options;
  const socket = environment['NOTIFY_SOCKET'];
  if (socket === undefined || socket === '') return undefined;
  const micros = Number(environment['WATCHDOG_USEC']);
  const owner = environment['WATCHDOG_PID'];
  const isWatched = micros > 0 && (owner === undefined || Number(owner) === pid);
  const tell = (...words: readonly string[]) => notify(options, socket, words);
  return {
    watchdogMs: isWatched ? micros / MICROSECONDS : undefined,
    ready: (status) => tell('--ready', `--status=${oneLine(status)}`),
    alive: () => tell('WATCHDOG=1'),
    stopping: () => tell('STOPPING=1'),
  };
}

function notify(
  { program = 'systemd-notify', onFailed, environment }: SystemdOptions,
  socket: string,
  words: readonly string[],
): void {
  // Only what it needs: a child inherits nothing that is nobody's business.
  const env = { NOTIFY_SOCKET: socket, PATH: environment['PATH'] ?? '/usr/bin:/bin' };
  const child = spawn(program, [...words], { env, stdio: 'ignore' });
  // Neither may keep a process alive that has nothing else to do. The timer of spawn's own `timeout` does, and goes on
  // when the program could not be started.
  child.unref();
  const tooLate = setTimeout(() => child.kill(), TIMEOUT_MS).unref();
  child.once('error', (error) => {
    clearTimeout(tooLate);
    onFailed(error.message);
  });
  child.once('exit', (code, signal) => {
    clearTimeout(tooLate);
    if (code !== 0) onFailed(`${program} ended with ${code ?? signal ?? 'nothing'}`);
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MOST_STATUS);
}
