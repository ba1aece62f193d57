/** What the operating system says of a process. Linux. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export interface ProcessSample {
  readonly rssBytes: number;
  readonly sockets: number;
  readonly files: number;
  readonly threads: number;
}

/** Of a measurement, from its start: what it takes to warm up is no slope. */
export const WARM_SHARE = 0.25;
const PAGE_BYTES = 4_096;

export function sampleProcess(pid: number): ProcessSample {
  const [, resident = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  let sockets = 0;
  let files = 0;
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    let target = '';
    try {
      target = readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      // Closed meanwhile.
    }
    if (target.startsWith('socket:')) sockets++;
    else if (target.startsWith('/')) files++;
  }
  const threads = readdirSync(`/proc/${pid}/task`).length;
  return { rssBytes: Number(resident) * PAGE_BYTES, sockets, files, threads };
}

/** Bytes written into all files below a folder whose path has `part` in it; room that is only reserved does not count. */
export function bytesBelow(folder: string, part: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !path.includes(part)) continue;
    try {
      const bytes = readFileSync(path);
      let { length } = bytes;
      while (length > 0 && bytes[length - 1] === 0) length--;
      sum += length;
    } catch {
      // Removed meanwhile.
    }
  }
  return sum;
}

/** Least squares: units a step. */
export function slopeOf(values: readonly number[]): number {
  const count = values.length;
  if (count < 2) return 0;
  const middle = (count - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  let [up, down] = [0, 0];
  values.forEach((value, index) => {
    up += (index - middle) * (value - mean);
    down += (index - middle) ** 2;
  });
  return up / down;
}
