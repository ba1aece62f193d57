import { writeFile } from 'node:fs/promises';
import { dataImport } from '../../../src/cli/commands/data-import.js';
import { T0 } from '../../storage/support.js';

export const BTC = 'USD_BTC_PERP';
/** Between its prints, ms. */
export const EVERY = 2_000;

/** Makes a recording in `data`: so many prints from T0 on, sales at 60 000 and purchases half a dollar above in turn. */
export async function recordLevel(prints: number): Promise<void> {
  const rows = Array.from(
    { length: prints },
    (_, at) =>
      `${at + 1},${BTC},${at % 2 === 0},5,${at % 2 === 0 ? '60000.0' : '60000.5'},${T0 + at * EVERY}`,
  );
  await writeFile('rows.csv', ['id,pair,is_buyer_maker,qty,price,time', ...rows, ''].join('\n'));
  await dataImport('rows.csv', { pair: BTC, out: 'data' });
}
