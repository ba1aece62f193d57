import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { StrategyConfig } from '../../config/load-config.js';
import { type PublicVenueApi, VenueError } from '../../ports/venue-api.js';
import type { Settings } from './settings.js';

type MarketList = Pick<PublicVenueApi, 'markets'>;

/**
 * The market that is named by `option`, or else the venue's only active one.
 *
 * @throws UsageError when the venue has no such market, or has several and none was named.
 */
export async function chooseMarket(
  api: MarketList,
  pair: string | undefined,
  option = '--pair',
): Promise<Market> {
  const markets = await api.markets();
  if (pair !== undefined) {
    return named(markets, pair, (problem) => new UsageError('TICKWRIGHT_E_PAIR', `${option} ${problem}`));
  }
  const active = activeOf(markets);
  const [only, ...others] = active;
  if (only === undefined || others.length > 0) {
    throw new UsageError(
      'TICKWRIGHT_E_PAIR',
      `--pair must be given where the venue has several markets, received none; they are: ${namesOf(active) || 'none active'}`,
    );
  }
  return only;
}

/**
 * Like `chooseMarket`, where the configuration may name the market: for one of its strategies, or as its only pair.
 *
 * @throws UsageError, by the place in the configuration unless a flag names the market
 */
export async function chooseConfigured(
  api: MarketList,
  settings: Pick<Settings, 'pair' | 'strategies' | 'errorAt'>,
  given: string | undefined,
  strategy?: StrategyConfig,
): Promise<Market> {
  const pair = strategy?.pair ?? settings.pair;
  if (given !== undefined || pair === undefined) return chooseMarket(api, given);
  return named(await api.markets(), pair, refusalOf(settings, { pair, strategy }));
}

/**
 * How to refuse the market of this strategy of the configuration, or of its first one on the pair: by its place there.
 */
export function refusalOf(
  { strategies, errorAt }: Pick<Settings, 'strategies' | 'errorAt'>,
  { pair, strategy }: { readonly pair: string; readonly strategy: StrategyConfig | undefined },
): (problem: string) => UsageError {
  const index = strategies.findIndex((each) => each === strategy || each.pair === pair);
  return (problem) => errorAt(['strategies', index, 'pair'], problem);
}

/** Runs a read. If the venue refuses it because it has no such pair, the error is the usual one for an unknown pair. */
export async function orUnknownPair<T>(
  api: MarketList,
  pair: string | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (pair === undefined || !(error instanceof VenueError) || error.kind !== 'refused') throw error;
    await chooseMarket(api, pair).catch((unknown: unknown) => {
      throw unknown instanceof UsageError ? unknown : error;
    });
    throw error;
  }
}

function named(
  markets: ReadonlyMap<string, Market>,
  pair: string,
  refusal: (problem: string) => UsageError,
): Market {
  const market = markets.get(pair);
  if (market !== undefined) return market;
  throw refusal(`must be a market of the venue (${namesOf(activeOf(markets))}), received ${pair}`);
}

function activeOf(markets: ReadonlyMap<string, Market>): readonly Market[] {
  return [...markets.values()].filter(({ active }) => active);
}

function namesOf(markets: readonly Market[]): string {
  return markets.map(({ pair }) => pair).join(', ');
}
