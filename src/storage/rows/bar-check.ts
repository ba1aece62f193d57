import type { Files } from '../../ports/files.js';
import { DamagedRecording } from './arrow-stream.js';
import { barRow, type BarRow } from './bar-columns.js';
import { type BarDay, readBarDay } from './bar-file.js';
import { DAY_MS, dayName } from './day.js';
import type { RecordedDay } from './day-reader.js';

/** @throws DamagedRecording when a bar of the day is invalid, or does not follow the one before it */
export async function readBarsOfDay(
  files: Files,
  { path, day, bytes }: RecordedDay,
  { pair, barMs, lastEnd }: { readonly pair: string; readonly barMs: number; readonly lastEnd: number },
): Promise<BarDay> {
  const read = await readBarDay(files, path, { pair, barMs });
  const { bars } = read;
  let newest = lastEnd;
  for (let row = 0; row < bars.count; row++) {
    const [must, received] = wrongBar(barRow(bars, row), day, newest) ?? [];
    newest = bars.end[row] as number;
    if (must === undefined) continue;
    throw new DamagedRecording(path, `${path} must hold ${must}, received ${received} in row ${row + 1}`, {
      at: 0,
      bytes,
    });
  }
  return read;
}

/** What a bar of this UTC day must be after one that ends at `lastEnd`, and what it is; `undefined`: it is valid. */
function wrongBar(
  { time, open, high, low, close, volume }: BarRow,
  day: number,
  lastEnd: number,
): readonly [must: string, received: string] | undefined {
  if (![open, high, low, close].every((price) => price > 0 && price < Infinity)) {
    return ['bars with prices above 0', `open ${open}, high ${high}, low ${low}, close ${close}`];
  }
  if (low > Math.min(open, close) || high < Math.max(open, close)) {
    return [
      'bars with open and close between low and high',
      `open ${open}, high ${high}, low ${low}, close ${close}`,
    ];
  }
  if (!(volume >= 0 && volume < Infinity)) return ['bars with a volume of at least 0', String(volume)];
  if (!(time >= day * DAY_MS && time < (day + 1) * DAY_MS)) {
    return [`bars that open on ${dayName(day)}`, String(time)];
  }
  if (time >= lastEnd) return undefined;
  return [
    'bars in order of time, each after the end of the one before',
    `one at ${time} after one that ends at ${lastEnd}`,
  ];
}
