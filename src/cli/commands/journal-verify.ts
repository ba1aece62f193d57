import { damageText } from '../../storage/journal/journal-errors.js';
import { type JournalReport, verifyJournal } from '../../storage/journal/journal-report.js';
import { openJournalFolder } from '../journal/journal.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { bytesText } from '../view/bytes-text.js';
import { printJson, printText } from '../view/output.js';

export interface JournalVerifyOptions {
  readonly json?: true | undefined;
}

/** Reads and checks every byte of all segments and snapshots, and changes nothing. */
export async function journalVerify(directory: string, options: JournalVerifyOptions): Promise<ExitCode> {
  const { files } = thisMachine();
  await openJournalFolder(files, directory);
  const report = await verifyJournal(files, directory);
  const intact = report.damages.length === 0 && report.unreadable.length === 0;
  if (options.json === true) await printJson({ intact, ...report });
  else await printText(reportText(report, intact));
  return intact ? EXIT.ok : EXIT.journalDamaged;
}

function reportText(report: JournalReport, intact: boolean): string {
  const { records, bytes, segments, firstSequence, lastSequence, snapshots, tornTail } = report;
  const range = firstSequence === undefined ? 'none yet' : `${firstSequence} to ${lastSequence}`;
  const torn =
    tornTail === undefined
      ? []
      : [
          `torn tail: ${tornTail.bytes} bytes of ${tornTail.file} from byte ${tornTail.offset} on; the next start cuts it`,
        ];
  return [
    `records ${records} (${range}), segments ${segments.length} (${bytesText(bytes)}), snapshots ${snapshots.length}`,
    ...snapshots.flatMap(({ problem }) => (problem === undefined ? [] : [`unreadable snapshot: ${problem}`])),
    ...torn,
    ...report.damages.map((damage) => `DAMAGED ${damageText(damage)}`),
    ...report.unreadable.map((message) => `NOT UNDERSTOOD ${message}`),
    intact
      ? `every record is what was written${snapshots.some(({ problem }) => problem !== undefined) ? '; a snapshot is not, and an older one or the records themselves stand in for it' : ''}`
      : 'NOT what was written: no bot starts on it. Restore it from a backup',
  ].join('\n');
}
