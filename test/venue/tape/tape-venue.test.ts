import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Approved } from '../../../src/model/command.js';
import { defineMarket } from '../../../src/model/market.js';
import type { ExecutionReport } from '../../../src/model/report.js';
import { tapeGateway } from '../../../src/venue/tape/tape-gateway.js';
import { Client } from './client.js';

/** Bid 99, ask 101 at time 0; nothing is known of queues. */
function openClient(options?: ConstructorParameters<typeof Client>[0]): Client {
  const client = new Client(options);
  expect([...client.print(0, 99, 1, 'sell'), ...client.print(0, 101, 1, 'buy')]).toEqual([]);
  return client;
}

describe('latency', () => {
  it('lets an order act on prints later than sent + 50 ms only', () => {
    const client = openClient();
    client.place(1, 'buy', 5, undefined, 0);
    expect(client.print(49, 101, 1, 'buy')).toEqual([]);
    expect(client.print(50, 101, 1, 'buy')).toEqual([]);
    expect(client.venue.inFlight).toBe(1);
    expect(client.print(51, 102, 1, 'buy')).toEqual(['50 #1 accepted', '51 #1 taker 1@102']);
    expect(client.print(51, 103, 1, 'buy')).toEqual(['51 #1 taker 1@103']);
    expect(client.venue.inFlight).toBe(0);
  });

  it('of 0 still leaves out the whole millisecond in which the command was sent', () => {
    const client = openClient({ latency: { placeMs: 0, cancelMs: 0 } });
    expect(client.print(7, 101, 1, 'buy')).toEqual([]);
    client.place(1, 'buy', 5, undefined, 7);
    expect(client.print(7, 101, 1, 'buy')).toEqual([]);
    expect(client.print(8, 101, 1, 'buy')).toEqual(['7 #1 accepted', '8 #1 taker 1@101']);
  });

  it('is one for places and one for cancels, and decides who arrives first', () => {
    const client = openClient({ latency: { placeMs: 5, cancelMs: 20 } });
    client.place(1, 'buy', 5, 90, 0);
    expect(client.print(6, 99, 1, 'sell')).toEqual(['5 #1 accepted']);
    client.cancel(1, '1', 6);
    client.place(2, 'buy', 5, 91, 7);
    expect(client.print(26, 99, 1, 'sell')).toEqual(['12 #2 accepted']);
    expect(client.print(27, 99, 1, 'sell')).toEqual(['26 #1 canceled: requested']);
  });

  it('keeps commands that arrive together in the order in which they were sent', () => {
    const client = openClient({ latency: { placeMs: 4, cancelMs: 10 } });
    client.cancel(1, '1', 0);
    client.place(1, 'buy', 5, 90, 6);
    expect(client.print(11, 99, 1, 'sell')).toEqual(['10 #1 cancel-rejected', '10 #1 accepted']);
    client.place(2, 'buy', 5, 91, 20);
    client.cancel(2, '2', 14);
    expect(client.print(25, 99, 1, 'sell')).toEqual(['24 #2 accepted', '24 #2 canceled: requested']);
  });

  it('must be whole milliseconds', () => {
    for (const placeMs of [-1, 0.5, Number.NaN]) {
      expect(() => new Client({ latency: { placeMs } })).toThrow(
        'latency.placeMs must be whole milliseconds',
      );
    }
  });
});

describe('what becomes of an order', () => {
  it('is reported in order: accepted, filled, and nothing more once it is filled', () => {
    const client = openClient();
    client.place(1, 'buy', 3, undefined, 0);
    expect(client.print(60, 101, 2, 'buy')).toEqual(['50 #1 accepted', '60 #1 taker 2@101']);
    expect(client.print(61, 101, 9, 'buy')).toEqual(['61 #1 taker 1@101']);
    expect(client.print(99_999, 101, 9, 'buy')).toEqual([]);
    expect(client.venue.position.lots).toBe(3);
    expect(client.venue.position.cost).toBe(303n * 10n ** 8n);
  });

  it('is a rejection without an order when the account cannot pay for it', () => {
    const client = openClient({ deposit: 1 });
    client.place(1, 'buy', 5_000, 100, 0);
    const [news, ...more] = client.print(60, 101, 1, 'buy');
    expect(news).toMatch(/^50 #1 rejected: insufficient balance/);
    expect(more).toEqual([]);
    expect(client.venue.reports).toEqual([]);
  });

  it('is a cancellation at once when a post-only order would trade', () => {
    const client = openClient();
    client.place(1, 'buy', 5, 101, 0, { postOnly: true });
    client.place(2, 'buy', 5, 100, 0, { postOnly: true });
    expect(client.print(60, 99, 1, 'sell')).toEqual([
      '50 #1 accepted',
      '50 #1 canceled: post-only would trade',
      '50 #2 accepted',
      '60 #2 maker 1@100',
    ]);
  });

  it('is a rest that queues first in line after its second as a taker', () => {
    const client = openClient();
    client.place(1, 'buy', 5, 101, 0);
    expect(client.print(1_050, 101, 1, 'buy')).toEqual(['50 #1 accepted', '1050 #1 taker 1@101']);
    expect(client.print(1_051, 101, 1, 'buy'), 'the second is over, and buyers do not hit a bid').toEqual([]);
    expect(client.print(1_052, 101, 1, 'sell')).toEqual(['1052 #1 maker 1@101']);
  });

  it.each<[string, Parameters<Client['place']>, string]>([
    ['IOC', [1, 'buy', 5, 101, 0, { timeInForce: 'IOC' }], '1050 #1 canceled: IOC remainder'],
    ['FOK', [1, 'buy', 5, 101, 0, { timeInForce: 'FOK' }], '1050 #1 canceled: FOK cannot fill'],
    ['MARKET', [1, 'buy', 5, undefined, 0], '10050 #1 canceled: no liquidity'],
  ])('is a cancellation at the end of the window (%s)', (_kind, order, news) => {
    const client = openClient();
    client.place(...order);
    expect(client.print(1_050, 102, 1, 'sell')).toEqual(['50 #1 accepted']);
    expect(client.print(20_000, 101, 9, 'buy')).toEqual([news]);
  });

  it('is all of a fill-or-kill order at the print by which there is enough', () => {
    const client = openClient();
    client.place(1, 'sell', 5, 98, 0, { timeInForce: 'FOK' });
    expect(client.print(51, 99, 3, 'sell')).toEqual(['50 #1 accepted']);
    expect(client.venue.position.lots).toBe(0);
    expect(client.print(60, 98, 3, 'sell')).toEqual(['60 #1 taker 3@99', '60 #1 taker 2@98']);
    expect(client.venue.position.lots).toBe(-5);
    expect(client.print(1_051, 50, 3, 'sell')).toEqual([]);
  });

  it('is all of a fill-or-kill order at the last print of its second, too', () => {
    const client = openClient();
    client.place(1, 'sell', 5, 98, 0, { timeInForce: 'FOK' });
    expect(client.print(1_050, 98, 5, 'sell')).toEqual(['50 #1 accepted', '1050 #1 taker 5@98']);
  });

  it('is no cancellation of a fill-or-kill order that has had its prints', () => {
    const client = openClient();
    client.place(1, 'sell', 5, undefined, 0, { timeInForce: 'FOK' });
    expect(client.print(51, 99, 5, 'sell')).toEqual(['50 #1 accepted', '51 #1 taker 5@99']);
    client.cancel(1, '1', 100);
    expect(client.print(20_000, 120, 5, 'buy')).toEqual(['150 #1 cancel-rejected']);
  });

  it('is not mixed up with that of an order which enters while the window of another ends', () => {
    const client = openClient();
    client.place(1, 'buy', 5, 101, 0, { timeInForce: 'IOC' });
    client.print(1_010, 99, 1, 'sell');
    client.news();
    client.place(2, 'buy', 5, 90, 1_010);
    expect(client.print(2_000, 99, 1, 'sell')).toEqual([
      '1050 #1 canceled: IOC remainder',
      '1060 #2 accepted',
    ]);
    client.place(3, 'buy', 5, undefined, 2_000);
    client.print(12_010, 99, 1, 'sell');
    client.place(4, 'buy', 5_000_000_000, 90, 12_010);
    const [over, rejected] = client.print(13_000, 99, 1, 'sell');
    expect(over).toBe('12050 #3 canceled: no liquidity');
    expect(rejected).toMatch(/^12060 #4 rejected/);
  });

  it('is told when no print comes any more, by advancing the time', () => {
    const client = openClient();
    client.place(1, 'buy', 5, undefined, 0);
    expect(client.advance(49)).toEqual([]);
    expect(client.advance(50)).toEqual(['50 #1 accepted']);
    expect(client.advance(10_049)).toEqual([]);
    expect(client.advance(10_050)).toEqual(['10050 #1 canceled: no liquidity']);
  });

  it('carries the fee and the order in its fills', () => {
    const market = defineMarket({
      pair: 'USD_Y',
      base: 'Y',
      quote: 'USD',
      price: { min: 0, max: 10_000, step: '0.1' },
      quantity: { min: '0.001', max: 100, step: '0.001' },
      fees: { maker: '-0.0001', taker: '0.0006' },
    });
    const client = new Client({ market, deposit: 10_000 });
    client.print(0, 99, 1, 'sell');
    client.print(0, 101, 1, 'buy');
    const before = client.venue.available();
    client.place(1, 'buy', 500, undefined, 0);
    client.venue.print(60, 101.5, 0.5, false);
    const report = client.venue.reports.find(({ kind }) => kind === 'filled');
    if (report?.kind !== 'filled') throw new Error('the order must be filled');
    expect(report).toMatchObject({ intentId: 1, time: 60 });
    const { id, orderId, time, side, lots, ticks, liquidity, fee } = report.fill;
    // 0.5 × 101.5 × 0.0006 = 0.03045
    expect({ id, orderId, time, side, lots, ticks, liquidity, fee }).toEqual({
      id: '1',
      orderId: '1',
      time: 60,
      side: 'buy',
      lots: 500,
      ticks: 1_015,
      liquidity: 'taker',
      fee: 3_045_000n,
    });
    expect(client.venue.available()).toBeLessThan(before);
  });
});

describe('a cancel', () => {
  it('takes the order out of the market at its own time', () => {
    const client = openClient();
    client.place(1, 'buy', 5, 100, 0);
    expect(client.print(55, 105, 1, 'buy')).toEqual(['50 #1 accepted']);
    client.cancel(1, '1', 55);
    expect(client.print(105, 100, 1, 'sell'), 'the cancel is effective at 105').toEqual([
      '105 #1 maker 1@100',
    ]);
    expect(client.print(106, 100, 1, 'sell')).toEqual(['105 #1 canceled: requested']);
  });

  it('that meets a done order is rejected', () => {
    const client = openClient();
    client.place(1, 'buy', 1, 100, 0);
    client.print(55, 105, 1, 'buy');
    client.cancel(1, '1', 55);
    expect(client.print(60, 90, 1, 'sell')).toEqual(['60 #1 maker 1@100']);
    expect(client.print(106, 90, 1, 'sell')).toEqual(['105 #1 cancel-rejected']);
  });

  it('that comes with the end of a window is too late', () => {
    const client = openClient();
    client.place(1, 'buy', 5, 101, 0, { timeInForce: 'IOC' });
    client.print(51, 99, 1, 'sell');
    client.cancel(1, '1', 1_000);
    expect(client.print(2_000, 99, 1, 'sell')).toEqual([
      '1050 #1 canceled: IOC remainder',
      '1050 #1 cancel-rejected',
    ]);
  });
});

describe('reports of different times that one print brings', () => {
  it('stand in the order of their times, also when a cancel meets no order', () => {
    const client = openClient();
    client.place(1, 'buy', 5, 101, 0, { timeInForce: 'IOC' });
    client.print(1_010, 99, 1, 'sell');
    client.news();
    client.cancel(9, '99', 1_010);
    expect(client.print(2_000, 99, 1, 'sell')).toEqual([
      '1050 #1 canceled: IOC remainder',
      '1060 #9 cancel-rejected',
    ]);
  });
});

describe('the tape venue', () => {
  it('refuses to take a command for another pair', () => {
    const client = openClient();
    const command = {
      kind: 'cancel',
      intentId: 1,
      pair: 'USD_OTHER',
      orderId: '1',
      want: undefined,
    } as const;
    expect(() => client.send(command, 0)).toThrow('a command must be for USD_X, received USD_OTHER');
  });

  it('reports through one array for its whole life', () => {
    const client = openClient();
    const { reports } = client.venue;
    client.place(1, 'buy', 5, 90, 0);
    client.venue.print(60, 100, 1, false);
    expect(client.venue.reports).toBe(reports);
    expect(reports).toHaveLength(1);
  });

  it('closes a position with a reduce-only order and cancels the ones that have nothing left to reduce', () => {
    const client = openClient();
    client.place(1, 'buy', 5, undefined, 0);
    client.print(51, 101, 5, 'buy');
    client.news();
    client.place(2, 'sell', 9, 110, 60, { reduceOnly: true });
    client.place(3, 'sell', 9, 105, 60, { reduceOnly: true });
    expect(client.print(111, 103, 1, 'buy')).toEqual(['110 #2 accepted', '110 #3 accepted']);
    expect(client.print(120, 120, 100, 'buy')).toEqual([
      '120 #3 maker 5@105',
      '120 #2 canceled: position closed',
      '120 #3 canceled: position closed',
    ]);
    expect(client.venue.position.lots).toBe(0);
  });

  it('is an order gateway whose reports are delivered when the caller says so', () => {
    const { venue } = openClient();
    const reports$ = new Subject<ExecutionReport>();
    const heard: string[] = [];
    reports$.subscribe(({ kind, time }) => heard.push(`${time} ${kind}`));
    let now = 5;
    const gateway = tapeGateway(venue, () => now, reports$);
    const terms = {
      side: 'buy',
      type: 'market',
      ticks: undefined,
      lots: 1,
      timeInForce: 'IOC',
      postOnly: false,
      reduceOnly: false,
    } as const;
    gateway.send({
      kind: 'place',
      intentId: 1,
      pair: 'USD_X',
      terms,
      want: undefined,
    } as unknown as Approved);
    now = 60;
    venue.print(60, 101, 1, false);
    expect(heard).toEqual([]);
    gateway.deliver();
    gateway.deliver();
    expect(heard).toEqual(['55 accepted', '60 filled']);
  });
});
