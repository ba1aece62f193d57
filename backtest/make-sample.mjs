#!/usr/bin/env node
// Makes the recording that ships (`backtest/sample`) out of our own synthetic market: same seed, same bytes.
//   npm run build && node backtest/make-sample.mjs [FOLDER]
import { readFileSync } from 'node:fs';
import { nodeFiles } from '../dist/platform/files.js';
import { writeMarket } from '../dist/storage/market-file.js';
import { RecordingWriter } from '../dist/storage/recording-writer.js';
import { catalogueEntry, catalogueMarket } from '../dist/venue/catalogue.js';
import { generateTape } from '../dist/venue/synthetic/generate-tape.js';

const { pair, seed, from, durationMs } = JSON.parse(readFileSync(new URL('./sample.json', import.meta.url), 'utf8'));

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

const folder = process.argv[2] ?? new URL('./sample', import.meta.url).pathname;
await nodeFiles.remove(folder);
process.stdout.write(`${JSON.stringify(await makeSample(folder))}\n`);
