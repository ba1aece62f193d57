/** Loads recorded trades into memory, for a venue to play. */
import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { Trade } from '../../model/trade.js';
import { CATALOGUE } from '../../venue/catalogue.js';
import type { Files } from '../../ports/files.js';
import { importTrades } from '../../storage/import/import-trades.js';
import type { RecordedMarket } from '../../storage/rows/market-file.js';
import { findRecordings, openRecording, type Recording } from '../../storage/recording/recording.js';

export interface Tape {
  readonly market: Market;
  /** In (time, id) order, without duplicates. */
  readonly trades: readonly Trade[];
}

/**
 * Loads the tapes of `pairs` from recordings, all without any; or that of one pair from CSV and NDJSON files.
 *
 * @throws UsageError when a path contains no trades, and for several pairs of such files.
 */
export async function loadTapes(
  files: Files,
  paths: readonly string[],
  pairs: readonly string[],
): Promise<readonly Tape[]> {
  const entries = await Promise.all(paths.map((path) => files.stat(path)));
  const isText = (index: number) =>
    entries[index]?.kind === 'file' && paths[index]?.endsWith('.arrow') !== true;
  const texts = paths.filter((_, index) => isText(index));
  const recordings = paths.filter((_, index) => !isText(index));
  if (texts.length > 0 && pairs.length > 1) {
    throw new UsageError(
      'TICKWRIGHT_E_PAIR',
      `--pair must be one market where --tape names files of trades as text, received ${pairs.join(', ')}`,
    );
  }
  const tapes: Tape[] = [];
  if (recordings.length > 0) {
    const found = await findRecordings(files, recordings);
    const bars = found.find(({ kind }) => kind === 'bars');
    if (bars !== undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_RECORDING',
        `--tape must be recordings of trades, received bars of ${bars.pair} in ${bars.folders.join(', ')}`,
      );
    }
    const wanted = pairs.length > 0 && texts.length === 0 ? pairs : found.map(({ pair }) => pair);
    for (const pair of wanted) tapes.push(await readTape(await openRecording(files, recordings, { pair })));
  }
  if (texts.length > 0) tapes.push(await textTape(files, texts, pairs[0] ?? DEFAULT_TAPE_PAIR));
  return tapes;
}

const DEFAULT_TAPE_PAIR = 'USD_BTC_PERP';

/** The specification of a built-in pair; `undefined` for other pairs. */
export function builtInMarket(pair: string): RecordedMarket | undefined {
  const spec = CATALOGUE.find((entry) => entry.spec.pair === pair)?.spec;
  return spec === undefined ? undefined : { spec, source: 'catalogue' };
}

/** Imports text files into a temporary recording, which sorts and checks them and drops duplicates. */
async function textTape(files: Files, sources: readonly string[], pair: string): Promise<Tape> {
  const directory = await files.temporaryDirectory('tickwright-tape-');
  try {
    await importTrades(files, { sources, directory, pair, market: builtInMarket(pair) });
    return await readTape(await openRecording(files, [directory], { pair }));
  } finally {
    await files.remove(directory);
  }
}

async function readTape(recording: Recording): Promise<Tape> {
  const trades: Trade[] = [];
  for await (const chunk of recording.chunks()) {
    for (let row = 0; row < chunk.count; row++) trades.push(chunk.trade(row));
  }
  return { market: recording.market, trades };
}
