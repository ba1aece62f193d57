import type { JournalDamage } from './journal-errors.js';
import { lineAt, nextLine } from './journal-line.js';

/** A record in a segment that is whole; the JSON is from byte `json` to before `jsonEnd`. */
export interface LinePlace {
  readonly sequence: number;
  readonly offset: number;
  readonly json: number;
  readonly jsonEnd: number;
}

/** Bytes at the end of the last segment that were being written when the power or the process went. */
export interface TornTail {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
}

export function tornTailText({ file, offset, bytes }: TornTail): string {
  return `a torn tail of ${bytes} bytes off ${file} at byte ${offset}`;
}

export interface SegmentScan {
  readonly lines: readonly LinePlace[];
  readonly damages: readonly JournalDamage[];
  /** The byte after the last whole record. */
  readonly end: number;
  /** Behind it stands something that is neither whole nor room for records to come (zeros). */
  readonly torn: boolean;
  /** Sequence of the record that must come next. */
  readonly next: number;
}

export interface ScanStart {
  readonly offset?: number;
  /** Sequence that the record there must have. */
  readonly sequence: number;
}

/**
 * Reads the lines of a segment. Where the sequence breaks or bytes are damaged and anything valid follows, that is a
 * damage, and reading goes on behind it; where nothing valid follows, the end is torn, or it is room that was reserved.
 */
export function scanSegment(file: string, bytes: Uint8Array, start: ScanStart): SegmentScan {
  const lines: LinePlace[] = [];
  const damages: JournalDamage[] = [];
  let offset = start.offset ?? 0;
  let next = start.sequence;
  while (offset < bytes.length) {
    const line = lineAt(bytes, offset);
    if (line === undefined) {
      const resume = nextLine(bytes, offset + 1, next);
      if (resume === undefined) return { lines, damages, end: offset, torn: !isRoom(bytes, offset), next };
      damages.push({
        file,
        offset,
        sequence: next,
        reason: `a record must be what was written, received ${resume.offset - offset} other bytes before record ${resume.sequence}, which is whole`,
      });
      offset = resume.offset;
      next = resume.sequence;
      continue;
    }
    if (line.sequence !== next) {
      damages.push({
        file,
        offset,
        sequence: next,
        reason: `records must follow each other without a hole, received record ${line.sequence} instead`,
      });
    }
    lines.push({ sequence: line.sequence, offset, json: line.json, jsonEnd: line.end - 1 });
    offset = line.end;
    next = line.sequence + 1;
  }
  return { lines, damages, end: offset, torn: false, next };
}

function isRoom(bytes: Uint8Array, start: number): boolean {
  for (let at = start; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}
