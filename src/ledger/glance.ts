import type { BalanceRecord, PositionRecord } from '../model/venue-records.js';
import type { KeyCalls } from '../ports/venue-api.js';

/** Balances and positions, one right after the other. */
export interface Glance {
  readonly positions: readonly PositionRecord[];
  readonly balances: readonly BalanceRecord[];
  /**
   * Digest of everything that fills, funding and transfers change, without what moves with the mark. Equal digests mean
   * that the account did not change between.
   */
  readonly digest: string;
}

export async function glance(api: Pick<KeyCalls, 'activePositions' | 'balances'>): Promise<Glance> {
  const positions = await api.activePositions();
  const balances = await api.balances();
  const facts = [
    ...positions.map(({ pair, size, realized, funding, fees }) => [pair, size, realized, funding, fees]),
    ...balances.map(({ asset, free, locked, margin, withdrawn, pnl, fees }) => {
      // Free cash turns into margin as the mark moves, but the sum stays the same up to the rounding of doubles.
      return [asset, (free + locked + margin + withdrawn).toPrecision(14), pnl, fees];
    }),
  ];
  const digest = facts
    .map((fact) => JSON.stringify(fact))
    .sort()
    .join('\n');
  return { positions, balances, digest };
}
