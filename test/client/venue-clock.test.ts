import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVenueClock } from '../../src/client/venue-clock.js';
import { VirtualTime } from './virtual-time.js';

/** A venue clock as a function of local time, asked over a line with the given delays there and back. */
function setup(mode: 'follow' | 'system', venueAt: (monotonic: number) => number, delay = () => 1) {
  const time = new VirtualTime(5_000);
  const told: number[] = [];
  const clock = createVenueClock({
    mode,
    onSet: (byMs) => told.push(Math.round(byMs / 1_000)),
    clock: time,
    timers: time,
    async ask() {
      const sentAt = time.monotonic();
      await time.advance(delay());
      const venueTime = Math.floor(venueAt(time.monotonic()));
      await time.advance(delay());
      return { venueTime, sentAt, receivedAt: time.monotonic() };
    },
  });
  /** Syncs, driving the virtual time meanwhile. */
  async function sync() {
    let done = false;
    const synced = clock.sync().finally(() => {
      done = true;
    });
    for (let i = 0; i < 100 && !done; i++) await time.advance(1);
    await synced;
  }
  return { time, clock, sync, told };
}

const START = 1_723_075_200_000;

describe('the venue clock before any answer', () => {
  it.each(['follow', 'system'] as const)('says our own time and has reached nothing (%s)', (mode) => {
    const { clock, time } = setup(mode, () => START);
    expect(clock.now()).toBe(time.wall());
    expect(clock.reached()).toBe(0);
    expect(clock.errorMs()).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a glance at it', () => {
  it.each([
    'follow',
    'system',
  ] as const)('says the same, and leaves what it says next as it was (%s)', async (mode) => {
    // Back by less than is told for a clock that was set.
    const said = async (isLookedAt: boolean) => {
      let by = 0;
      const { time, clock, sync } = setup(mode, (monotonic) => START + (monotonic - 5_000) + by);
      await sync();
      await time.advance(1_000);
      await sync();
      await time.advance(10_000);
      const glance = isLookedAt ? clock.glance() : undefined;
      by = -500;
      await sync();
      const next = [clock.now(), clock.reached()];
      if (isLookedAt) expect(clock.glance()).toEqual({ now: next[0], reached: next[1] });
      return { glance, next };
    };
    const [looked, unlooked] = [await said(true), await said(false)];
    expect(looked.glance?.now).toBeGreaterThan(unlooked.next[0] ?? 0);
    expect(looked.next).toEqual(unlooked.next);
  });
});

describe('the earliest that it can be', () => {
  it.each(['follow', 'system'] as const)('is not ahead while what was told is held (%s)', async (mode) => {
    const venue = (monotonic: number) => START + (monotonic - 5_000);
    let there = 1;
    const { time, clock, sync } = setup(mode, venue, () => {
      const delay = there;
      there = 1;
      return delay;
    });
    for (let i = 0; i < 20; i++) {
      await sync();
      await time.advance(1_000);
    }
    // The question waits, the answer is quick: the middle between them lies 2.4 s ahead.
    there = 4_800;
    await Promise.all([sync(), time.advance(4_801)]);
    clock.now();
    await sync();
    for (let i = 0; i < 8; i++) {
      const now = venue(time.monotonic());
      expect(clock.earliest()).toBeLessThanOrEqual(now);
      expect(clock.earliest()).toBeGreaterThan(now - 50);
      await time.advance(250);
    }
  });

  it('is unknown before an answer', () => {
    const { clock } = setup('follow', () => START);
    expect(clock.earliest()).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('a venue clock that is followed', () => {
  it.each([1, 10, 0.5, 60])('learns offset and a rate of %d', async (rate) => {
    const venue = (monotonic: number) => START + (monotonic - 5_000) * rate;
    const { time, clock, sync } = setup('follow', venue);
    for (let i = 0; i < 20; i++) {
      await sync();
      await time.advance(1_000);
    }
    expect(clock.rate()).toBeCloseTo(rate, 2);
    expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThanOrEqual(clock.errorMs());
    expect(clock.errorMs()).toBeLessThan(10 + 3 * rate);
  });

  it('does not run ahead of an honest clock because of two answers a blink apart', async () => {
    const delays = [5, 26, 20, 1];
    const venue = (monotonic: number) => START + (monotonic - 5_000);
    const { time, clock, sync } = setup('follow', venue, () => delays.shift() ?? 1);
    await sync();
    // No other answer comes for a minute: a poll was lost.
    await time.advance(60_000);
    expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThan(50);
  });

  it('does not take a machine that was suspended for a venue that runs faster', async () => {
    // Ours stood still for 15 minutes; the next answers are lost, so the estimate is on its own for a while.
    let lost = 0;
    const venue = (monotonic: number) => START + (monotonic - 5_000) + lost;
    const { time, clock, sync } = setup('follow', venue);
    for (let i = 0; i < 20; i++) {
      await sync();
      await time.advance(30_000);
    }
    lost = 900_000;
    await sync();
    await time.advance(120_000);
    expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThanOrEqual(100);
    expect(clock.rate()).toBeCloseTo(1, 2);
  });

  it.each([
    ['as fast as ours', 1],
    ['ten times as fast as ours', 10],
  ])('does not when it is suspended while an answer is on its way either, of a venue that runs %s', async (_, rate) => {
    let lost = 0;
    const venue = (monotonic: number) => START + (monotonic - 5_000) * rate + lost;
    let suspends = false;
    const { time, clock, sync } = setup('follow', (monotonic) => {
      if (!suspends) return venue(monotonic);
      // The venue gets the request half a second of sleep later, and goes on for minutes until the answer is read.
      suspends = false;
      lost += 200_000 * rate;
      return venue(monotonic) - 199_500 * rate;
    });
    for (let i = 0; i < 10; i++) {
      await sync();
      await time.advance(1_000);
    }
    suspends = true;
    await sync();
    for (let i = 0; i < 4; i++) {
      expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThan(100 * rate);
      expect(clock.reached()).toBeLessThanOrEqual(venue(time.monotonic()));
      expect(clock.rate()).toBeCloseTo(rate, 1);
      await time.advance(5_000);
      expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThan(100 * rate);
      await sync();
    }
  });

  it('learns another rate of a venue that goes on otherwise than before', async () => {
    let venue = (monotonic: number) => START + (monotonic - 5_000);
    const { time, clock, sync } = setup('follow', (monotonic) => venue(monotonic));
    const rounds = async () => {
      for (let i = 0; i < 8; i++) {
        await sync();
        await time.advance(1_000);
      }
    };
    await rounds();
    const turn = time.monotonic();
    venue = (monotonic) => START + (turn - 5_000) + (monotonic - turn) * 60;
    await rounds();
    expect(clock.rate()).toBeCloseTo(60, 1);
    expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThanOrEqual(clock.errorMs());
  });

  it.each([
    [10, 1_000],
    [30, 1_000],
    [90, 500],
  ])('takes back what it said in advance, and says so, over a line of %d ms after %d ms', async (delay, afterMs) => {
    let lost = 0;
    let answers = 0;
    const venue = (monotonic: number) => START + (monotonic - 5_000) + lost;
    // Nothing is known of its rate yet, and a sleep between its first two answers looks like one.
    const answer = (monotonic: number) => {
      if (++answers === 2) lost = 60_000;
      return venue(monotonic);
    };
    const { time, clock, sync, told } = setup('follow', answer, () => delay);
    await sync();
    await time.advance(afterMs);
    expect(clock.now()).toBeGreaterThan(venue(time.monotonic()) + 60_000);
    for (let i = 0; i < 3; i++) {
      await sync();
      expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThanOrEqual(clock.errorMs());
      await time.advance(2_000);
    }
    expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThan(500);
    expect(told[0]).toBeLessThan(-30);
  });

  it('knows the rate after the first sync', async () => {
    const { clock, sync } = setup('follow', (monotonic) => START + monotonic * 10);
    await sync();
    expect(clock.rate()).toBeGreaterThan(9);
    expect(clock.rate()).toBeLessThan(11);
  });

  it('takes for reached what was answered, and nothing after that', async () => {
    const { time, clock, sync } = setup('follow', (monotonic) => START + monotonic);
    await sync();
    const reached = clock.reached();
    await time.advance(60_000);
    expect(clock.reached()).toBe(reached);
    expect(reached).toBeLessThanOrEqual(START + time.monotonic() - 60_000);
  });

  it('sees that the venue stands still, and that it goes on', async () => {
    let speed = 10;
    let venueTime = START;
    let last = 5_000;
    const venue = (monotonic: number) => {
      venueTime += (monotonic - last) * speed;
      last = monotonic;
      return venueTime;
    };
    const { time, clock, sync } = setup('follow', venue);
    const run = async () => {
      for (let i = 0; i < 5; i++) {
        await sync();
        await time.advance(500);
      }
    };
    await run();
    expect(clock.rate()).toBeCloseTo(10, 0);
    venue(time.monotonic());
    speed = 0;
    await run();
    expect(clock.rate()).toBeCloseTo(0, 1);
    venue(time.monotonic());
    speed = 10;
    await run();
    expect(clock.rate()).toBeCloseTo(10, 0);
  });

  it('never runs backwards by what may be an error of the line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 12 }),
        async (answers) => {
          let i = 0;
          const { time, clock, sync } = setup(
            'follow',
            () => START + (answers[i++ % answers.length] as number),
          );
          let before = [0, 0];
          for (let round = 0; round < answers.length; round++) {
            await sync();
            await time.advance(37);
            const now = [clock.now(), clock.reached()];
            expect(now[0]).toBeGreaterThanOrEqual(before[0] as number);
            expect(now[1]).toBeGreaterThanOrEqual(before[1] as number);
            before = now;
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a venue clock that runs as ours does', () => {
  it('has reached what is certain and no more, over any line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 16 }),
        async (delays) => {
          let i = 0;
          const venue = (monotonic: number) => START + monotonic + 123.4;
          const { time, clock, sync } = setup('system', venue, () => delays[i++ % delays.length] as number);
          for (let round = 0; round < 6; round++) {
            await sync();
            await time.advance(10_000);
            const truth = venue(time.monotonic());
            expect(clock.reached()).toBeLessThanOrEqual(truth);
            expect(Math.abs(clock.now() - truth)).toBeLessThanOrEqual(clock.errorMs() + 1e-3);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('goes on between answers, and gets better by the best of them', async () => {
    const delays = [200, 200, 2, 2, 200, 200];
    let i = 0;
    const { time, clock, sync } = setup(
      'system',
      (monotonic) => START + monotonic,
      () => delays[i++] as number,
    );
    await sync();
    const reached = clock.reached();
    await time.advance(1_000);
    expect(clock.reached()).toBeGreaterThanOrEqual(reached + 999);
    await sync();
    await sync();
    // ± 200 ms of the first and last, ± 2 ms of the second answer, which still counts.
    expect(clock.errorMs()).toBeLessThan(4);
  });

  it('believes the new answers after one of the clocks was set', async () => {
    let offset = 0;
    const { time, clock, sync } = setup('system', (monotonic) => START + monotonic + offset);
    await sync();
    offset = 60_000;
    await sync();
    expect(Math.abs(clock.now() - (START + time.monotonic() + offset))).toBeLessThanOrEqual(3);
  });
});

describe.each(['follow', 'system'] as const)('a venue clock after one wrong answer (%s)', (mode) => {
  it.each([3_600_000, -3_600_000])('by %d ms is right with the next answer', async (wrong) => {
    let off = 0;
    const venue = (monotonic: number) => START + monotonic + off;
    const { time, clock, sync } = setup(mode, venue);
    const look = () => [clock.now(), clock.reached()] as const;
    await sync();
    look();
    off = wrong;
    await sync();
    look();
    off = 0;
    await sync();
    const [now, reached] = look();
    const truth = venue(time.monotonic());
    expect(Math.abs(now - truth)).toBeLessThanOrEqual(clock.errorMs());
    expect(reached).toBeLessThanOrEqual(truth);
    expect(truth - reached).toBeLessThan(200);
    expect(clock.errorMs()).toBeLessThan(200);
  });

  it('holds still over a small step back', async () => {
    let off = 0;
    const venue = (monotonic: number) => START + monotonic + off;
    const { time, clock, sync } = setup(mode, venue);
    await sync();
    off = 1_500;
    await sync();
    const before = [clock.now(), clock.reached()] as const;
    off = 0;
    await sync();
    expect([clock.now(), clock.reached()]).toEqual(before);
    await time.advance(10_000);
    await sync();
    expect(Math.abs(clock.now() - venue(time.monotonic()))).toBeLessThan(200);
    expect(clock.errorMs()).toBeLessThan(200);
  });
});

describe('the rate that is relied on', () => {
  const rateOf = async (venue: (monotonic: number, answer: number) => number, everyMs: number) => {
    let answers = 0;
    const { time, clock, sync } = setup('follow', (monotonic) => START + venue(monotonic - 5_000, answers++));
    expect(clock.steadyRate()).toBe(1);
    for (let i = 0; i < 100; i++) {
      await sync();
      await time.advance(everyMs);
    }
    return clock.steadyRate();
  };

  it.each([100, 500, 2_000])('is that of a venue that runs faster (asked every %i ms)', async (everyMs) => {
    expect(await rateOf((ms) => 60 * ms, everyMs)).toBeCloseTo(60, 0);
  });

  it.each([500, 10_000])('is none of two clocks that answer in turn (asked every %i ms)', async (everyMs) => {
    const rate = await rateOf((ms, answer) => ms + (answer % 2) * 60_000, everyMs);
    expect(rate).toBeCloseTo(1, 2);
  });
});

describe.each(['follow', 'system'] as const)('a venue clock that is set (%s)', (mode) => {
  it('is told of once, by how much, both ways', async () => {
    let offset = 0;
    const { time, sync, told } = setup(mode, (monotonic) => START + monotonic + offset);
    const rounds = async () => {
      for (let i = 0; i < 5; i++) {
        await sync();
        await time.advance(1_000);
      }
    };
    await rounds();
    expect(told).toEqual([]);
    offset = 60_000;
    await rounds();
    expect(told).toEqual([60]);
    offset = 0;
    await rounds();
    expect(told).toEqual([60, -60]);
  });

  it('is not told of for a step that may be an error of the line', async () => {
    let offset = 0;
    const { time, sync, told } = setup(mode, (monotonic) => START + monotonic + offset);
    for (offset of [0, 1_500, 0, 1_900, 10]) {
      await sync();
      await time.advance(1_000);
    }
    expect(told).toEqual([]);
  });
});
