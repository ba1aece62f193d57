import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Processes } from '../ports/processes.js';

/** Of a process: its host, which start of that host, its id, and when it began. The last two ones are '' where nothing tells. */
type Parts = readonly [host: string, boot: string, pid: string, began: string];

const HOST = hostname().replaceAll('/', '_');
const BOOT = textOf('/proc/sys/kernel/random/boot_id');

/** The processes of this machine. */
export const systemProcesses: Processes = {
  self: nameOf(process.pid),
  stateOf(name) {
    const [host, boot, pid, began, ...rest] = name.split('/');
    if (host !== HOST || boot === undefined || began === undefined || rest.length > 0) return 'unknown';
    if (boot !== BOOT) return 'gone';
    const id = Number(pid);
    if (!Number.isSafeInteger(id) || id <= 0) return 'unknown';
    // Process ids are reused, so the id of a dead process may belong to another one; the time of its start tells.
    if (began !== '') return beganAt(id) === began ? 'alive' : 'gone';
    return isRunning(id) ? 'alive' : 'gone';
  },
};

/** The id in the name of a process of this machine. */
export function processId(name: string): number {
  return Number(name.split('/')[2]);
}

function nameOf(pid: number): string {
  const parts: Parts = [HOST, BOOT, String(pid), beganAt(pid)];
  return parts.join('/');
}

/** Start of the process in clock ticks since boot; '' when it does not run, or the system does not tell. */
function beganAt(pid: number): string {
  const { state, rest } = statIn(`/proc/${pid}`);
  // A zombie has ended; only its parent has not collected the exit code yet.
  if (hasEnded(state) && !hasLivingThread(pid)) return '';
  return rest[18] ?? '';
}

/**
 * The state of a process is that of its main thread. After SIGKILL other threads end later, each when the write or sync
 * that it is in has: until then files change, and what the process holds is held.
 */
function hasLivingThread(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  try {
    return readdirSync(threads).some((thread) => !hasEnded(statIn(`${threads}/${thread}`).state));
  } catch {
    return false;
  }
}

function statIn(folder: string): { readonly state: string; readonly rest: readonly string[] } {
  const stat = textOf(`${folder}/stat`);
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, rest };
}

/** A process or thread that is gone has no state. */
function hasEnded(state: string): boolean {
  return state === '' || state === 'Z' || state === 'X';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
