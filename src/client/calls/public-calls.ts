import type { Log } from '../../ports/log.js';
import type { ListQuery, PublicCalls, VenueClock } from '../../ports/venue-api.js';
import { decodeTicker } from '../decode-market-data.js';
import { ENDPOINTS } from '../endpoints.js';
import type { VenueProfile } from '../profile.js';
import type { Requester } from '../requester.js';

const READS = ENDPOINTS.public;
/** The engine's ticker is decoded strictly; `tickers` gives the whole record. */
const TICKER = {
  ...READS.ticker,
  decode: (result: unknown, { pair }: { readonly pair: string }) => decodeTicker(result, pair),
};

export function publicCalls(
  { read }: Requester<'public'>,
  { profile, log }: { readonly profile: VenueProfile; readonly log: Log },
  clock: VenueClock,
): PublicCalls {
  const seenSkipped = new Set<string>();
  return {
    time: async () => (await read(READS.time, {})).value,

    async markets() {
      const { markets, skipped } = (await read(READS.pairs, {})).value;
      for (const { pair, reason } of skipped) {
        if (seenSkipped.has(pair)) continue;
        seenSkipped.add(pair);
        log.warn('market left out', { pair, reason });
      }
      return markets;
    },

    marketRecords: async () => (await read(READS.pairs, {})).value.records,
    assets: async () => (await read(READS.assets, {})).value,

    trades: async ({ pair, ...query }) =>
      (await read(READS.trades, { ...listParameters(profile, query), pair })).value,

    async ticker(pair) {
      const { value } = await read(TICKER, { pair });
      return { ...value, time: value.time ?? Math.floor(clock.now()) };
    },

    tickers: async (pair) => (await read(READS.ticker, { pair })).value,
    depth: async (pair, limit) => (await read(READS.depth, { pair, limit })).value,

    async candles({ pair, interval, ...query }) {
      const { start, end, limit } = listParameters(profile, query);
      return (await read(READS.ohlcv, { pair, start, end, limit, interval })).value;
    },
  };
}

/** List parameters by their names on the wire; the limit is lowered to what the venue is known to honour. */
export function listParameters({ maxLimit }: VenueProfile, { pair, from, to, limit }: ListQuery) {
  return {
    pair,
    start: from,
    end: to,
    limit: limit === undefined ? undefined : Math.min(limit, maxLimit),
  };
}
