import { EMPTY, Subject } from 'rxjs';
import type { Market } from '../../model/market.js';
import type { ExecutionReport } from '../../model/report.js';
import type { FeedEvent } from '../../ports/feed.js';
import type { SessionGateway } from '../../runner/session-gateway.js';
import { type FillModelName, fillModels } from '../../venue/tape/fill-model.js';
import { tapeGateway } from '../../venue/tape/tape-gateway.js';
import { TapeVenue } from '../../venue/tape/tape-venue.js';

export interface PaperOptions {
  /** Cash of the quote asset at the start, decimal text. */
  readonly capital: string;
  readonly latencyMs: number;
  /** Default: `queue`. */
  readonly fill?: FillModelName | undefined;
}

export interface PaperGatewayOptions extends PaperOptions {
  /** The simulated venue has liquidated (a slice of) the position. Called before the session is told of the fill. */
  readonly onLiquidated: () => void;
}

/** A simulated venue that runs on the real venue's tape. No order leaves the process. */
export function paperGateway(
  market: Market,
  { capital, latencyMs, fill = 'queue', onLiquidated }: PaperGatewayOptions,
): SessionGateway {
  const [model] = fillModels(fill);
  const venue = new TapeVenue({
    market,
    deposit: capital,
    latency: { placeMs: latencyMs, cancelMs: latencyMs },
    model,
  });
  let now = 0;
  /** Newest time up to which the simulated venue has been told everything, venue ms. */
  let covered = Number.NEGATIVE_INFINITY;
  const gateway = tapeGateway(venue, () => now, new Subject<ExecutionReport>());
  const deliver = () => {
    if (venue.reports.some(isLiquidation)) onLiquidated();
    gateway.deliver();
  };
  return {
    reports$: gateway.reports$,
    send: (command) => gateway.send(command),
    before(event) {
      // A command is sent when its cause was known: prints before that moment can no longer fill it.
      now = Math.max(now, knownAt(event));
      if (event.kind === 'trade') {
        const { trade } = event;
        // The trade became visible after a mark had passed its time. The simulated venue cannot go back, so this trade
        // fills nothing, although it might have filled a real order.
        if (trade.time < covered) return;
        covered = trade.time;
        if (venue.print(trade.time, trade.price, trade.quantity, trade.isBuyerMaker)) deliver();
      } else if (event.kind === 'mark') {
        if (event.time - 1 <= covered) return;
        covered = event.time - 1;
        if (venue.advance(covered)) deliver();
      }
    },
    permits$: EMPTY,
    ready: () => Promise.resolve(),
    position: () => undefined,
    openOrders: () => [],
    leftStops: () => [],
    keptStops: () => [],
    canceledStops: () => [],
    finish: () => Promise.resolve([]),
  };
}

/** Only the venue itself trades here without an intent of the session. */
function isLiquidation(report: ExecutionReport): boolean {
  return report.kind === 'late-fill' && report.intentId === undefined;
}

/** Venue ms at which the event was known, and from which on it may be acted on. */
function knownAt(event: FeedEvent): number {
  switch (event.kind) {
    case 'trade':
      return event.receivedAt;
    case 'mark':
    case 'live':
      return event.time;
    case 'gap':
      return event.gap.to;
    case 'ticker':
      return event.ticker.time;
    case 'position':
      return event.position.time;
  }
}
