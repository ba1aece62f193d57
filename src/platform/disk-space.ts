import { statfs } from 'node:fs/promises';
import type { DiskSpace } from '../ports/disk-space.js';

/** The disks of this machine. */
export const nodeDiskSpace: DiskSpace = {
  async freeBytes(directory) {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  },
};
