import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DailyLoss, type DayBaseline } from '../../src/gate/daily-loss.js';

const DAY = 86_400_000;

function lossOf(baseline?: DayBaseline) {
  const told: DayBaseline[] = [];
  const day = new DailyLoss({ bound: 100, precision: 2, baseline, tell: (words) => told.push(words) });
  return { day, told };
}

describe('the loss of a day', () => {
  it('counts from what there was before the first event of the UTC day, and says so', () => {
    const { day, told } = lossOf();
    day.turn(DAY - 1, 1_000);
    day.look(990);
    expect(day.loss).toBe(10);
    day.turn(DAY, 990);
    day.look(985);
    expect(day.loss).toBe(5);
    day.turn(DAY + 5, 985);
    expect(told).toEqual([
      { day: '1970-01-01', equity: '1000', tripped: false },
      { day: '1970-01-02', equity: '990', tripped: false },
    ]);
  });

  it('that reached its bound stays reached when the profit comes back, and is over at midnight', () => {
    const { day, told } = lossOf();
    day.turn(0, 1_000);
    day.look(900);
    day.look(1_500);
    expect(day).toMatchObject({ tripped: true, worst: 100, loss: -500, endsAt: DAY });
    expect(told.at(-1)).toEqual({ day: '1970-01-01', equity: '1000', tripped: true });
    day.turn(DAY - 1, 1_500);
    expect(day.tripped).toBe(true);
    day.turn(DAY, 1_500);
    expect(day.tripped).toBe(false);
    day.look(1_401);
    expect(day.tripped).toBe(false);
  });

  it('goes on in the next session of the day, and begins anew in one of the next day', () => {
    const earlier = { day: '1970-01-01', equity: '1000', tripped: false };
    const again = lossOf(earlier);
    again.day.turn(5_000, 950);
    again.day.look(950);
    expect(again.day.loss).toBe(50);
    again.day.look(900);
    expect(again.day.tripped).toBe(true);
    expect(again.told).toEqual([{ ...earlier, tripped: true }]);
    const next = lossOf(earlier);
    next.day.turn(DAY, 950);
    next.day.look(900);
    expect(next.day).toMatchObject({ loss: 50, tripped: false });
  });

  it('that was reached in an earlier session stays reached, also when nobody knows the equity yet', () => {
    const { day } = lossOf({ day: '1970-01-01', equity: '1000', tripped: true });
    day.turn(0, undefined);
    day.look(undefined);
    expect(day).toMatchObject({ tripped: true, isKnown: true, worst: 100 });
  });

  it('is not known before an equity is', () => {
    const { day, told } = lossOf();
    day.turn(0, undefined);
    expect(day.isKnown).toBe(false);
    day.turn(1, 1_000);
    expect(day.isKnown).toBe(true);
    expect(told).toHaveLength(1);
  });

  it('begins with the first event that has a time', () => {
    const { day, told } = lossOf();
    day.turn(Number.POSITIVE_INFINITY, 1_000);
    day.look(900);
    expect(day.isKnown).toBe(false);
    day.turn(DAY, 900);
    expect(told).toEqual([{ day: '1970-01-02', equity: '900', tripped: false }]);
  });

  it('takes no day from a mark that says that all has been covered, nor goes back to one that is over', () => {
    const { day } = lossOf();
    day.turn(DAY, 1_000);
    day.turn(Number.POSITIVE_INFINITY, 900);
    day.turn(DAY - 1, 900);
    day.look(900);
    expect(day).toMatchObject({ loss: 100, endsAt: 2 * DAY });
  });

  it('that was reached stays reached when a clock that was a day ahead is taken back', () => {
    const { day, told } = lossOf();
    day.turn(0, 1_000);
    day.look(900);
    day.turn(DAY + 3_600_000, 900);
    expect(day).toMatchObject({ tripped: false, loss: 0 });
    day.look(890);
    day.turn(1_000, 890);
    day.look(890);
    expect(day).toMatchObject({ tripped: true, loss: 110, worst: 110, endsAt: DAY });
    // A session that begins now begins with that.
    expect(told.at(-1)).toEqual({ day: '1970-01-01', equity: '1000', tripped: true });
    // And the next day, once it comes, with what there was before it.
    day.turn(DAY + 1, 890);
    day.look(880);
    expect(day).toMatchObject({ tripped: false, loss: 10, endsAt: 2 * DAY });
  });

  it('goes on where an earlier session’s clock was ahead, and that day begins anew when it comes', () => {
    const { day, told } = lossOf({ day: '1970-01-02', equity: '1000', tripped: true });
    day.turn(5_000, 950);
    expect(day).toMatchObject({ tripped: true, endsAt: DAY });
    expect(told).toEqual([{ day: '1970-01-01', equity: '1000', tripped: true }]);
    day.turn(DAY, 950);
    expect(day).toMatchObject({ tripped: false, loss: 0 });
  });

  it('is not taken back by a trade that shows late', () => {
    const { day } = lossOf();
    day.turn(0, 1_000);
    day.look(900);
    day.turn(DAY, 900);
    day.turn(DAY - 5_000, 900);
    expect(day).toMatchObject({ tripped: false, endsAt: 2 * DAY });
  });

  it('trips where a hundred restarts trip too: the level does not move', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -30, max: 20 }), fc.boolean()), { maxLength: 100, size: 'max' }),
        (steps) => {
          const whole = lossOf();
          let pieces = lossOf();
          let equity = 1_000;
          let time = 0;
          whole.day.turn(time, equity);
          pieces.day.turn(time, equity);
          for (const [change, restarts] of steps) {
            if (restarts) {
              const last = pieces.told.at(-1);
              pieces = lossOf(last);
              if (last !== undefined) pieces.told.push(last);
            }
            time += 1_000;
            for (const { day } of [whole, pieces]) day.turn(time, equity);
            equity += change;
            for (const { day } of [whole, pieces]) day.look(equity);
            expect(pieces.day.tripped).toBe(whole.day.tripped);
            expect(pieces.day.loss).toBe(whole.day.loss);
          }
        },
      ),
    );
  });
});
