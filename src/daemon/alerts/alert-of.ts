import type { DaemonEvent } from '../daemon-api.js';
import type { Alert } from './alert.js';

type PairState = Extract<DaemonEvent, { kind: 'pair-state' }>;

/** An event as an alert; `undefined`: the event is not told by itself. */
export function alertOf(event: DaemonEvent): Alert | undefined {
  const { time } = event;
  switch (event.kind) {
    case 'halt': {
      const { level, reason, by } = event.halt;
      const title = level === 'pause' ? 'paused: no new order adds risk' : `halted (${level})`;
      return {
        kind: 'halt',
        severity: 'critical',
        // A stronger halt is another cause.
        key: `halt ${level}`,
        phase: 'event',
        title,
        lines: [`reason: ${reason}`, `by: ${by}`, 'it stays so until tickwright resume'],
        time,
      };
    }
    case 'resume':
      return {
        kind: 'resume',
        // As urgent as the halt that it ends.
        severity: 'critical',
        key: undefined,
        phase: 'end',
        title: 'resumed: orders may add risk again',
        lines: [`by: ${event.by}`],
        time,
        forgets: 'halt ',
      };
    case 'venue':
      return {
        kind: 'venue',
        severity: 'critical',
        key: 'venue',
        phase: event.reachable ? 'end' : 'begin',
        title: event.reachable ? 'the venue answers again' : 'the venue does not answer: no orders',
        lines: [event.reason],
        time,
      };
    case 'strategy-failed':
      return {
        kind: 'strategy',
        severity: 'critical',
        // One strategy fails for one reason; a failure of its replacement has another reason and has to be told too.
        key: `strategy ${event.pair} ${event.reason}`,
        phase: 'event',
        title: `${event.pair}: the strategy failed and is stopped`,
        lines: [event.reason, `${ofItsOrders(event)}, its position stays`],
        time,
      };
    case 'pair-state':
      return ofPair(event);
    case 'problem':
      return {
        kind: 'problem',
        severity: event.severity,
        // The same text with other numbers counts as the same cause, but the names of pairs may differ in digits alone.
        key: `problem ${event.pair ?? ''} ${event.text.replaceAll(/\d+(?:\.\d+)?/g, '#')}`,
        phase: 'event',
        title: event.text,
        lines: [],
        time,
      };
    case 'fill': {
      const { pair, side, quantity, price, fee } = event;
      const title = `${pair}: ${side === 'buy' ? 'bought' : 'sold'} ${quantity} at ${price}`;
      const lines = [`fee: ${fee}`];
      return { kind: 'fill', severity: 'info', key: undefined, phase: 'event', title, lines, time };
    }
    case 'refusal':
      return {
        kind: 'refusal',
        severity: 'info',
        key: `refusal ${event.pair} ${event.rule}`,
        phase: 'event',
        title: `${event.pair}: an order was refused by ${event.rule}`,
        lines: [event.reason],
        time,
      };
    case 'equity':
    case 'log':
      return undefined;
    default:
      return event satisfies never;
  }
}

/** True at each time: that orders are gone is known later, and those that are left are told by themselves. */
function ofItsOrders({ keepsStops, unsure }: Extract<DaemonEvent, { kind: 'strategy-failed' }>): string {
  if (unsure === true) return 'which of its orders are left at the venue is not known';
  return `its orders ${keepsStops ? 'but the stops that guard it ' : ''}are being canceled`;
}

function ofPair({ pair, state, permission, reason, wayOut = [], time }: PairState): Alert | undefined {
  const about = { kind: 'pair', key: `pair ${pair}`, lines: [reason, ...wayOut], time } as const;
  switch (state) {
    case 'QUARANTINED':
    case 'HALTED':
      return {
        ...about,
        key: `pair ${pair} ${state}`,
        severity: 'critical',
        phase: 'event',
        title: `${pair} is ${state}: no order adds risk until a person decides`,
      };
    case 'SUSPECT':
      return {
        ...about,
        severity: 'warning',
        phase: 'begin',
        title: `${pair} has been SUSPECT for a while: no order adds risk`,
      };
    case 'SYNCED':
      return {
        ...about,
        severity: 'warning',
        phase: 'end',
        title: `${pair} is SYNCED again${permission === 'all' ? '' : ', but no order adds risk'}`,
        forgets: `pair ${pair} `,
      };
    case 'BOOT':
    case 'RECONCILING':
      return undefined;
    default:
      return state satisfies never;
  }
}
