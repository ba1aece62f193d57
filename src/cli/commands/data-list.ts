import { dayName } from '../../storage/rows/day.js';
import { findRecordings, type FoundRecording } from '../../storage/recording/recording.js';
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
  const found = await findRecordings(files, [directory], { empty: true });
  if (options.json === true) await printJson({ recordings: found.map(recordingJson) });
  else await printText(recordingTable(found));
  return EXIT.ok;
}

function recordingJson({ pair, kind, folders, days, besides }: FoundRecording) {
  return {
    pair,
    kind,
    folders,
    days: days.map(({ day, bytes }) => ({ day: dayName(day), bytes })),
    bytes: sizeOf(days),
    ...(besides === undefined ? {} : { besides }),
  };
}

function recordingTable(found: readonly FoundRecording[]): string {
  const rows = found.map(({ pair, kind, folders, days, besides = [] }) => [
    pair,
    days.length > 0 ? kind : [`no ${kind}`, ...besides].join(', '),
    nameOf(days[0]),
    nameOf(days.at(-1)),
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

function nameOf(recorded: FoundRecording['days'][number] | undefined): string {
  return recorded === undefined ? 'none' : dayName(recorded.day);
}

function sizeOf(days: FoundRecording['days']): number {
  return days.reduce((sum, { bytes }) => sum + bytes, 0);
}
