import type { BalanceRecord, PositionRecord } from '../model/venue-records.js';
import type { KeyCalls } from '../ports/venue-api.js';

/** Balances and positions, one right after the other. */
export interface Glance {
  readonly positions: readonly PositionRecord[];
  readonly balances: readonly BalanceRecord[];
  /** What fills, funding and transfers change; not what moves with the mark. Equal glances show the same account. */
  readonly digest: string;
}

export async function glance(api: Pick<KeyCalls, 'activePositions' | 'balances'>): Promise<Glance> {
  const positions = await api.activePositions();
  const balances = await api.balances();
  const facts = [
    ...positions.map(({ pair, size, realized, funding, fees }) => [pair, size, realized, funding, fees]),
    ...balances.map(({ asset, free, locked, margin, withdrawn, pnl, fees }) => {
      // What is free turns into margin as the mark moves; the sum does not, but for the noise of adding doubles.
      return [asset, (free + locked + margin + withdrawn).toPrecision(14), pnl, fees];
    }),
  ];
  const digest = facts
    .map((fact) => JSON.stringify(fact))
    .sort()
    .join('\n');
  return { positions, balances, digest };
}
