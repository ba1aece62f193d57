import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BudgetExhausted, type Priority, RequestBudget } from '../../src/client/budget.js';
import { UsageError } from '../../src/model/errors.js';
import { settled, VirtualTime } from './virtual-time.js';

function setup(perSecond = 10, burst = 10) {
  const time = new VirtualTime(1_000);
  const budget = new RequestBudget({ perSecond, burst, clock: time, timers: time });
  const log: string[] = [];
  const ask = (name: string, priority: Priority, waitMs = 60_000) => {
    budget.take(priority, time.monotonic() + waitMs).then(
      () => log.push(`${name}@${Math.round(time.monotonic() - 1_000)}`),
      (error: unknown) =>
        log.push(
          `${name} ${error instanceof BudgetExhausted ? 'dropped' : 'failed'}@${Math.round(time.monotonic() - 1_000)}`,
        ),
    );
  };
  const many = (count: number, priority: Priority) => {
    for (let i = 0; i < count; i++) ask(priority, priority);
  };
  return { time, budget, log, ask, many };
}

describe('a request budget', () => {
  it('lets a burst go at once, less the reserve, and the rest at its rate', async () => {
    const { time, log, many } = setup(10, 10);
    many(9, 'trades');
    await settled();
    // 10 tokens, of which the last 3 are kept for orders and cancels.
    expect(log).toHaveLength(7);
    await time.advance(200);
    expect(log.slice(7)).toEqual(['trades@100', 'trades@200']);
  });

  it('keeps 30 % for orders and cancels', async () => {
    const { log, many } = setup(10, 10);
    many(7, 'state');
    many(3, 'order');
    many(1, 'cancel');
    await settled();
    expect(log.filter((line) => line.startsWith('order'))).toHaveLength(3);
    expect(log.filter((line) => line.startsWith('cancel'))).toHaveLength(0);
  });

  it('serves what waits by what it is for, then by age', async () => {
    const { time, log, ask, many } = setup(10, 10);
    many(10, 'order');
    await settled();
    log.length = 0;
    ask('candles', 'history');
    ask('trades-1', 'trades');
    ask('ticker', 'ticker');
    ask('trades-2', 'trades');
    ask('fills', 'fills');
    ask('position', 'state');
    ask('order', 'order');
    ask('cancel', 'cancel');
    await time.advance(1_500);
    expect(log.map((line) => line.split('@')[0])).toEqual([
      'cancel',
      'order',
      'position',
      'fills',
      'trades-1',
      'trades-2',
      'ticker',
      'candles',
    ]);
  });

  it('drops at its deadline what could not go, and at once what never will', async () => {
    const { time, log, ask, many } = setup(1, 2);
    many(2, 'order');
    await settled();
    log.length = 0;
    ask('hopeless', 'trades', 500);
    await settled();
    expect(log).toEqual(['hopeless dropped@0']);
    // A trade poll needs 1.6 tokens: 1 and the reserve of 0.6. They are there at 1600, unless orders take them first.
    ask('overtaken', 'trades', 1_700);
    ask('order-1', 'order');
    ask('order-2', 'order');
    await time.advance(3_000);
    expect(log.slice(1)).toEqual(['order-1@1000', 'overtaken dropped@1700', 'order-2@2000']);
  });

  it('serves a kind of read that was overtaken until its deadline as the first kind of reads, once', async () => {
    const { time, log, ask } = setup(1, 2);
    // Reads of state alone need more than there is.
    for (let at = 0; at < 80; at++) {
      ask('position', 'state', 5_000);
      if (at % 8 === 0) ask('ticker', 'ticker', 3_000);
      await time.advance(500);
    }
    const tickers = log.filter((line) => line.startsWith('ticker'));
    expect(tickers).toHaveLength(10);
    // Not two are dropped in a row, and not two go in a row.
    for (const [at, line] of tickers.entries()) {
      if (at > 0) expect(line.includes('dropped'), line).not.toBe(tickers[at - 1]?.includes('dropped'));
    }
    expect(
      log.filter((line) => line.startsWith('position') && !line.includes('dropped')).length,
    ).toBeGreaterThan(10);
  });

  it('leaves no timer behind when nobody waits', async () => {
    const { time, many } = setup(10, 10);
    many(20, 'trades');
    await time.advance(10_000);
    expect(time.waiting).toBe(0);
  });

  it('is silent for as long as the venue asks and goes on at half the rate', async () => {
    const { time, budget, log, ask } = setup(10, 10);
    budget.throttled(2_500);
    expect(budget.perSecond).toBe(5);
    ask('cancel', 'cancel');
    ask('late', 'cancel', 2_000);
    await settled();
    expect(log).toEqual(['late dropped@0']);
    await time.advance(3_000);
    expect(log[1]).toBe('cancel@2500');
  });

  it('takes answers that repeat the news for one', () => {
    const { budget } = setup(16, 10);
    for (let i = 0; i < 5; i++) budget.throttled(1_000);
    expect(budget.perSecond).toBe(8);
  });

  it('waits longer each time when it is not told how long', async () => {
    const { time, budget, log, ask } = setup(10, 10);
    for (const pause of [1_000, 2_000, 4_000]) {
      log.length = 0;
      const at = time.monotonic() - 1_000;
      budget.throttled(undefined);
      ask('cancel', 'cancel');
      await time.advance(pause - 1);
      expect(log).toEqual([]);
      await time.advance(1);
      expect(log).toEqual([`cancel@${at + pause}`]);
    }
  });

  it('forgets earlier throttles after an answer', async () => {
    const { time, budget, log, ask } = setup(10, 10);
    budget.throttled(undefined);
    await time.advance(1_000);
    budget.answered();
    budget.throttled(undefined);
    ask('cancel', 'cancel');
    await time.advance(1_000);
    expect(log).toEqual(['cancel@2000']);
  });

  it('gains a twentieth of its rate per clean minute and never more than it had', async () => {
    const { time, budget } = setup(10, 10);
    budget.throttled(0);
    await time.advance(59_999);
    expect(budget.perSecond).toBe(5);
    await time.advance(1);
    expect(budget.perSecond).toBe(5.5);
    await time.advance(60 * 60_000);
    expect(budget.perSecond).toBe(10);
  });

  it('lets the same requests go, however often somebody asks what it allows', async () => {
    const goneWhen = async (isAsked: boolean) => {
      const { time, budget } = setup(1, 200);
      const take = () => {
        let taken = 0;
        while (budget.tryTake('order')) taken++;
        return taken;
      };
      take();
      budget.throttled(0);
      for (let second = 0; second < 125; second++) {
        await time.advance(1_000);
        if (isAsked) expect(budget.perSecond).toBeCloseTo(second < 59 ? 0.5 : second < 119 ? 0.55 : 0.6, 12);
      }
      return take();
    };
    expect(await goneWhen(true)).toBe(await goneWhen(false));
  });

  it('never falls below a fiftieth', async () => {
    const { time, budget } = setup(10, 10);
    for (let i = 0; i < 20; i++) {
      budget.throttled(1);
      await time.advance(1);
    }
    expect(budget.perSecond).toBeCloseTo(0.2, 12);
  });

  it('cannot be made without a rate or with no room beside the reserve', () => {
    for (const [perSecond, burst] of [
      [0, 4],
      [2, 1],
      [Number.NaN, 4],
      [2, Number.POSITIVE_INFINITY],
    ] as const) {
      const time = new VirtualTime();
      expect(() => new RequestBudget({ perSecond, burst, clock: time, timers: time })).toThrow(UsageError);
    }
  });

  it('never lets more go than burst + rate × time, and settles every request by its deadline', async () => {
    const request = fc.record({
      afterMs: fc.nat(300),
      waitMs: fc.nat(2_000),
      priority: fc.constantFrom<Priority>('cancel', 'order', 'state', 'fills', 'trades', 'ticker', 'history'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 60 }), async (requests) => {
        const time = new VirtualTime();
        const budget = new RequestBudget({ perSecond: 8, burst: 4, clock: time, timers: time });
        const went: number[] = [];
        let open = 0;
        for (const { afterMs, waitMs, priority } of requests) {
          await time.advance(afterMs);
          const deadline = time.monotonic() + waitMs;
          open++;
          void budget.take(priority, deadline).then(
            () => {
              open--;
              went.push(time.monotonic());
              expect(time.monotonic()).toBeLessThanOrEqual(deadline + 1e-6);
            },
            () => open--,
          );
        }
        await time.advance(2_001);
        expect(open).toBe(0);
        for (const [i, from] of went.entries()) {
          for (let j = i; j < went.length; j++) {
            expect(j - i + 1).toBeLessThanOrEqual(4 + (8 * ((went[j] as number) - from)) / 1_000 + 1e-6);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
