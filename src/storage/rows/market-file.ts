import { UsageError } from '../../model/errors.js';
import type { MarketSpec } from '../../model/market.js';
import { type Files, FileMissing } from '../../ports/files.js';
import { Fields } from '../json-fields.js';
import { marketPath } from './layout.js';
import { parseMarketSpec } from '../market-spec.js';

/** Where the market's data come from: the user or the venue, the built-in catalogue, or inference from the prints. */
export type MarketSource = 'given' | 'catalogue' | 'inferred';

/** The contents of `market.json` beside a recording. */
export interface RecordedMarket {
  readonly spec: MarketSpec;
  readonly source: MarketSource;
}

const MARKET_FORMAT_VERSION = 1;

export async function writeMarket(
  files: Files,
  pairFolder: string,
  { spec, source }: RecordedMarket,
): Promise<void> {
  await files.makeDirectory(pairFolder);
  const text = JSON.stringify({ formatVersion: MARKET_FORMAT_VERSION, source, spec }, undefined, 2);
  await files.writeAtomic(marketPath(pairFolder), `${text}\n`);
}

/** @throws UsageError when the file exists and is not valid. */
export async function readMarket(files: Files, pairFolder: string): Promise<RecordedMarket | undefined> {
  const path = marketPath(pairFolder);
  let text: string;
  try {
    text = await files.readText(path);
  } catch (error) {
    if (error instanceof FileMissing) return undefined;
    throw error;
  }
  return inFile(path, () => {
    const fields = new Fields(parseJson(text), 'the file');
    const version = fields.value('formatVersion');
    if (version !== MARKET_FORMAT_VERSION) {
      throw usage(
        `formatVersion must be ${MARKET_FORMAT_VERSION}, received ${JSON.stringify(version) ?? 'nothing'}`,
      );
    }
    return {
      source: fields.oneOf('source', ['given', 'catalogue', 'inferred']),
      spec: parseMarketSpec(fields.value('spec'), 'spec'),
    };
  });
}

/** Parses a market file of a user (`--market FILE.json`): either the form of `market.json` or the bare specification. */
export function parseMarketText(path: string, text: string): MarketSpec {
  return inFile(path, () => {
    const value = parseJson(text);
    const fields = new Fields(value, 'the file');
    return fields.has('spec')
      ? parseMarketSpec(fields.value('spec'), 'spec')
      : parseMarketSpec(value, 'market');
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usage(
      `the file must hold JSON, received ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof UsageError) throw usage(`${path}: ${cause.message}`);
    throw cause;
  }
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_MARKET_FILE', message);
}
