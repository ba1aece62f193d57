/** Why there was no order at a moment: the gates on its way in their order, up to the first one that refused. */
import { FLAT_WANT, type StandingWant } from '../../engine/standing-want.js';
import { counted } from '../../model/counted.js';
import { textOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { OrderTerms } from '../../model/order.js';
import type { WorkingOrder } from '../../strategy/context.js';
import type { TracedOrder } from '../../session/session-trace.js';
import { wantText } from '../../session/want-text.js';
import { refusalLine } from '../../storage/journal/journal-refusal.js';
import { clockText, lengthText, momentText } from '../view/moment.js';
import type { RecordedSpan, TracedSession } from './traced-session.js';
import { triggerText } from '../view/trigger-text.js';

/** One check on the way of an order. */
export interface Gate {
  readonly gate:
    | 'session'
    | 'replay'
    | 'start'
    | 'halt'
    | 'books'
    | 'warm-up'
    | 'want'
    | 'difference'
    | 'limits'
    | 'venue'
    | 'sent';
  /** `no`: this gate is the reason · `sent`: there was an order */
  readonly verdict: 'yes' | 'no' | 'sent';
  readonly text: string;
}

/** The last turn of a killed session is at most about this long before its end, ms. */
const QUIET_MS = 60_000;

/** The answer if no session was running, or if none of that time can be recomputed. */
export function noSession(spans: readonly RecordedSpan[], at: number): readonly Gate[] {
  const next = spans.find(({ from }) => from > at);
  // The beginning of a long session is dropped, so it may well have been running.
  const cut = [spans.findLast(({ from }) => from <= at), next].find((span) => span?.problem !== undefined);
  const text =
    cut !== undefined
      ? `what was decided then cannot be computed again; session ${cut.session} is recorded from ${momentText(cut.from)} on, but ${cut.problem}`
      : next === undefined
        ? 'no live session is recorded here (sessions on paper record none)'
        : `no session ran yet; the first recorded one after it, ${next.session}, began ${momentText(next.from)}`;
  return [{ gate: 'session', verdict: 'no', text }];
}

/** The gates at a moment, up to the first refusal. */
export function whyNot(session: TracedSession, at: number): readonly Gate[] {
  const gates: Gate[] = [];
  for (const gate of gatesOf(session, at)) {
    gates.push(gate);
    if (gate.verdict !== 'yes') break;
  }
  return gates;
}

function* gatesOf(traced: TracedSession, at: number): Generator<Gate, void, undefined> {
  const { session, trace, market, from, to, end, problem, state } = traced;
  const since = `session ${session} of ${traced.strategy} ran from ${momentText(from)}`;
  // The last turn of one that ended in order is its end, to the millisecond.
  if (end !== 'stopped' && at - to > (end === 'orderly' ? 0 : QUIET_MS)) {
    const how = end === 'orderly' ? 'ended in order' : 'was killed, or its recording ends';
    yield no('session', `${since}; it ${how} at ${momentText(to)}, ${lengthText(at - to)} before`);
  }
  yield yes('session', since);
  if (problem !== undefined) yield no('replay', problem);
  if (state?.position === undefined) {
    yield no(
      'start',
      `it was still starting: ${state?.state ?? 'BOOT'} (${state?.reason ?? 'nothing was asked yet'})`,
    );
  }
  const { permit } = trace;
  const { state: pairState = 'BOOT', reason = '' } = state ?? {};
  if (pairState === 'HALTED' || permit?.state === 'HALTED') {
    yield no('halt', `${market.pair} was HALTED: ${permit?.reason ?? reason}`);
  }
  yield yes('halt', 'nothing was halted');
  if (permit !== undefined && permit.permission !== 'all') {
    const what = permit.state === 'SYNCED' ? 'no order might add risk' : `${market.pair} was ${permit.state}`;
    yield no('books', `${what}: ${permit.reason} (since ${clockText(permit.time)})`);
  }
  yield yes('books', `${market.pair} was ${pairState}, and its data were good enough for risk`);
  const { feed } = trace;
  const seen = `${counted(feed.trades, 'trade')}${feed.gaps === 0 ? '' : ` and ${counted(feed.gaps, 'gap')}`}`;
  if (!trace.isLive) yield no('warm-up', `it was warming up, with ${seen} seen`);
  yield yes('warm-up', `it was live, with ${seen} seen`);
  yield* ofWant(traced);
}

function* ofWant({ trace, market, state, session }: TracedSession): Generator<Gate, void, undefined> {
  const { feed, want: standing } = trace;
  const last = feed.lastTrade;
  const price =
    last === undefined ? 'no trade yet' : `the last trade was ${last.price} at ${clockText(last.time)}`;
  if (standing === undefined || standing.want.kind === 'none') {
    yield no('want', `the strategy had never wanted anything; ${price}`);
    return;
  }
  const { want, since } = standing;
  const lots = state?.position ?? 0;
  const held = `${textOf(market.quantityGrid, lots)} ${market.base}`;
  const words = `since ${clockText(since)} it wanted: ${wantText(market, want, trace.outBy)}`;
  yield yes('want', `${words}; ${price}`);
  const order = trace.orders.at(-1);
  const refusal = trace.refusals.at(-1);
  const answer = order?.reports.findLast(({ kind }) => kind !== 'accepted');
  const isDone =
    order?.reports.some(({ kind }) => kind === 'filled' || kind === 'canceled' || kind === 'rejected') ??
    false;
  if (refusal !== undefined && (order === undefined || refusal.time >= order.time)) {
    const { refusal: said, time } = refusal;
    yield no(
      'limits',
      `the gate refused it at ${clockText(time)}: ${refusalLine({ ...said, intent: undefined, time })}`,
    );
    return;
  }
  if (order !== undefined && answer?.kind === 'rejected') {
    yield no('venue', `${orderText(session, order, market)} was rejected by the venue: ${answer.reason}`);
    return;
  }
  if (order !== undefined && !isDone) {
    yield { gate: 'sent', verdict: 'sent', text: `there was one: ${orderText(session, order, market)}` };
    return;
  }
  if (!isThere(market, trace.outBy !== undefined ? FLAT_WANT : want, lots, trace.working)) {
    const words = `held ${held}, ${workingText(trace.working)}`;
    yield no(
      'difference',
      `it waited for a cancel to be confirmed, or for the pause after a rejection to be over: ${words}`,
    );
    return;
  }
  const filled =
    order !== undefined && answer?.kind === 'filled'
      ? `; ${orderText(session, order, market)} was filled`
      : '';
  yield no('difference', `what it wanted is what there was: it held ${held}${filled}`);
}

/** Whether a want is satisfied, because it is held or works. */
function isThere(
  market: Market,
  want: StandingWant,
  lots: number,
  working: readonly WorkingOrder[],
): boolean {
  const { priceGrid } = market;
  const works = (terms: OrderTerms) =>
    working.some(
      ({ side, price, state }) =>
        state !== 'pending-cancel' &&
        side === terms.side &&
        (price === undefined ? undefined : Math.round(price * priceGrid.scale)) === terms.ticks,
    );
  switch (want.kind) {
    case 'none':
      return true;
    case 'flat':
      return lots === 0 && working.length === 0;
    case 'position':
      return lots === want.lots;
    case 'quote':
      return [want.bid, want.ask].every((terms) => terms === undefined || works(terms));
    case 'orders':
      // A filled order is done until the want changes.
      return true;
  }
}

function orderText(session: string, { command, time }: TracedOrder, market: Market): string {
  return `${session}-${command.intentId} (${termsText(market, command.terms)}, sent ${clockText(time)})`;
}

export function termsText(
  { quantityGrid, priceGrid }: Market,
  { side, lots, ticks, trigger }: OrderTerms,
): string {
  const price = ticks === undefined ? 'at market' : `@ ${textOf(priceGrid, ticks)}`;
  const when = triggerText(trigger, (at) => textOf(priceGrid, at));
  return `${side} ${textOf(quantityGrid, lots)} ${price}${when}`;
}

export function workingText(working: readonly WorkingOrder[]): string {
  if (working.length === 0) return 'no order worked';
  const words = working.map(
    ({ side, leavesQuantity, price, triggerPrice }) =>
      `${side} ${leavesQuantity} ${triggerPrice !== undefined ? `stop ${triggerPrice}` : price === undefined ? 'at market' : `@ ${price}`}`,
  );
  return `working: ${words.join(', ')}`;
}

function yes(gate: Gate['gate'], text: string): Gate {
  return { gate, verdict: 'yes', text };
}

function no(gate: Gate['gate'], text: string): Gate {
  return { gate, verdict: 'no', text };
}
