import type { Approved } from '../../src/model/command.js';
import type { Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';

/** Some nearer to the price and some farther away, on either side. */
const scattered = (intentId: number): number => (((intentId * 5) % 13) - 6) * 2;

/**
 * Makes every IOC limit order that a session on a tape, or a gateway, sends a stop `away` ticks from its limit: reduce-only,
 * MARKET, on the last price. The engine does not know.
 */
export function sendingStops(sender: object, away = scattered): void {
  const sending = sender as { send(command: Approved): void };
  const send = sending.send.bind(sender);
  sending.send = (command) => {
    send(asStop(command, away));
  };
}

function asStop(command: Approved, away: (intentId: number) => number): Approved {
  if (command.kind !== 'place') return command;
  const { type, timeInForce, ticks } = command.terms;
  if (type !== 'limit' || timeInForce !== 'IOC' || ticks === undefined) return command;
  const terms: OrderTerms = {
    ...command.terms,
    type: 'market',
    ticks: undefined,
    reduceOnly: true,
    trigger: { ticks: (ticks + away(command.intentId)) as Ticks, event: 'last' },
  };
  return { ...command, terms };
}
