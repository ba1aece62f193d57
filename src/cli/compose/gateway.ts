/** Where the orders of a session go: the one place that tells the modes apart. */
import { Subject } from 'rxjs';
import { Execution } from '../../execution/execution.js';
import { InvariantError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { ExecutionReport } from '../../model/report.js';
import type { FeedEvent } from '../../ports/feed.js';
import type { OrderGateway } from '../../ports/order-gateway.js';
import { tapeGateway } from '../../venue/tape/tape-gateway.js';
import { TapeVenue } from '../../venue/tape/tape-venue.js';
import type { Machine } from '../machine.js';
import type { Connection, KeyedConnection } from './connection.js';

export type Mode = 'paper' | 'live';

/** A mode with the connection that it needs: on paper without a key. */
export type SessionAccess =
  | { readonly mode: 'paper'; readonly connection: Connection }
  | { readonly mode: 'live'; readonly connection: KeyedConnection };

export interface SessionGateway extends OrderGateway {
  /** Sees each event of the feed before the strategy does. */
  before(event: FeedEvent): void;
  /** Orders that are, or may be, at the venue. */
  openOrders(): readonly OpenOrderText[];
  /** Cancels what is open and proves it; what is left after `deadlineMs` is returned. */
  finish(deadlineMs: number): Promise<readonly OpenOrderText[]>;
}

/** An open order in words: its id at the venue, or what is known about it. */
export type OpenOrderText = string;

export interface PaperOptions {
  /** Cash of the quote asset at the start, decimal text. */
  readonly capital: string;
  readonly latencyMs: number;
}

export interface GatewayOptions {
  readonly access: SessionAccess;
  readonly machine: Machine;
  readonly market: Market;
  readonly paper: PaperOptions;
  /** Unique among the sessions of the account. */
  readonly session: string;
  /** How often live orders are looked at, ms. */
  readonly watchEveryMs: number;
}

export function createGateway(options: GatewayOptions): SessionGateway {
  switch (options.access.mode) {
    case 'paper':
      return paperGateway(options.market, options.paper);
    case 'live':
      return liveGateway(options.access.connection, options);
  }
}

export function paperGateway(market: Market, { capital, latencyMs }: PaperOptions): SessionGateway {
  const venue = new TapeVenue({
    market,
    deposit: capital,
    latency: { placeMs: latencyMs, cancelMs: latencyMs },
  });
  let now = 0;
  /** Newest time up to which the venue was told everything. */
  let covered = Number.NEGATIVE_INFINITY;
  const gateway = tapeGateway(venue, () => now, new Subject<ExecutionReport>());
  return {
    reports$: gateway.reports$,
    send: (command) => gateway.send(command),
    before(event) {
      // Whatever brings a command about, it is sent when that was known: prints from before are over.
      now = Math.max(now, knownAt(event));
      if (event.kind === 'trade') {
        const { trade } = event;
        // A trade that became visible after a mark passed it: its moment at the venue is over, and no fill is missed
        // that a real order would surely have had.
        if (trade.time < covered) return;
        covered = trade.time;
        if (venue.print(trade.time, trade.price, trade.quantity, trade.isBuyerMaker)) gateway.deliver();
      } else if (event.kind === 'mark') {
        if (event.time - 1 <= covered) return;
        covered = event.time - 1;
        if (venue.advance(covered)) gateway.deliver();
      }
    },
    openOrders: () => [],
    finish: () => Promise.resolve([]),
  };
}

/** Venue ms from which on an event may have been acted on. */
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

/** For answers that are still under way when own orders are proven gone, or the deadline for that is over. */
const SETTLE_MS = 1_000;

function liveGateway(
  { api, profile }: KeyedConnection,
  { machine, market, session, watchEveryMs }: GatewayOptions,
): SessionGateway {
  const { clock, timers, log } = machine;
  const execution = new Execution({
    api,
    markets: new Map([[market.pair, market]]),
    timers,
    clock,
    log,
    session,
    echo: profile.echo,
    visibilityMs: profile.visibilityLagMs,
    listLimit: profile.maxLimit,
    watchEveryMs,
  });
  const texts = (orders: ReturnType<Execution['openOrders']>): readonly OpenOrderText[] =>
    orders.map(
      ({ orderId, intentId, stage }) => orderId ?? `intent ${intentId} (${stage}, its id is not known)`,
    );
  return {
    reports$: execution.reports$,
    send(command) {
      if (command.pair !== market.pair) {
        throw new InvariantError(`a command must be for ${market.pair}, received ${command.pair}`);
      }
      execution.send(command);
    },
    before: () => undefined,
    openOrders: () => texts(execution.openOrders()),
    async finish(deadlineMs) {
      await execution.cancelAllOwn(deadlineMs);
      return texts(await execution.stop(SETTLE_MS));
    },
  };
}
