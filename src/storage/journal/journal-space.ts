import type { DiskSpace } from '../../ports/disk-space.js';

const MIB = 1_024 * 1_024;
/** With less a live session begins halted. */
const TO_START_BYTES = 256 * MIB;
/** With less, no more risk is taken. */
const TO_GO_ON_BYTES = 128 * MIB;

/** Why no session may begin as usual; `undefined` when it may. */
export function shortageToStart(disk: DiskSpace, directory: string): Promise<string | undefined> {
  return shortage(disk, directory, TO_START_BYTES);
}

/** Why nothing that adds risk may leave, long before the disk is full; `undefined` when it may. */
export function shortageToGoOn(disk: DiskSpace, directory: string): Promise<string | undefined> {
  return shortage(disk, directory, TO_GO_ON_BYTES);
}

async function shortage(disk: DiskSpace, directory: string, least: number): Promise<string | undefined> {
  const freeBytes = await disk.freeBytes(directory);
  if (freeBytes >= least) return undefined;
  return `the disk of ${directory} must have ${least / MIB} MiB free, it has ${Math.floor(freeBytes / MIB)} MiB`;
}
