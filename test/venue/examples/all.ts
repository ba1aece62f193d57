import type { Example } from './example.js';
import { ISOLATED } from './isolated.js';
import { LIQUIDATIONS } from './liquidations.js';
import { POSITIONS } from './positions.js';
import { RESTING_ORDERS } from './resting-orders.js';
import { SPOT_AND_FEES } from './spot.js';
import { TRIGGERS } from './triggers.js';
import { WALLET } from './wallet.js';

/** A to L as `money.md` §15 names them, then our own, M1 and on. */
export const EXAMPLES: readonly Example[] = [
  ...POSITIONS,
  ...LIQUIDATIONS,
  ...RESTING_ORDERS,
  ...TRIGGERS,
  ...SPOT_AND_FEES,
  ...ISOLATED,
  ...WALLET,
].sort((a, b) => place(a.id) - place(b.id));

/** `A` is 1, `F′` half a step behind `F`, `M3` the third after all letters. */
function place(id: string): number {
  const number = Number(id.slice(1).replace('′', '') || '0');
  return (id.codePointAt(0) as number) - 64 + (id.endsWith('′') ? 0.5 : 0) + number;
}
