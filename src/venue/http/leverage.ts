import type { CoreOrder } from '../core/account.js';

const sent = new WeakMap<CoreOrder, number>();

/** `leverage` of an order is stored and echoed, nothing else (`dialect.md` §6), so it stays outside the core. */
export function rememberLeverage(order: CoreOrder, leverage: number): void {
  if (leverage !== 0) sent.set(order, leverage);
}

/** 0 when none was sent. */
export function leverageOf(order: CoreOrder): number {
  return sent.get(order) ?? 0;
}
