/** A list of orders against a venue, through desk and execution: what is wanted once is bought once. */
import { describe, expect, it } from 'vitest';
import { OrderDesk } from '../../src/engine/order-desk.js';
import type { Approved, Command } from '../../src/model/command.js';
import type { Ticks } from '../../src/model/grid.js';
import type { ExecutionReport } from '../../src/model/report.js';
import { orders, type Want } from '../../src/strategy/want.js';
import { BTC } from '../support/markets.js';
import { harness } from './harness.js';

const PRICE = 600_000 as Ticks;
const LIST = orders([{ side: 'buy', quantity: '0.1', price: '60000' }]);

async function desk(echo: 'oco' | undefined) {
  const { time, venue, execution } = await harness({ echo, lateMs: 60_000 });
  const own = new OrderDesk({ market: BTC, strategy: 's', muted: false, onDoubt: 'hold' });
  const sent: Command[] = [];
  const news: ExecutionReport[] = [];
  let isBusy = false;
  const act = () => {
    const now = venue.venueTime;
    if (now >= own.retry.time) {
      own.retry.over();
      own.dirty = true;
    }
    if (own.dirty) own.reconcile(now);
    for (const command of own.decision().commands) {
      sent.push(command);
      // The gate is not under test.
      execution.send(command as Approved);
    }
  };
  execution.reports$.subscribe((report) => {
    news.push(report);
    if (isBusy) return;
    isBusy = true;
    for (let next = news.shift(); next !== undefined; next = news.shift()) {
      own.report(next, venue.venueTime);
      act();
    }
    isBusy = false;
  });
  return {
    venue,
    held: () => execution.position,
    placed: () => sent.flatMap((command) => (command.kind === 'place' ? command.terms.lots : [])),
    async want(want: Want) {
      own.take(want, venue.venueTime);
      act();
      await time.advance(2_000);
    },
    /** The market comes down and fills whatever rests there, again and again. */
    async fillAll() {
      for (let round = 0; round < 5; round++) {
        for (const { id, status } of venue.truth()) if (status === 'ACTIVE') venue.fill(id, 1_000, PRICE);
        await time.advance(20_000);
        act();
        await time.advance(2_000);
      }
    },
    /** It fills so much of the order that works, and the venue ends it. */
    async fillAndEnd(lots: number) {
      const working = venue.truth().find(({ status }) => status === 'ACTIVE');
      if (working === undefined) throw new Error('an order must work');
      venue.fill(working.id, lots, PRICE);
      venue.end(working.id, 'maintenance');
      await time.advance(20_000);
      act();
      await time.advance(2_000);
    },
  };
}

describe.each(['oco', undefined] as const)('a list of orders, told apart by %s', (echo) => {
  it('is bought once, also where it was taken back and said again within the time in which orders look alike', async () => {
    const bot = await desk(echo);
    await bot.want(LIST);
    await bot.want(orders([]));
    await bot.want(LIST);
    await bot.fillAll();
    expect(bot.placed()).toEqual([100, 100]);
    // What is sent smaller to be told by it stays that much smaller.
    expect(bot.held()).toBe(echo === undefined ? 99 : 100);
  });

  it('is not bought twice where the venue ends what it has half filled', async () => {
    const bot = await desk(echo);
    await bot.want(LIST);
    await bot.fillAndEnd(90);
    await bot.fillAndEnd(4);
    await bot.fillAll();
    expect(bot.placed()).toEqual([100, 10, 6]);
    expect(bot.held()).toBe(100);
  });
});
