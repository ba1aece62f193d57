// Makes the recording that ships (`backtest/sample`) out of our own synthetic market: same seed, same bytes.
//   node test/run.mjs backtest/make-sample.mjs [FOLDER]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../src/platform/files.ts';
import { writeMarket } from '../src/storage/market-file.ts';
import { RecordingWriter } from '../src/storage/recording-writer.ts';
import { catalogueEntry, catalogueMarket } from '../src/venue/catalogue.ts';
import { generateTape } from '../src/venue/synthetic/generate-tape.ts';

/** Bundled before it runs, it does not know its own place. */
const home = dirname(process.argv[1]);
const { pair, seed, from, durationMs } = JSON.parse(readFileSync(join(home, 'sample.json'), 'utf8'));

async function makeSample(folder) {
  const writer = await RecordingWriter.open(nodeFiles, folder, pair);
  for (const trades of generateTape({ market: catalogueMarket(pair), seed, from, durationMs })) {
    for (const trade of trades) {
      if (writer.isFull) await writer.settle();
      writer.add(trade);
    }
  }
  await writer.close();
  await writeMarket(nodeFiles, `${folder}/${pair}`, { spec: catalogueEntry(pair).spec, source: 'catalogue' });
  return writer.totals;
}

const folder = process.argv[2] ?? join(home, 'sample');
await nodeFiles.remove(folder);
process.stdout.write(`${JSON.stringify(await makeSample(folder))}\n`);
