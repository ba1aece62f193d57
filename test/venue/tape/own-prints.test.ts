import { describe, expect, it } from 'vitest';
import { TapeSession } from '../../../src/backtest/tape-session.js';
import { Engine } from '../../../src/engine/engine.js';
import { NO_LIMITS } from '../../../src/gate/limits.js';
import type { Trade } from '../../../src/model/trade.js';
import { TradeColumns } from '../../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../../src/strategy/definition.js';
import { bindStrategy } from '../../../src/strategy/instance.js';
import { holdPosition, quote, type Want } from '../../../src/strategy/want.js';
import { TapeVenue } from '../../../src/venue/tape/tape-venue.js';
import { BTC } from '../../support/markets.js';

function trade(id: number, time: number, price: number, isBuyerMaker: boolean): Trade {
  return { id: String(id), time, price, quantity: 1, isBuyerMaker };
}

/** Says one want at the first trade; which trades it saw, and what was filled. */
function run(want: Want, tape: readonly Trade[], own: readonly string[], chunk = tape.length) {
  const seen: number[] = [];
  const fills: string[] = [];
  const once = defineStrategy({
    name: 'once',
    create: () => ({
      onTrade({ time }) {
        seen.push(time);
        return seen.length === 1 ? want : undefined;
      },
    }),
  });
  const session = new TapeSession({
    engine: new Engine({ strategy: bindStrategy(once), market: BTC, seed: '1', warmUp: false }),
    venue: new TapeVenue({ market: BTC, deposit: '100000', latency: { placeMs: 50, cancelMs: 50 } }),
    limits: NO_LIMITS,
    capital: 100_000,
    gaps: [],
    onFill: ({ time, side, ticks }) => fills.push(`${time} ${side} @ ${ticks / 10}`),
  });
  for (let from = 0; from < tape.length; from += chunk) {
    const columns = TradeColumns.of(tape.slice(from, from + chunk));
    if (own.length > 0) columns.markOwn(new Set(own));
    session.run(columns);
  }
  session.end();
  return { seen, fills };
}

describe('a print that an order of our own made when the tape was recorded', () => {
  const tape = [
    trade(1, 1_000, 60_000, false),
    trade(2, 1_060, 60_001, false),
    trade(3, 1_090, 60_005, false),
    trade(4, 1_120, 59_900, true),
    trade(5, 1_150, 59_880, true),
  ];

  it('fills no taker, though the strategy sees it', () => {
    expect(run(holdPosition('0.01'), tape, []).fills).toEqual(['1060 buy @ 60001']);
    const { seen, fills } = run(holdPosition('0.01'), tape, ['2']);
    expect(fills).toEqual(['1090 buy @ 60005']);
    expect(seen).toEqual([1_000, 1_060, 1_090, 1_120, 1_150]);
  });

  it('fills no order that rests beyond it', () => {
    const bid = quote({ bid: { price: 59_950, quantity: '0.01' }, ask: undefined });
    expect(run(bid, tape, []).fills).toEqual(['1120 buy @ 59950']);
    expect(run(bid, tape, ['4']).fills).toEqual(['1150 buy @ 59950']);
  });

  it('is none of the runs from which a queue is estimated, however the tape is cut into chunks', () => {
    // 20 sells of 1 BTC at 59 990, one by one between buys: the queue that an order there is taken to stand behind.
    const runs = Array.from({ length: 20 }, (_, i) => [
      trade(10 + 2 * i, 10 + 2 * i, 60_000, false),
      trade(11 + 2 * i, 11 + 2 * i, 59_990, true),
    ]).flat();
    const large = { ...trade(60, 52, 59_990, true), quantity: 100 };
    const start = [...runs, trade(59, 51, 60_000, false), large, trade(61, 53, 60_000, false)];
    const hits = Array.from({ length: 4 }, (_, i) => trade(100 + i, 1_000 + i, 59_990, true));
    const bid = quote({ bid: { price: 59_990, quantity: '0.01' }, ask: undefined });
    const late = (want: Want, own: readonly string[], chunk: number) =>
      run(want, [...start, ...hits], own, chunk).fills;
    for (const chunk of [70, 9, 5]) {
      // 1 BTC ahead: the first hit eats it, the second one fills. With the large one in the mean it is 5.7 BTC.
      expect(late(bid, ['60'], chunk)).toEqual(['1001 buy @ 59990']);
      expect(late(bid, [], chunk)).toEqual([]);
    }
  });
});
