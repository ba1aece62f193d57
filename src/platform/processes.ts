import { readFileSync } from 'node:fs';
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
    // Ids are given again: that of a dead process may be another one's by now.
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

/** Clock ticks from the start of the machine; '' when no such process runs, or nobody says. */
function beganAt(pid: number): string {
  const stat = textOf(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, with whatever it likes to have in it.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // It has ended, and only its parent has not asked how: it runs no more.
  if (state === 'Z' || state === 'X') return '';
  return rest[18] ?? '';
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
