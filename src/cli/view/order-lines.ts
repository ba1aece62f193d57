/** The orders of a pair in its status: a stop is shown as what it guards, any other order as what it is. */
import type { PairStatus, WorkingOrderStatus } from '../../daemon/daemon-api.js';
import type { RestingStop } from '../../runner/resting-stop.js';
import { lengthText } from './moment.js';

/** More than these, of a strategy with a ladder of quotes, would push the rest off the screen. */
const MOST_ORDERS = 5;

/**
 * What the strategy sees of its orders besides stops, one a line, then the ids of what else is at the venue; `undefined`
 * where it is not known.
 */
export function orderLines({
  orders,
  working,
  leftStops = [],
  source,
}: Pick<PairStatus, 'orders' | 'working' | 'leftStops' | 'source'>): readonly string[] | undefined {
  if (orders === undefined) return undefined;
  const seen = new Set([...working, ...leftStops].map(({ orderId }) => orderId));
  // An order without an id yet is among `orders` by its intent.
  const others = orders.filter((id) => !seen.has(id) && !(seen.has(undefined) && id.startsWith('intent ')));
  const own = working.filter(({ triggerPrice }) => triggerPrice === undefined);
  const more = own.length - MOST_ORDERS;
  const lines = [
    ...own.slice(0, MOST_ORDERS).map((order) => `${termsText(order)} (${standingText(order)})`),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(others.length === 0
      ? []
      : [`${working.length === 0 ? '' : 'also at the venue: '}${idsText(others)}${bySource(source)}`]),
  ];
  if (lines.length > 0) return lines;
  if (seen.size > 0) return ['none besides the stop'];
  return [source === 'journal' ? 'none by its journal' : 'none at the venue'];
}

/** Each stop, and whether the position is covered by them; empty where there is neither a stop nor a need of one. */
export function stopLines(pair: PairStatus): readonly string[] {
  const own = pair.working.flatMap((order) =>
    order.triggerPrice === undefined
      ? []
      : [`${order.side} ${order.quantity} at ${order.triggerPrice} (${standingText(order)})`],
  );
  const left = (pair.leftStops ?? []).map(
    (stop) => `${restingText(stop)}, left by an earlier session${bySource(pair.source)}`,
  );
  const stops = [...own, ...left];
  const covered = coverText(pair, own.length, left.length);
  if (covered === undefined) return stops;
  return [...stops.slice(0, -1), `${stops.at(-1) ?? 'none at the venue'}; ${covered}`];
}

export function restingText({ orderId, side, quantity, triggerPrice }: RestingStop): string {
  return `${side} ${quantity} at ${triggerPrice} (${orderId})`;
}

function coverText(
  { position, ownPosition, bareMs }: PairStatus,
  own: number,
  left: number,
): string | undefined {
  if (bareMs === undefined) {
    // Of what others traded the session knows no stop.
    const isHeld = Number(position) !== 0 && ownPosition === undefined;
    return own > 0 && isHeld ? 'the whole position is covered' : undefined;
  }
  const length = timeText(bareMs);
  if (own > 0) return `the position has not been covered whole for ${length}`;
  return left > 0
    ? `this session has had none of its own for ${length}`
    : `the position has been bare for ${length}`;
}

/** Rounded down, below a second to the millisecond. */
export function timeText(ms: number): string {
  return ms > 0 && ms < 1_000 ? `${ms}ms` : lengthText(ms);
}

function termsText({ side, quantity, price }: WorkingOrderStatus): string {
  return `${side} ${quantity} ${price === undefined ? 'at market' : `@ ${price}`}`;
}

/** The id names an order that works; else its state is worth a word. */
function standingText({ orderId, state }: WorkingOrderStatus): string {
  if (orderId === undefined) return state;
  return state === 'working' ? orderId : `${orderId}, ${state}`;
}

function idsText(ids: readonly string[]): string {
  const more = ids.length - MOST_ORDERS;
  return `${ids.slice(0, MOST_ORDERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function bySource(source: PairStatus['source']): string {
  return source === 'journal' ? ' (by its journal)' : '';
}
