import type { AccountShare, EngineEvent } from '../../model/event.js';
import type { Fill } from '../../model/fill.js';
import type { Lots, Ticks } from '../../model/grid.js';
import type { ExecutionReport } from '../../model/report.js';
import { encodeNumber, Fields, type JsonObject } from '../json-fields.js';

/**
 * Encodes an engine input as JSON without loss. Money and numbers that JSON cannot express become text; undefined
 * fields are left out.
 */
export function encodeEvent(event: EngineEvent): JsonObject {
  const { kind } = event;
  switch (kind) {
    case 'trade': {
      const { id, time, price, quantity, isBuyerMaker } = event.trade;
      const facts = { id, time: n(time), price: n(price), quantity: n(quantity), isBuyerMaker };
      return { kind, trade: facts, receivedAt: n(event.receivedAt) };
    }
    case 'mark':
    case 'resumed':
    case 'live':
      return { kind, time: n(event.time) };
    case 'gap': {
      const { from, to, missing } = event.gap;
      return { kind, gap: { from: n(from), to: n(to), ...optional({ missing }) } };
    }
    case 'report':
      return { kind, report: encodeReport(event.report) };
    case 'position': {
      const { time, lots, averageEntry, liquidationPrice, funding } = event.position;
      const facts = {
        time: n(time),
        lots: n(lots),
        averageEntry: n(averageEntry),
        ...optional({ liquidationPrice, funding }),
      };
      return { kind, position: facts };
    }
    case 'ticker': {
      const { time, ...prices } = event.ticker;
      return { kind, ticker: { time: n(time), ...optional(prices) } };
    }
    case 'permit': {
      const { time, permission, state, reason } = event;
      return { kind, time: n(time), permission, state, reason };
    }
    case 'transfers':
      return { kind, time: n(event.time), change: n(event.change) };
    case 'others': {
      const { time, notional, openOrders, pnl, lostUntil, fell } = event;
      const limits = { ...optional({ lostUntil }), ...(fell && { fell }) };
      return { kind, time: n(time), notional: n(notional), openOrders, ...optional({ pnl }), ...limits };
    }
  }
}

/** @throws UsageError naming the field that is invalid. */
export function decodeEvent(value: unknown): EngineEvent {
  const fields = new Fields(value, 'event');
  const kind = fields.oneOf('kind', [
    'trade',
    'mark',
    'live',
    'gap',
    'report',
    'position',
    'ticker',
    'permit',
    'others',
    'transfers',
    'resumed',
  ]);
  switch (kind) {
    case 'trade': {
      const trade = fields.object('trade');
      return {
        kind,
        trade: {
          id: trade.text('id'),
          time: trade.number('time'),
          price: trade.number('price'),
          quantity: trade.number('quantity'),
          isBuyerMaker: trade.flag('isBuyerMaker'),
        },
        receivedAt: fields.number('receivedAt'),
      };
    }
    case 'mark':
    case 'resumed':
    case 'live':
      return { kind, time: fields.number('time') };
    case 'gap': {
      const gap = fields.object('gap');
      return {
        kind,
        gap: { from: gap.number('from'), to: gap.number('to'), missing: gap.optionalNumber('missing') },
      };
    }
    case 'report':
      return { kind, report: decodeReport(fields.object('report')) };
    case 'position': {
      const position = fields.object('position');
      const funding = position.optionalNumber('funding');
      return {
        kind,
        position: {
          time: position.number('time'),
          lots: position.integer('lots') as Lots,
          averageEntry: position.number('averageEntry'),
          liquidationPrice: position.optionalNumber('liquidationPrice'),
          ...(funding === undefined ? {} : { funding }),
        },
      };
    }
    case 'ticker': {
      const ticker = fields.object('ticker');
      return {
        kind,
        ticker: {
          time: ticker.number('time'),
          lastPrice: ticker.optionalNumber('lastPrice'),
          markPrice: ticker.optionalNumber('markPrice'),
          indexPrice: ticker.optionalNumber('indexPrice'),
          bidPrice: ticker.optionalNumber('bidPrice'),
          bidQuantity: ticker.optionalNumber('bidQuantity'),
          askPrice: ticker.optionalNumber('askPrice'),
          askQuantity: ticker.optionalNumber('askQuantity'),
        },
      };
    }
    case 'permit':
      return {
        kind,
        time: fields.number('time'),
        permission: fields.oneOf('permission', ['all', 'reduce-only', 'cancel-only']),
        state: fields.oneOf('state', ['BOOT', 'RECONCILING', 'SYNCED', 'SUSPECT', 'QUARANTINED', 'HALTED']),
        reason: fields.text('reason'),
      };
    case 'transfers':
      return { kind, time: fields.number('time'), change: fields.number('change') };
    case 'others':
      return {
        kind,
        time: fields.number('time'),
        ...readShare(fields),
      };
  }
}

/** What the account's other pairs add to its limits. @throws UsageError naming the field that is invalid. */
export function readShare(fields: Fields): AccountShare {
  return {
    notional: fields.number('notional'),
    openOrders: fields.integer('openOrders'),
    pnl: fields.optionalNumber('pnl'),
    ...(fields.has('lostUntil') && { lostUntil: fields.number('lostUntil') }),
    ...(fields.has('fell') && fields.flag('fell') && { fell: true }),
  };
}

function encodeReport(report: ExecutionReport): JsonObject {
  const { kind, intentId } = report;
  const common = { kind, intentId, time: n(report.time) };
  switch (kind) {
    case 'accepted':
      return { ...common, orderId: report.orderId };
    case 'canceled':
      return { ...common, orderId: report.orderId, reason: report.reason };
    case 'rejected': {
      const { reason, reservedUntil, unsent, tooSoon, alike } = report;
      const kept = { ...(unsent && { unsent }), ...(tooSoon && { tooSoon }), ...(alike && { alike }) };
      return { ...common, reason, ...optional({ reservedUntil }), ...kept };
    }
    case 'cancel-rejected':
    case 'in-doubt':
      return { ...common, reason: report.reason };
    case 'filled':
    case 'late-fill': {
      const { id, orderId, time, side, lots, ticks, liquidity, fee } = report.fill;
      const fill = {
        id,
        orderId,
        time: n(time),
        side,
        lots: n(lots),
        ticks: n(ticks),
        liquidity,
        fee: fee.toString(),
      };
      return { ...common, fill };
    }
  }
}

function decodeReport(fields: Fields): ExecutionReport {
  const kind = fields.oneOf('kind', [
    'accepted',
    'rejected',
    'filled',
    'canceled',
    'cancel-rejected',
    'late-fill',
    'in-doubt',
  ]);
  const common = () => ({ intentId: fields.integer('intentId'), time: fields.number('time') });
  switch (kind) {
    case 'accepted':
      return { kind, ...common(), orderId: fields.text('orderId') };
    case 'canceled':
      return { kind, ...common(), orderId: fields.text('orderId'), reason: fields.text('reason') };
    case 'rejected': {
      const rejected = { kind, ...common(), reason: fields.text('reason') };
      const reservedUntil = fields.optionalNumber('reservedUntil');
      return {
        ...rejected,
        ...(reservedUntil === undefined ? {} : { reservedUntil }),
        ...(fields.has('unsent') && fields.flag('unsent') ? ({ unsent: true } as const) : {}),
        ...(fields.has('tooSoon') && fields.flag('tooSoon') ? ({ tooSoon: true } as const) : {}),
        ...(fields.has('alike') && fields.flag('alike') ? ({ alike: true } as const) : {}),
      };
    }
    case 'cancel-rejected':
    case 'in-doubt':
      return { kind, ...common(), reason: fields.text('reason') };
    case 'filled':
      return { kind, ...common(), fill: decodeFill(fields.object('fill')) };
    case 'late-fill': {
      const intentId = fields.has('intentId') ? fields.integer('intentId') : undefined;
      return { kind, intentId, time: fields.number('time'), fill: decodeFill(fields.object('fill')) };
    }
  }
}

function decodeFill(fields: Fields): Fill {
  return {
    id: fields.text('id'),
    orderId: fields.text('orderId'),
    time: fields.number('time'),
    side: fields.oneOf('side', ['buy', 'sell']),
    lots: fields.integer('lots') as Lots,
    ticks: fields.integer('ticks') as Ticks,
    liquidity: fields.oneOf('liquidity', ['maker', 'taker']),
    fee: fields.bigint('fee'),
  };
}

const n = encodeNumber;

function optional(numbers: Readonly<Record<string, number | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(numbers).flatMap(([name, value]) => (value === undefined ? [] : [[name, n(value)]])),
  );
}
