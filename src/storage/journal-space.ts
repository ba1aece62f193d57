import type { DiskSpace } from '../ports/disk-space.js';

const MIB = 1_024 * 1_024;
/** No live session starts with less. */
const TO_START_BYTES = 256 * MIB;
/** With less, no more risk is taken. */
const TO_GO_ON_BYTES = 128 * MIB;

/** - `not-to-start`: a session that runs may go on, none may begin · `pause`: nothing that adds risk may leave */
export type SpaceVerdict = 'enough' | 'not-to-start' | 'pause';

export interface JournalSpace {
  readonly freeBytes: number;
  readonly verdict: SpaceVerdict;
  /** What must be what; for people. */
  readonly reason: string;
}

/** Whether the disk of the journal has room, long before it is full. */
export async function journalSpace(disk: DiskSpace, directory: string): Promise<JournalSpace> {
  const freeBytes = await disk.freeBytes(directory);
  const verdict = verdictOn(freeBytes);
  const least = verdict === 'pause' ? TO_GO_ON_BYTES : TO_START_BYTES;
  const reason = `the disk of ${directory} must have ${least / MIB} MiB free, it has ${Math.floor(freeBytes / MIB)} MiB`;
  return { freeBytes, verdict, reason };
}

function verdictOn(freeBytes: number): SpaceVerdict {
  if (freeBytes >= TO_START_BYTES) return 'enough';
  return freeBytes >= TO_GO_ON_BYTES ? 'not-to-start' : 'pause';
}
