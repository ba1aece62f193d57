import type { Approved, Command } from '../../../src/model/command.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { OrderTerms } from '../../../src/model/order.js';
import type { ExecutionReport } from '../../../src/model/report.js';
import type { Side } from '../../../src/model/side.js';
import type { TapeVenueOptions } from '../../../src/venue/tape/tape-parts.js';
import { TapeVenue } from '../../../src/venue/tape/tape-venue.js';
import { PLAIN } from './desk.js';

/** A client of a tape venue that writes down what it hears, in words. Its commands count as approved. */
export class Client {
  readonly venue: TapeVenue;
  readonly #pair: string;

  constructor(options: Partial<TapeVenueOptions> = {}) {
    this.venue = new TapeVenue({ market: PLAIN, deposit: 1_000_000_000, ...options });
    this.#pair = this.venue.market.pair;
  }

  /** A GTC limit order, or a market order without `ticks`, unless said otherwise. */
  place(
    intentId: number,
    side: Side,
    lots: number,
    ticks: number | undefined,
    sentAt: number,
    more: Partial<OrderTerms> = {},
  ): void {
    const terms: OrderTerms = {
      side,
      type: ticks === undefined ? 'market' : 'limit',
      ticks: ticks as Ticks | undefined,
      lots: lots as Lots,
      timeInForce: ticks === undefined ? 'IOC' : 'GTC',
      postOnly: false,
      reduceOnly: false,
      ...more,
    };
    this.send({ kind: 'place', intentId, pair: this.#pair, terms, want: undefined }, sentAt);
  }

  cancel(intentId: number, orderId: string, sentAt: number): void {
    this.send({ kind: 'cancel', intentId, pair: this.#pair, orderId, want: undefined }, sentAt);
  }

  send(command: Command, sentAt: number): void {
    this.venue.submit(command as Approved, sentAt);
  }

  /** One print and what it brought. */
  print(time: number, price: number, quantity: number, aggressor: Side): string[] {
    const has = this.venue.print(time, price, quantity, aggressor === 'sell');
    const news = this.news();
    if (has !== news.length > 0) throw new Error(`print must say whether there are reports, received ${has}`);
    return news;
  }

  advance(now: number): string[] {
    this.venue.advance(now);
    return this.news();
  }

  news(): string[] {
    const { reports } = this.venue;
    const news = reports.map(words);
    reports.length = 0;
    return news;
  }
}

function words(report: ExecutionReport): string {
  const head = `${report.time} #${report.intentId}`;
  switch (report.kind) {
    case 'filled':
    case 'late-fill':
      return `${head} ${report.fill.liquidity} ${report.fill.lots}@${report.fill.ticks}`;
    case 'accepted':
      return `${head} accepted`;
    case 'in-doubt':
      return `${head} in-doubt`;
    case 'cancel-rejected':
      return `${head} cancel-rejected`;
    case 'rejected':
    case 'canceled':
      return `${head} ${report.kind}: ${report.reason}`;
  }
}
