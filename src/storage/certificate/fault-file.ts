import type { Files } from '../../ports/files.js';
import type { RepeatedTrade } from './id-sequence.js';
import { Fields } from '../json-fields.js';
import { faultsPath } from '../rows/layout.js';
import { readLinesOfJson } from '../rows/line-file.js';
import type { Displaced } from './order-watch.js';

/** The imported file that had a fault; the recording does not have it. */
interface Found {
  readonly source: string;
}

/** A fault of an imported file that the import corrected. */
export type SourceFault =
  | ({ readonly kind: 'duplicate' } & RepeatedTrade & Found)
  | ({ readonly kind: 'reordered' } & Displaced & Found);

export async function readFaults(files: Files, pairFolder: string): Promise<readonly SourceFault[]> {
  return readLinesOfJson(files, faultsPath(pairFolder), parseFault);
}

/** Adds the faults that are not noted yet, because importing a file again finds the same faults. */
export async function addFaults(
  files: Files,
  pairFolder: string,
  faults: readonly SourceFault[],
): Promise<void> {
  if (faults.length === 0) return;
  const known = await readFaults(files, pairFolder);
  // A page may occur several times. The file with the most occurrences decides how many faults are noted.
  const left = new Map<string, number>();
  for (const fault of known) left.set(keyOf(fault), (left.get(keyOf(fault)) ?? 0) + 1);
  const fresh = faults.filter((fault) => {
    const count = left.get(keyOf(fault)) ?? 0;
    left.set(keyOf(fault), count - 1);
    return count <= 0;
  });
  if (fresh.length === 0) return;
  const lines = [...known, ...fresh].map((fault) => `${JSON.stringify(fault)}\n`);
  await files.writeAtomic(faultsPath(pairFolder), lines.join(''));
}

function keyOf(fault: SourceFault): string {
  return fault.kind === 'duplicate' ? `d ${fault.id}` : `r ${fault.firstId} ${fault.lastId}`;
}

function parseFault(value: unknown): SourceFault {
  const fields = new Fields(value, 'the line');
  const source = fields.text('source');
  const kind = fields.oneOf('kind', ['duplicate', 'reordered']);
  switch (kind) {
    case 'duplicate':
      return { kind, id: fields.text('id'), time: fields.integer('time'), source };
    case 'reordered':
      return {
        kind,
        firstId: fields.text('firstId'),
        lastId: fields.text('lastId'),
        from: fields.integer('from'),
        to: fields.integer('to'),
        trades: fields.integer('trades'),
        source,
      };
  }
}
