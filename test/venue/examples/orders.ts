/** What examples about orders have in common. */
import type { CoreOrder } from '../../../src/venue/core/account.js';
import { BTC } from '../core/desk.js';
import { RiskDesk } from '../core/risk-desk.js';

/** What each customer has. */
export const CASH = '10000';

/** A market at 60 000. */
export function market(): RiskDesk {
  const desk = new RiskDesk();
  desk.index(60_000);
  return desk;
}

/** What became of an order, as its record says it. */
export function state({ status, message }: CoreOrder): string {
  return message === undefined ? status : `${status}: ${message}`;
}

/** What the depth shows to buyers. */
export function asks(desk: RiskDesk): string {
  const levels = desk.core.depth(BTC).asks.map(({ ticks, lots }) => `${lots / 1_000} @ ${ticks / 10}`);
  return levels.join(', ') || 'none';
}

/** The quantities of an order's fills, in their order. */
export function taken({ fills }: CoreOrder): string {
  return fills.map(({ lots }) => lots / 1_000).join(', ');
}
