import { textOf, wholeSteps } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { CloseQuery } from '../../ports/venue-api.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { OrderGate } from '../order/order-gate.js';
import { type OrderRequest, orderRequest, requestText, type Unsendable } from '../order/order-request.js';
import { chooseMarket } from '../settings/pair.js';
import { withAccount, type WriteOptions } from '../settings/venue-access.js';
import { type Failure, reportFailure, sameVenue } from '../order/write-report.js';
import { NO_LIMITS } from '../../gate/limits.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { reportOrder } from './order.js';

export interface CloseOptions extends WriteOptions {
  readonly pair: string;
  /** Default: the whole position, as it is when the order reaches the venue. */
  readonly quantity?: string | undefined;
  /** Default: a market order. */
  readonly price?: string | undefined;
}

/** Closes a position, or a part of it, with a reduce-only order. */
export async function close(options: CloseOptions): Promise<ExitCode> {
  const person = personAtTerminal();
  requireConsent(options.yes, person);
  return withAccount(options, async ({ api, url, profile }) => {
    const market = await chooseMarket(api, options.pair);
    const { size } = await api.position(market.pair);
    const request = closingOrder(market, size, options);
    if ('kind' in request) return failed(options, request);
    // Configured limits bound what is opened. They must not prevent anybody from closing a position.
    const gate = await OrderGate.read(api, market, NO_LIMITS, profile.maxLimit);
    const refusal = gate.refusalOf(request);
    if (refusal !== undefined) return failed(options, refusal);
    const whole = options.quantity === undefined ? ', the whole position' : '';
    const what = `close: ${requestText(market, request)}${whole}\nat ${url}`;
    if (!(await hasConsent(options.yes, what, person))) return EXIT.failure;
    const { lots, ticks } = request.terms;
    const query: CloseQuery = {
      ...(options.quantity === undefined ? {} : { lots }),
      ...(ticks === undefined ? {} : { ticks }),
    };
    const outcome = await api.close(market, query);
    if (outcome.kind !== 'accepted') return failed(options, outcome);
    await reportOrder(outcome.order, options.json);
    return EXIT.ok;
  });
}

function closingOrder(
  market: Market,
  size: number,
  { quantity, price }: CloseOptions,
): OrderRequest | Unsendable {
  const held = wholeSteps(market.quantityGrid, Math.abs(size));
  if (held === 0) return { kind: 'unsendable', reason: `there is no open position on ${market.pair}` };
  const whole = textOf(market.quantityGrid, held);
  const side = size > 0 ? 'sell' : 'buy';
  return orderRequest(market, { side, quantity: quantity ?? whole, price, reduceOnly: true });
}

function failed(options: CloseOptions, failure: Failure): Promise<ExitCode> {
  const { pair, json } = options;
  const flags = sameVenue(options);
  return reportFailure(failure, {
    json,
    what: 'the closing order',
    lookAt: [`positions --pair ${pair}${flags}`, `orders --state all --pair ${pair} --limit 20${flags}`],
  });
}
