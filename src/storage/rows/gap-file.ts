import { UsageError } from '../../model/errors.js';
import type { TradeGap } from '../../model/trade.js';
import type { AppendFile, Files } from '../../ports/files.js';
import { gapsPath } from './layout.js';
import { appendLine, openLines, readLinesOfJson } from './line-file.js';

/** Appends a gap that the recorder could not close; the file has one JSON object per line. */
export function appendGap(file: AppendFile, gap: TradeGap): Promise<void> {
  return appendLine(file, gap);
}

/** Opens the list of gaps for appending, and cuts off a torn last line. */
export function openGaps(files: Files, pairFolder: string): Promise<AppendFile> {
  return openLines(files, gapsPath(pairFolder));
}

/** Replaces the list. */
export async function writeGaps(files: Files, pairFolder: string, gaps: readonly TradeGap[]): Promise<void> {
  const lines = gaps.map(({ from, to, missing }) => `${JSON.stringify({ from, to, missing })}\n`);
  await files.writeAtomic(gapsPath(pairFolder), lines.join(''));
}

/** The recorded gaps by time, without duplicates. A torn last line is skipped: its write was never confirmed. */
export async function readGaps(files: Files, pairFolder: string): Promise<readonly TradeGap[]> {
  const gaps = await readLinesOfJson(files, gapsPath(pairFolder), parseGap);
  gaps.sort((a, b) => a.from - b.from || a.to - b.to);
  return gaps.filter((gap, index) => {
    const above = gaps[index - 1];
    return above === undefined || above.from !== gap.from || above.to !== gap.to;
  });
}

function parseGap(value: unknown): TradeGap {
  const { from, to, missing } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly from?: unknown;
    readonly to?: unknown;
    readonly missing?: unknown;
  };
  if (
    typeof from !== 'number' ||
    typeof to !== 'number' ||
    (missing !== undefined && typeof missing !== 'number')
  ) {
    throw new UsageError(
      'TICKWRIGHT_E_GAPS',
      'the line must be a gap like {"from":1723161256322,"to":1723161256400,"missing":3}',
    );
  }
  return { from, to, missing };
}
