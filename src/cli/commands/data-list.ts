import { dayName } from '../../storage/day.js';
import { findRecordings, type FoundRecording } from '../../storage/recording.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';
import { bytesText } from '../view/bytes-text.js';
import { table } from '../view/table.js';

export interface DataListOptions {
  readonly json?: true | undefined;
}

export async function dataList(directory: string, options: DataListOptions): Promise<ExitCode> {
  const { files } = thisMachine();
  const found = await findRecordings(files, [directory]);
  if (options.json === true) await printJson({ recordings: found.map(recordingJson) });
  else await printText(recordingTable(found));
  return EXIT.ok;
}

function recordingJson({ pair, kind, folders, days }: FoundRecording) {
  return {
    pair,
    kind,
    folders,
    days: days.map(({ day, bytes }) => ({ day: dayName(day), bytes })),
    bytes: sizeOf(days),
  };
}

function recordingTable(found: readonly FoundRecording[]): string {
  const rows = found.map(({ pair, kind, folders, days }) => [
    pair,
    kind,
    dayName(days[0]?.day ?? 0),
    dayName(days.at(-1)?.day ?? 0),
    String(days.length),
    bytesText(sizeOf(days)),
    folders.join(', '),
  ]);
  return table(['PAIR', 'OF', 'FROM', 'TO', 'DAYS', 'SIZE', 'FOLDER'], rows, [
    'left',
    'left',
    'left',
    'left',
    'right',
    'right',
    'left',
  ]);
}

function sizeOf(days: FoundRecording['days']): number {
  return days.reduce((sum, { bytes }) => sum + bytes, 0);
}
