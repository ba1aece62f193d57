import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real file system of this size in memory; false where it cannot be had. */
export function mountSmallDisk(folder: string, size: string): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0;
}

/** Also while something on it is open. */
export function unmountSmallDisk(folder: string): void {
  spawnSync('umount', ['-l', folder]);
}

/** Tried once: a container may forbid it even to root. */
export const mountsSmallDisks: boolean = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-mount-'));
  const isMounted = mountSmallDisk(folder, '64k');
  if (isMounted) unmountSmallDisk(folder);
  rmdirSync(folder);
  return isMounted;
})();
