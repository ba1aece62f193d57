/** The units of a result's numbers, as `docs/result.md` has them. */
type Unit = 'quote' | 'base' | 'fraction' | 'count' | 'number' | 'ms';

/** By the last name of a key: the same figure has the same unit wherever it stands. */
const NAMES: Readonly<Record<Unit, string>> = {
  quote:
    'capital pnl fees funding makerFees takerFees closingCost bareNotionalSeconds expectancy averageWin averageLoss ' +
    'largestWin largestLoss volume',
  base: 'finalPosition',
  fraction:
    'maxDrawdown totalReturn cagr volatility ulcerIndex valueAtRisk expectedShortfall historicalValueAtRisk ' +
    'historicalExpectedShortfall probabilisticSharpe winningDays bestDay worstDay maxDrawdownDaily winRate kelly ' +
    'timeInMarket alpha deflatedSharpe',
  count:
    'trades bars gaps missingRates orders fills refusals rejections openOrders roundTrips limitHits days ' +
    'longestWinningStreak longestLosingStreak longRoundTrips trials comparedTrials overlappingTrials',
  number:
    'schemaVersion sharpe sortino calmar smartSharpe smartSortino omega gainToPain tailRatio ulcerPerformance skewness ' +
    'kurtosis recovery payoff profitFactor systemQuality meanLeverage maxLeverage turnover costBps beta informationRatio',
  ms:
    'from to unfundedUntil marginChangedAt ruinedAt liquidatedAt heldMs bareMs longestBareMs drawdownFrom drawdownTo ' +
    'averageHoldingMs medianHoldingMs',
};

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(NAMES).flatMap(([unit, names]) =>
    names.split(' ').map((name) => [name, unit as Unit] as const),
  ),
);

/** What a strategy or the user gave: only they know its unit. */
const GIVEN = /(^|\.)(params|options)\./;
const PNL_OF_MODEL = /(^|\.)pnl\.\w+$/;

/** The unit of a key's number; `undefined` for a text, and for what was given. */
export function unitOf(key: string): Unit | undefined {
  if (GIVEN.test(key)) return undefined;
  return UNITS.get(PNL_OF_MODEL.test(key) ? 'pnl' : (key.split('.').at(-1) as string));
}
