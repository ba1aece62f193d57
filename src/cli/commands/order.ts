import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { OrderRecord } from '../../model/venue-records.js';
import type { PlaceRequest } from '../../ports/venue-api.js';
import { readBulkFile } from '../order/bulk-file.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { limitsByHand, limitsOf, sayUncheckedLimits } from '../settings/limits.js';
import { OrderGate } from '../order/order-gate.js';
import {
  checkOrderText,
  type OrderRequest,
  orderRequest,
  type OrderText,
  requestText,
} from '../order/order-request.js';
import { chooseMarket } from '../settings/pair.js';
import { type VenueAccess, withAccount, type WriteOptions } from '../settings/venue-access.js';
import { type Failure, reportFailure, sameVenue } from '../order/write-report.js';
import type { VenueClient } from '../../client/client.js';
import { nodeFiles } from '../../platform/files.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { orderJson, orderLine, orderTable } from '../view/order-view.js';
import { printJson, printText } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface OrderOptions extends WriteOptions, Partial<OrderText> {
  readonly pair: string;
  /** A file with orders, in place of one order on the command line. */
  readonly bulk?: string | undefined;
}

export async function order(options: OrderOptions): Promise<ExitCode> {
  const orders =
    options.bulk === undefined ? [oneOrder(options)] : await readBulkFile(nodeFiles, options.bulk);
  const person = personAtTerminal();
  requireConsent(options.yes, person);
  return withAccount(options, async (access) => {
    const market = await chooseMarket(access.api, options.pair);
    const judged = await judge(access, market, orders);
    if (judged.kind !== 'sendable') return failed(options, judged, orders.length);
    const { requests } = judged;
    const what = requests.map((request) => requestText(market, request)).join('\n');
    if (!(await hasConsent(options.yes, `${what}\nat ${access.url}`, person))) return EXIT.failure;
    return options.bulk === undefined
      ? placeOne(access.api, market, requests[0] as OrderRequest, options)
      : placeMany(access.api, market, requests, options);
  });
}

function oneOrder(options: OrderOptions): OrderText {
  const { side, quantity } = options;
  if (side === undefined || quantity === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_ORDER',
      `${side === undefined ? '--side' : '--quantity'} must be given, or a file of orders with --bulk, received neither`,
    );
  }
  const text = { ...options, side, quantity };
  checkOrderText(text);
  return text;
}

/** The orders on the market's grid if the gate passes all of them; else the first reason why not. */
async function judge(
  { api, profile, settings }: VenueAccess<VenueClient>,
  market: Market,
  orders: readonly OrderText[],
): Promise<{ readonly kind: 'sendable'; readonly requests: readonly OrderRequest[] } | Failure> {
  const most = profile.bulk.maxOrders;
  if (orders.length > most) {
    const reason = `bulk: at most ${most} orders may go at once, received ${orders.length}`;
    return { kind: 'unsendable', reason };
  }
  const requests: OrderRequest[] = [];
  for (const text of orders) {
    const request = orderRequest(market, text);
    if ('kind' in request) return request;
    requests.push(request);
  }
  await sayUncheckedLimits(settings.limits);
  const limits = limitsByHand(limitsOf(market, settings));
  const gate = await OrderGate.read(api, market, limits, profile.maxLimit);
  for (const request of requests) {
    const refusal = gate.refusalOf(request);
    if (refusal !== undefined) return refusal;
  }
  return { kind: 'sendable', requests };
}

async function placeOne(
  api: VenueClient,
  market: Market,
  { terms, options: asked }: OrderRequest,
  options: OrderOptions,
): Promise<ExitCode> {
  const outcome = await api.place(market, terms, undefined, asked);
  if (outcome.kind !== 'accepted') return failed(options, outcome, 1);
  await reportOrder(outcome.order, options.json);
  return EXIT.ok;
}

async function placeMany(
  api: VenueClient,
  market: Market,
  requests: readonly OrderRequest[],
  options: OrderOptions,
): Promise<ExitCode> {
  const members = requests.map((request): PlaceRequest => request) as [PlaceRequest, ...PlaceRequest[]];
  const outcome = await api.placeMany(market, members);
  if (outcome.kind !== 'accepted') return failed(options, outcome, requests.length);
  if (options.json === true) await printJson({ outcome: 'accepted', orders: outcome.orders.map(orderJson) });
  else await printText(orderTable(outcome.orders));
  return EXIT.ok;
}

function failed(options: OrderOptions, failure: Failure, count: number): Promise<ExitCode> {
  const { pair, json } = options;
  const flags = sameVenue(options);
  // All that was sent must be in view, and others of the pair with it.
  const limit = Math.max(20, 2 * count);
  return reportFailure(failure, {
    json,
    what: count === 1 ? 'the order' : `the bulk of ${count} orders`,
    lookAt: [
      `orders --state all --pair ${pair} --limit ${limit}${flags}`,
      `triggers --pair ${pair}${flags}`,
      `fills --pair ${pair} --limit ${limit}${flags}`,
    ],
  });
}

/** Reports the venue's record of an order, and its meaning in words. */
export async function reportOrder(record: OrderRecord, json: true | undefined): Promise<void> {
  if (json === true) {
    await printJson({ outcome: 'accepted', order: orderJson(record) });
    return;
  }
  const { id, message } = record;
  const because = message === undefined ? '' : `: ${printable(message)}`;
  await printText(printable(`order ${id} ${statusText(record)}${because} (${orderLine(record)})`));
}

function statusText({ status, filledQuantity, quantity }: OrderRecord): string {
  const filled = filledQuantity === 0 ? '' : `, ${filledQuantity} of ${quantity} filled`;
  switch (status) {
    case 'ACTIVE':
      return `is working${filled}`;
    case 'COMPLETED':
      return 'is filled';
    case 'CANCELLED':
      return `was accepted and canceled at once${filled}`;
    case 'UNTRIGGERED':
      return 'waits for its trigger';
    default:
      return `has status ${status}${filled}`;
  }
}
