import { defineMarket, type Market } from '../model/market.js';
import { sessionSpecOf } from '../storage/market-spec.js';
import type { Recording } from '../storage/recording/recording.js';

/**
 * Counts the money of each quote asset equally finely on all inferred markets, which an account demands of its markets:
 * an inferred precision is what the pair's own digits need, and a finer one holds the same amounts. A market that is not
 * inferred stays as it was told, and where others need a finer one than that, they differ from it still.
 */
export function onOnePrecision<Part extends { readonly recording: Recording }>(
  parts: readonly Part[],
): readonly Part[] {
  const finest = new Map<string, number>();
  for (const { recording } of parts) {
    const { quote, quotePrecision } = recording.market;
    finest.set(quote, Math.max(quotePrecision, finest.get(quote) ?? 0));
  }
  return parts.map((part) => {
    const { market, marketSource } = part.recording;
    const quotePrecision = finest.get(market.quote);
    if (marketSource !== 'inferred' || quotePrecision === undefined) return part;
    return { ...part, recording: { ...part.recording, market: withPrecision(market, quotePrecision) } };
  });
}

function withPrecision(market: Market, quotePrecision: number): Market {
  if (market.quotePrecision === quotePrecision) return market;
  return defineMarket({ ...sessionSpecOf(market), quotePrecision });
}
