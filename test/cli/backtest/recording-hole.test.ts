/** A stretch of which nothing is recorded. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { writeMarket } from '../../../src/storage/rows/market-file.js';
import { RecordingWriter } from '../../../src/storage/rows/recording-writer.js';
import { marketSpecOf } from '../../../src/storage/market-spec.js';
import { DAY_MS } from '../../../src/storage/rows/day.js';
import { files, folder, PAIR, trade } from '../../storage/support.js';
import { BTC } from '../../support/markets.js';

const DAY_ONE = Date.UTC(2026, 0, 1);

it.each([
  [
    'between two days',
    { from: '2026-01-02', to: '2026-01-03' },
    `--from and --to must reach into a day that is recorded of ${PAIR}, received --from 2026-01-02 --to 2026-01-03, ` +
      'between 2026-01-01 and 2026-01-05 UTC, the nearest that are',
  ],
  [
    'after the last day',
    { from: '2026-01-06' },
    `--from and --to must be within what is recorded of ${PAIR}, 2026-01-01 to 2026-01-05 UTC, received --from 2026-01-06`,
  ],
])('%s is refused in words that fit', async (_, stretch, words) => {
  const data = join(await folder(), 'data');
  const writer = await RecordingWriter.open(files, data, PAIR);
  for (const day of [0, 4]) writer.add(trade(day + 1, DAY_ONE + day * DAY_MS + 500));
  await writer.close();
  await writeMarket(files, join(data, PAIR), { source: 'given', spec: marketSpecOf(BTC) });
  const options = { data: [data], fill: 'queue', seed: 1, save: false, json: true, ...stretch } as const;
  await expect(backtest(['sma-cross'], options)).rejects.toThrow(words);
});
