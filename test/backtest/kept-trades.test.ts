import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { pollsEvery } from '../../src/backtest/poll-schedule.js';
import { defineStrategy, snapshot } from '../../src/index.js';
import type { Trade } from '../../src/model/trade.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { inMemory } from '../support/in-memory-recording.js';
import { START } from '../support/walk.js';

const trades: readonly Trade[] = Array.from({ length: 500 }, (_, at) => ({
  id: String(7_000_000 + at),
  time: START + at * 250,
  price: 60_000 + (at % 37) / 10,
  quantity: 0.001 * (1 + (at % 5)),
  isBuyerMaker: at % 3 === 0,
}));

/** What a strategy that keeps every trade has of them in the end, however they are read. */
async function kept(
  keep: (trade: Trade) => Trade,
  options: { readonly size: number; readonly poll?: number },
) {
  const list: Trade[] = [];
  const strategy = defineStrategy({
    name: 'keeper',
    create: () => ({ onTrade: (trade) => void list.push(keep(trade)) }),
  });
  const { size, poll } = options;
  await runBacktest({
    strategy: bindStrategy(strategy, {}),
    strategyHash: '',
    recording: inMemory(trades, { size }),
    capital: '1000',
    fill: 'queue',
    engineVersion: 'test',
    ...(poll === undefined ? {} : { polls: { name: 'every', schedule: pollsEvery(poll) } }),
  });
  return list;
}

const numbers = ({ time, price, quantity, isBuyerMaker }: Trade) => ({ time, price, quantity, isBuyerMaker });

describe('a trade that a strategy keeps', () => {
  it.each([
    { size: 1_000 },
    { size: 7 },
    { size: 7, poll: 1_000 },
  ])('stays as it is, whatever is read after it: %o', async (options) => {
    const list = await kept((trade) => trade, options);
    expect(list.map(numbers)).toEqual(trades.map(numbers));
    expect((await kept((trade) => ({ ...trade }), options)).map(numbers)).toEqual(trades.map(numbers));
    expect(await kept(snapshot, options)).toEqual(trades);
  });

  it('is no way to the next one', async () => {
    const [first] = await kept((trade) => trade, { size: 1_000 });
    expect(Reflect.ownKeys(first as object)).toEqual(['time', 'price', 'quantity', 'isBuyerMaker']);
    expect(Reflect.ownKeys(Object.getPrototypeOf(first) as object)).toEqual(['constructor', 'id']);
  });

  it('has its id while its handler runs, and later says so instead of giving that of another', async () => {
    const ids: string[] = [];
    const list = await kept(
      (trade) => {
        ids.push(trade.id);
        return trade;
      },
      { size: 7 },
    );
    expect(ids).toEqual(trades.map(({ id }) => id));
    expect(() => list[0]?.id).toThrow('the id of a trade must be read while its handler runs');
  });
});
