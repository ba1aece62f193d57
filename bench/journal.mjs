// What writing one `prep` down costs, with and without fdatasync, and reading a journal of that many records back.
// node test/run.mjs bench/journal.mjs [RECORDS] [SYNCED RECORDS] [DIRECTORY] [BYTES RESERVED AHEAD]: the disk of DIRECTORY is what counts.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/platform/clock.ts';
import { nodeFiles } from '../src/platform/files.ts';
import { systemTimers } from '../src/platform/timers.ts';
import { readJournal } from '../src/storage/journal/journal-reader.ts';
import { JournalWriter } from '../src/storage/journal/journal-writer.ts';
import { BENCH_FOLDER } from './folder.mjs';

const count = Number(process.argv[2] ?? 100_000);
const synced = Number(process.argv[3] ?? 2_000);
const parent = process.argv[4] ?? BENCH_FOLDER;
const directory = mkdtempSync(join(parent, '.journal-'));

const prep = (index) => ({
  kind: 'prep',
  intent: `b7f29c-${index}`,
  pair: 'USD_BTC_PERP',
  terms: {
    side: index % 2 === 0 ? 'buy' : 'sell',
    type: 'limit',
    ticks: 600_000 + (index % 900),
    lots: 10 + (index % 7),
    timeInForce: 'GTC',
    postOnly: false,
    reduceOnly: false,
  },
  tag: `b7f29c-${index}`,
  sentAt: 1_723_161_256_322 + index,
  wall: 1_723_161_256_322 + index,
  bodySha256: String(index).padStart(64, '7'),
  position: (index % 5) - 2,
});

async function times(journal, records, durability) {
  const taken = new Float64Array(records);
  for (let index = 0; index < records; index++) {
    const record = prep(index);
    // Orders come one by one, and what a journal does between them has its turn.
    if (durability === 'durable') await new Promise((resolve) => setImmediate(resolve));
    const start = performance.now();
    journal.append(record, durability);
    taken[index] = performance.now() - start;
  }
  const sorted = taken.sort();
  const at = (share) => Number((1_000 * sorted[Math.floor(share * (records - 1))]).toFixed(1));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

try {
  const options = {
    directory,
    files: nodeFiles,
    timers: systemTimers,
    clock: systemClock,
    ballastBytes: 0,
    reserveBytes: Number(process.argv[5] ?? 1_048_576),
  };
  const { journal } = await JournalWriter.open(options);
  await times(journal, 2_000, 'lazy');
  const lazyMicros = await times(journal, count, 'lazy');
  journal.sync();
  const durableMicros = await times(journal, synced, 'durable');
  await journal.close();
  const start = performance.now();
  const { records } = await readJournal(nodeFiles, directory);
  const readMs = Number((performance.now() - start).toFixed(0));
  process.stdout.write(`${JSON.stringify({ records: records.length, lazyMicros, durableMicros, readMs })}\n`);
} finally {
  rmSync(directory, { recursive: true });
}
