/** What a result had to do without, in words: derived from its own keys. */
import { FactHash } from '../storage/facts/fact-hash.js';
import type { BacktestResult } from './result.js';

export type Assuming = Pick<BacktestResult, 'funding' | 'mark' | 'queueAhead' | 'headline'> & {
  readonly data: Pick<BacktestResult['data'], 'kind' | 'factsHash'>;
};

const NO_FACTS = new FactHash().digest();

/** Why no funding was paid; `undefined` where some was, or where the recording does not say why. */
export function withoutFunding({
  funding,
  data: { kind, factsHash },
}: Pick<Assuming, 'funding' | 'data'>): string | undefined {
  if (Number(funding) !== 0) return undefined;
  if (kind === 'bars') return 'bars have no marks and rates';
  return factsHash === NO_FACTS ? 'no marks and rates were recorded' : undefined;
}

/** What margin, liquidation and funding go by; equity and P&L go by the last print whatever that is. */
export function markText({ mark }: Pick<Assuming, 'mark'>): string {
  return {
    last: 'last price',
    recorded: 'last price; margin and funding at recorded marks',
    mixed: 'last price; margin and funding at recorded marks where there are any',
  }[mark];
}

/** Where the volume ahead of a resting order comes from; `undefined` where the headline has no queue. */
export function queueText({
  queueAhead,
  headline,
  data,
}: Pick<Assuming, 'queueAhead' | 'headline' | 'data'>): string | undefined {
  if (headline !== 'queue' || data.kind === 'bars') return undefined;
  return queueAhead === 'recorded' ? "the recorded book's" : 'estimated from the prints';
}
