import { UsageError } from '../model/errors.js';
import type { TradeGap } from '../model/trade.js';
import { type AppendFile, FileMissing, type Files } from '../ports/files.js';
import { gapsPath } from './layout.js';

/** Appends a gap that the recorder could not close; one JSON object a line. */
export async function appendGap(file: AppendFile, gap: TradeGap): Promise<void> {
  await file.append(new TextEncoder().encode(`${JSON.stringify(gap)}\n`));
}

/** Opens the list of gaps for appending; a line that a crash tore is cut off. */
export async function openGaps(files: Files, pairFolder: string): Promise<AppendFile> {
  const path = gapsPath(pairFolder);
  const whole = await wholeLines(files, path);
  const file = await files.openAppend(path);
  const size = new TextEncoder().encode(whole).length;
  if (file.size() > size) await file.truncate(size);
  return file;
}

/** The recorded gaps by time. A torn last line is passed over: it was never promised. */
export async function readGaps(files: Files, pairFolder: string): Promise<readonly TradeGap[]> {
  const path = gapsPath(pairFolder);
  const lines = (await wholeLines(files, path)).split('\n').filter((line) => line !== '');
  const gaps = lines.map((line, index) => parseGap(`${path}:${index + 1}`, line));
  return gaps.sort((a, b) => a.from - b.from || a.to - b.to);
}

async function wholeLines(files: Files, path: string): Promise<string> {
  try {
    const text = await files.readText(path);
    return text.slice(0, text.lastIndexOf('\n') + 1);
  } catch (error) {
    if (error instanceof FileMissing) return '';
    throw error;
  }
}

function parseGap(where: string, line: string): TradeGap {
  let value: { from?: unknown; to?: unknown; missing?: unknown };
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    value = {};
  }
  const { from, to, missing } = value;
  if (
    typeof from !== 'number' ||
    typeof to !== 'number' ||
    (missing !== undefined && typeof missing !== 'number')
  ) {
    throw new UsageError(
      'TICKWRIGHT_E_GAPS',
      `${where} must be a gap like {"from":1723161256322,"to":1723161256400,"missing":3}, received ${line.slice(0, 80)}`,
    );
  }
  return { from, to, missing };
}
