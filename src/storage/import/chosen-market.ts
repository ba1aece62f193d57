import type { FinerThanGrid, MarketGuess } from '../infer-market.js';
import type { RecordedMarket } from '../rows/market-file.js';

/** The market that an import records. `finerThanGrid`: of an inferred one whose steps its prints do not show. */
export interface ChosenMarket {
  readonly market: RecordedMarket;
  readonly finerThanGrid?: FinerThanGrid | undefined;
}

/** @throws UsageError when there was nothing to infer from. */
export function inferredMarket(guess: MarketGuess, pair: string): ChosenMarket {
  return {
    market: { spec: guess.spec(pair), source: 'inferred' },
    finerThanGrid: guess.finerThanGrid,
  };
}
