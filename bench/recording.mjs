// A recording for benchmarks: `node test/run.mjs bench/recording.mjs FOLDER TRADES`, the columns of `columns.mjs` as day files.
import { join } from 'node:path';
import { nodeFiles } from '../src/platform/files.ts';
import { writeMarket } from '../src/storage/rows/market-file.ts';
import { RecordingWriter } from '../src/storage/rows/recording-writer.ts';
import { benchColumns } from './columns.mjs';

const PAIR = 'USD_BTC_PERP';
const [, , folder, trades] = process.argv;
const { count, time, price, quantity, isBuyerMaker } = benchColumns(7, Number(trades));
const writer = await RecordingWriter.open(nodeFiles, folder, PAIR);
for (let row = 0; row < count; row++) {
  if (writer.isFull) await writer.settle();
  writer.add({
    id: String(1_000_000 + row),
    time: time[row],
    price: price[row],
    quantity: quantity[row],
    isBuyerMaker: isBuyerMaker[row] === 1,
  });
}
await writer.close();
await writeMarket(nodeFiles, join(folder, PAIR), {
  source: 'given',
  spec: {
    pair: PAIR,
    base: 'BTC',
    quote: 'USD',
    price: { min: '0.1', max: '1000000', step: '0.1' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    fees: { maker: '0.0002', taker: '0.0006' },
  },
});
process.stdout.write('{}\n');
