import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../src/platform/files.js';
import { checkRecordings } from '../../src/storage/certificate/certificate.js';
import { readMarket } from '../../src/storage/rows/market-file.js';
import { RowHash } from '../../src/storage/certificate/row-hash.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { catalogueEntry, catalogueMarket } from '../../src/venue/catalogue.js';
import { generateTape } from '../../src/venue/synthetic/generate-tape.js';

interface Sample {
  readonly pair: string;
  readonly seed: string;
  readonly from: number;
  readonly durationMs: number;
}

describe('the recording that ships', () => {
  it('is what our synthetic market makes of its seed (`node test/run.mjs backtest/make-sample.mjs` makes it anew)', async () => {
    const { pair, ...rest } = JSON.parse(readFileSync('backtest/sample.json', 'utf8')) as Sample;
    const hash = new RowHash();
    for (const trades of generateTape({ market: catalogueMarket(pair), ...rest }))
      hash.update(TradeColumns.of(trades));
    const [certificate] = await checkRecordings(nodeFiles, ['backtest/sample']);
    expect(certificate).toMatchObject({ pair, duplicates: 0, clockJumps: 0, outOfOrder: 0, gaps: [] });
    expect(certificate?.hash).toBe(hash.digest());
  });

  it('has the market that its maker writes', async () => {
    const { pair } = JSON.parse(readFileSync('backtest/sample.json', 'utf8')) as Sample;
    const spec = JSON.parse(JSON.stringify(catalogueEntry(pair).spec)) as unknown;
    expect(await readMarket(nodeFiles, `backtest/sample/${pair}`)).toEqual({ spec, source: 'catalogue' });
  });
});
