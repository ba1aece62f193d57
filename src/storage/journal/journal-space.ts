import type { DiskSpace } from '../../ports/disk-space.js';

const MIB = 1_024 * 1_024;
/** With less free space, a live session begins halted. */
const TO_START_BYTES = 256 * MIB;
/** With less free space, a running session takes no more risk. */
const TO_GO_ON_BYTES = 128 * MIB;

/** Why a session may not begin as usual; `undefined` when it may. */
export function shortageToStart(disk: DiskSpace, directory: string): Promise<string | undefined> {
  return shortage(disk, directory, TO_START_BYTES);
}

/** Why orders that add risk may not leave, long before the disk is full; `undefined` when they may. */
export function shortageToGoOn(disk: DiskSpace, directory: string): Promise<string | undefined> {
  return shortage(disk, directory, TO_GO_ON_BYTES);
}

async function shortage(disk: DiskSpace, directory: string, least: number): Promise<string | undefined> {
  const freeBytes = await disk.freeBytes(directory);
  if (freeBytes >= least) return undefined;
  return `the disk of ${directory} must have ${least / MIB} MiB free, it has ${Math.floor(freeBytes / MIB)} MiB`;
}
