import type { JournalDamage } from './journal-errors.js';
import { lineAt, nextLine } from './journal-line.js';

/** The position of a complete record in a segment. Its JSON is at the bytes [json, jsonEnd). */
export interface LinePlace {
  readonly sequence: number;
  readonly offset: number;
  readonly json: number;
  readonly jsonEnd: number;
}

/** Bytes at the end of the last segment that were being written when the power or the process failed. */
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
  /** Offset after the last complete record. */
  readonly end: number;
  /** After `end` there is something other than zeros, which would be allocated room. */
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
 * Scans the lines of a segment. Damaged bytes, or a break in the sequence, are damage if a valid line follows, and
 * scanning goes on there. If none follows, they are a torn tail, or allocated room.
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
