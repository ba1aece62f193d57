import { describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { RestartDesk } from '../support/restart-desk.js';
import { harness, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;
const exit = (intentId: number) => placeOf(intentId, { side: 'sell', reduceOnly: true });

describe('the watch of a pair', () => {
  test('looks once an interval, however often orders are sent meanwhile', async () => {
    const { time, execution, count } = await harness({ watchEveryMs: 1_000 });
    const before = count('position');
    for (let id = 1; id <= 60; id++) {
      execution.send(placeOf(id));
      await time.advance(500);
    }
    // 30 s, two reads of the position each.
    expect(count('position') - before).toBeGreaterThanOrEqual(2 * 28);
    expect(count('position') - before).toBeLessThanOrEqual(2 * 31);
  });
});

describe('a machine that slept', () => {
  test.each([
    ['asked for its state first', true],
    ['answered first', false],
  ])('agrees with nothing that was asked before, when it is %s', async (_, isAsked) => {
    let slept = 0;
    const { time, venue, execution, count } = await harness({}, (clock) => ({
      wall: () => clock.wall() + slept,
      monotonic: () => clock.monotonic(),
    }));
    execution.send(placeOf(1));
    await time.advance(10);
    const [order] = venue.truth();
    venue.latency = (kind) => (kind === 'position' ? 400 : 0);
    const before = count('position');
    while (count('position') < before + 2) await time.advance(10);
    // The second read of the position was answered, and is on its way back; its order is filled in the night.
    await time.advance(300);
    slept = 3_600_000;
    venue.fill(order?.id ?? '', 10, PRICE);
    const isSynced = () => execution.state().state === 'SYNCED';
    if (isAsked) expect(isSynced()).toBe(false);
    for (let ms = 0; ms < 10_000; ms += 50) {
      await time.advance(50);
      if (isSynced()) expect(execution.position).toBe(10);
    }
    expect([isSynced(), execution.position]).toEqual([true, 10]);
  });
});

describe('a clock that is set in small steps', () => {
  test.each([0, 20])('is told from one that is right, after %i looks from outside', async (looks) => {
    let set = 0;
    const { time, execution } = await harness({ watchEveryMs: 60_000, staleMs: 240_000 }, (clock) => ({
      wall: () => clock.wall() + set,
      monotonic: () => clock.monotonic(),
    }));
    await time.advance(1_000);
    const glances = Array.from({ length: looks }, () => {
      set += 150;
      return execution.glance().state;
    });
    expect(new Set(glances)).toEqual(new Set(looks === 0 ? [] : ['SYNCED']));
    set = 3_000;
    expect(execution.state().state).toBe('RECONCILING');
    expect(execution.glance().state).toBe('RECONCILING');
  });
});

describe('a halt', () => {
  test('of level cancel also cancels what was on its way to the venue', async () => {
    const { time, venue, execution } = await harness();
    venue.latency = (kind) => (kind === 'place' ? 300 : 0);
    execution.send(placeOf(1));
    await time.advance(50);
    execution.halt('cancel', 'enough', 'anna');
    await time.advance(5_000);
    expect(venue.truth().map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  test('of level cancel also cancels what was in doubt and is found', async () => {
    const { time, venue, execution } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(1));
    execution.halt('cancel', 'enough', 'anna');
    await time.advance(5_000);
    expect(venue.truth().map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  test('of level cancel goes on canceling until nothing rests, while the venue refuses', async () => {
    const { time, venue, execution } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    venue.fault = (kind) => (kind === 'cancel' ? 'refuse' : undefined);
    execution.halt('cancel', 'enough', 'anna');
    await time.advance(20_000);
    expect(venue.truth().map(({ status }) => status)).toEqual(['ACTIVE']);
    venue.fault = () => undefined;
    await time.advance(10_000);
    expect(venue.truth().map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  test('of level pause leaves orders where they are, and lets nothing out but what reduces', async () => {
    const { time, venue, execution, reports } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    execution.halt('pause', 'enough', 'anna');
    execution.send(placeOf(2));
    execution.send(exit(3));
    await time.advance(5_000);
    expect(venue.truth().map(({ status, reduceOnly }) => `${status} ${reduceOnly}`)).toEqual([
      'ACTIVE false',
      'ACTIVE true',
    ]);
    expect(reports).toContainEqual(
      expect.objectContaining({
        kind: 'rejected',
        intentId: 2,
        reason: expect.stringContaining('HALTED: pause: enough'),
      }),
    );
  });

  test('of level cancel lets nothing out at all', async () => {
    const { time, venue, execution } = await harness();
    execution.halt('cancel', 'enough', 'anna');
    execution.send(exit(1));
    await time.advance(5_000);
    expect(venue.truth()).toEqual([]);
  });
});

describe('before it is known what is held', () => {
  test('nothing leaves, not even what would reduce: its fill would be counted from nowhere', async () => {
    const desk = new RestartDesk();
    desk.venue.positionSize = 0.01;
    desk.venue.fault = (kind) => (kind === 'position' ? 'fail' : undefined);
    const life = desk.begin();
    life.execution.halt('pause', 'enough', 'anna');
    await desk.time.advance(100);
    desk.venue.onArrival = (id) => desk.venue.fill(id, 10, PRICE);
    life.execution.send(exit(1));
    await desk.time.advance(5_000);
    expect(desk.venue.truth()).toEqual([]);
    desk.venue.fault = () => undefined;
    await desk.time.advance(60_000);
    expect(life.execution.position).toBe(10 as Lots);
    life.execution.send(exit(2));
    await desk.time.advance(5_000);
    expect(life.execution.position).toBe(0);
  });
});

describe('a fill of nobody here', () => {
  const told = ['fill', 'halt', 'state'];

  test.each([
    1, 2, 3,
  ])('stops the bot also when it dies at record %i of what it writes about it', async (nth) => {
    const desk = new RestartDesk();
    const first = await desk.start();
    first.kill();
    desk.venue.otherFill('sell', 3, PRICE, true);
    let left = nth;
    const second = desk.begin({
      onRecord: (record, life) => {
        const isAboutIt =
          told.includes(record.kind) && !(record.kind === 'state' && record.state !== 'QUARANTINED');
        if (isAboutIt && --left === 0) life.kill();
      },
    });
    await desk.time.advance(20_000);
    expect(second.isDead).toBe(true);
    const third = desk.begin();
    await desk.time.advance(20_000);
    expect(third.execution.state().state).toBe('HALTED');
    third.execution.resume('looked at', 'anna');
    expect(third.execution.state().state).toBe('QUARANTINED');
    expect(third.execution.position).toBe(-3);
  });
});
