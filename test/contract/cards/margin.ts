/** What several groups of cards do with margin. */
import { type Desk, PAIR } from '../desk.js';
import type { ByKey, WireBalance, WirePosition } from '../wire-records.js';

export interface Account {
  readonly balances: ByKey<WireBalance>;
  readonly positions: ByKey<WirePosition>;
}

export const leverage = (desk: Desk, value: number, who: 'anna' | 'bert' = 'anna') =>
  desk.post<Account>('/leverage', { pair: PAIR, leverage: value }, who);

/** Example A of the money rules: 0.5 at 60 000, isolated at 10 times: K 30 000, M 3 000, fee 18. */
export async function exampleA(desk: Desk): Promise<void> {
  await leverage(desk, 10);
  await desk.trade(60_000, 0.5);
}

/** Leaves `cash` in an account by asking for the rest. */
export async function leave(desk: Desk, who: 'anna' | 'bert', cash: number): Promise<void> {
  const { free, locked, margin } = await desk.balance(who);
  const qty = Math.round((free + locked + margin - cash) * 100) / 100;
  await desk.post('/auth/withdraw', { asset: 'USD', qty, address: 'elsewhere', timestamp: desk.now }, who);
}
