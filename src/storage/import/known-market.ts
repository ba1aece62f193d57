/** The market that an import goes by, if it need not be inferred from the prints. */
import { UsageError } from '../../model/errors.js';
import { defineMarket, type MarketSpec } from '../../model/market.js';
import type { Files } from '../../ports/files.js';
import { readMarketHistory } from '../facts/rare-facts.js';
import { marketSpecOf } from '../market-spec.js';
import { marketHistoryPath } from '../rows/layout.js';
import { type RecordedMarket, readMarket } from '../rows/market-file.js';

export interface MarketChoice {
  /** The market to record. `undefined`: the recording's own market, unless that one was only inferred. */
  readonly market?: RecordedMarket | undefined;
  /** The market to record if neither `market` nor the recording states one. `undefined`: infers it from the prints. */
  readonly unlessKnown?: RecordedMarket | undefined;
}

/** @throws UsageError for a given market that no reader would use, because a recorder has noted another one. */
export async function knownMarket(
  files: Files,
  folder: string,
  { market, unlessKnown }: MarketChoice,
): Promise<RecordedMarket | undefined> {
  if (market !== undefined) await demandRecorded(files, folder, market.spec);
  return market ?? (await keptMarket(files, folder)) ?? unlessKnown;
}

async function demandRecorded(files: Files, folder: string, given: MarketSpec): Promise<void> {
  const recorded = (await readMarketHistory(files, [folder])).at(-1);
  const others = recorded === undefined ? [] : differingRules(recorded.spec, given);
  if (others.length === 0) return;
  throw new UsageError(
    'TICKWRIGHT_E_MARKET_FILE',
    `--market must be the last market of ${marketHistoryPath(folder)}, whose rules a backtest reads, or be left out, ` +
      `received one with other ${others.join(', ')}`,
  );
}

/** The names of the fields in which the two markets differ, with their defaults filled in. */
function differingRules(one: MarketSpec, other: MarketSpec): string[] {
  const rules = new Map<string, unknown>(Object.entries(marketSpecOf(defineMarket(one))));
  return Object.entries(marketSpecOf(defineMarket(other))).flatMap(([name, rule]) =>
    JSON.stringify(rule) === JSON.stringify(rules.get(name)) ? [] : [name],
  );
}

/** The market of a recording, unless it was only inferred: then the import infers it again, with the new prints. */
async function keptMarket(files: Files, folder: string): Promise<RecordedMarket | undefined> {
  const market = await readMarket(files, folder);
  return market?.source === 'inferred' ? undefined : market;
}
