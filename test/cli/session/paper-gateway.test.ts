import { describe, expect, it } from 'vitest';
import { paperGateway } from '../../../src/cli/session/paper-gateway.js';
import type { Approved } from '../../../src/model/command.js';
import type { FeedEvent } from '../../../src/ports/feed.js';
import { trade } from '../../support/desk.js';
import { BTC } from '../../support/markets.js';

const buy = {
  kind: 'place',
  intentId: 1,
  pair: BTC.pair,
  want: 1,
  terms: {
    side: 'buy',
    type: 'market',
    ticks: undefined,
    lots: 1,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly: false,
  },
} as unknown as Approved;

function ticker(time: number): FeedEvent {
  return { kind: 'ticker', ticker: { time } } as FeedEvent;
}

describe('an order on paper', () => {
  it.each<[string, FeedEvent]>([
    ['a ticker', ticker(1_900)],
    ['the end of the warm-up', { kind: 'live', time: 1_900 }],
  ])('that %s brought about meets no print from before it', (_, cause) => {
    const gateway = paperGateway(BTC, { capital: '100000', latencyMs: 50, onLiquidated: () => undefined });
    const filledAt: number[] = [];
    gateway.reports$.subscribe((report) => {
      if (report.kind === 'filled') filledAt.push(report.time);
    });
    const print = (time: number, receivedAt: number) =>
      gateway.before({ kind: 'trade', trade: trade(time, 60_000), receivedAt });
    print(900, 1_000);
    gateway.before(cause);
    gateway.send(buy);
    // Sent at 1 900 and effective at 1 950: the next poll also brings what was printed between the two.
    print(1_500, 2_000);
    print(1_950, 2_000);
    print(1_951, 2_000);
    expect(filledAt).toEqual([1_951]);
  });
});
