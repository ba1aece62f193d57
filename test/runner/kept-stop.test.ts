/** A session that gives way to another one and keeps its stop, in the simulated world, against the real venue. */
import { expect, test } from 'vitest';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import { defineMarket } from '../../src/model/market.js';
import { onGridOfBooks } from '../../src/runner/journal-grid.js';
import { Quarantined } from '../../src/runner/quarantined.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { defineStrategy, type StrategyDefinition } from '../../src/strategy/definition.js';
import { flat, holdPosition } from '../../src/strategy/want.js';
import { ANNA, BTC, BTC_SPEC, MARKET_BUY, world } from '../simulation/world/desk.js';
import { MemoryJournal } from '../support/restart-desk.js';
import { sessionOn } from './recorded-session.js';

type Session = ReturnType<typeof sessionOn>;

const holds = (stop?: number) =>
  defineStrategy({
    name: 'holds',
    create: () => ({
      onTrade: () => holdPosition('0.01', stop === undefined ? undefined : { stop }),
    }),
  });
const FLAT = defineStrategy({ name: 'flat', create: () => ({ onTrade: () => flat() }) });

const held = (at: VenueWorld) => at.core.position(at.account(ANNA.name), BTC.pair).lots;
const waiting = (at: VenueWorld) =>
  at.core
    .triggers(at.account(ANNA.name), {})
    .filter(({ status }) => status === 'untriggered')
    .map(({ id }) => id);

/** Lets time go by, ms for ms, until it holds, and looks at the venue at each of them. */
async function until(at: VenueWorld, holdsNow: () => boolean, look: () => void = () => undefined) {
  const deadline = at.scheduler.now + 120_000;
  while (!holdsNow()) {
    if (at.scheduler.now > deadline) throw new Error('it does not come to that');
    await at.scheduler.runUntil(at.scheduler.now + 1);
    look();
  }
}

/** A session that holds a position with a stop; the id of the stop. */
async function guarded(strategy: StrategyDefinition = holds(57_000), more: { limits?: Limits } = {}) {
  const at = world();
  const journal = new MemoryJournal();
  const first = sessionOn(at, journal, 'watch', 'first', strategy, more);
  await until(at, () => waiting(at).length === 1 && held(at) !== 0);
  await first.run(2_000);
  return { at, journal, first, stop: waiting(at)[0] ?? '' };
}

async function gaveWay(at: VenueWorld, session: Session, look?: () => void): Promise<void> {
  session.stop('keep-stops');
  await until(at, () => typeof session.end() === 'object', look);
}

const said = (stop: string) => ({ orderId: stop, side: 'sell', quantity: '0.01', triggerPrice: '57000' });
const same = { firstDifference: undefined };

test('the position is at no moment without a stop, and the same order guards it until the next session has its own', async () => {
  const { at, journal, first, stop } = await guarded();
  const bare: number[] = [];
  const look = () => {
    if (held(at) !== 0 && waiting(at).length === 0) bare.push(at.scheduler.now);
  };
  await gaveWay(at, first, look);
  expect(first.end()).toMatchObject({ leftOpen: [], keptStops: [said(stop)], canceledStops: [] });
  const next = sessionOn(at, journal, 'watch', 'next', holds(56_000));
  const seen = new Set<string>();
  await until(
    at,
    () => waiting(at).length === 1 && waiting(at)[0] !== stop,
    () => {
      look();
      seen.add(waiting(at).join());
    },
  );
  const [own] = waiting(at);
  // The newest first.
  expect([...seen]).toEqual([stop, `${own},${stop}`, own]);
  expect(bare).toEqual([]);
  await next.run(5_000);
  expect(next.live.state?.state).toBe('SYNCED');
  expect(next.live.leftStops).toEqual([]);
  expect(await first.replayed()).toMatchObject(same);
  expect(await next.replayed()).toMatchObject(same);
});

test('it may fire between the two, and the next session begins from what is held', async () => {
  const { at, journal, first, stop } = await guarded(holds(59_000));
  await gaveWay(at, first);
  at.street(BTC.pair).jump(0.97);
  await first.run(30_000);
  const next = sessionOn(at, journal, 'watch', 'next', FLAT);
  await next.run(20_000);
  expect(next.live.state?.state).toBe('SYNCED');
  expect([waiting(at), held(at)]).toEqual([[], 0]);
  expect(at.core.orders(at.account(ANNA.name), 'all').map(({ id, status }) => [id, status])).toContainEqual([
    stop,
    'completed',
  ]);
  expect(await next.replayed()).toMatchObject({ ...same, last: { session: { position: 0 } } });
});

test('it ends once the next session has closed the position', async () => {
  const { at, journal, first, stop } = await guarded();
  await gaveWay(at, first);
  const next = sessionOn(at, journal, 'watch', 'next', FLAT);
  await until(
    at,
    () => held(at) === 0,
    () => expect(held(at) === 0 || waiting(at).includes(stop)).toBe(true),
  );
  await until(at, () => waiting(at).length === 0);
  await next.run(2_000);
  expect(await next.replayed()).toMatchObject(same);
});

test('it stays, and is told, where the next session holds the position without one, as after a crash', async () => {
  const { at, journal, first, stop } = await guarded();
  await gaveWay(at, first);
  const next = sessionOn(at, journal, 'watch', 'next', holds());
  await next.run(60_000);
  expect([next.live.state?.state, held(at), waiting(at)]).toEqual(['SYNCED', 10, [stop]]);
  expect(next.live.leftStops).toEqual([said(stop)]);
  next.stop();
  await next.run(15_000);
  // The end of that one is the end of the stop, and it says so.
  expect([next.end(), waiting(at)]).toMatchObject([{ leftOpen: [], canceledStops: [stop] }, []]);
});

test('it stays as it is under other rules of the market, by which it could not be placed', async () => {
  const { at, journal, first, stop } = await guarded(holds(59_000));
  await gaveWay(at, first);
  const rules = {
    ...BTC_SPEC,
    price: { min: '700', max: '700000', step: '700' },
    quantity: { min: '0.02', max: '100', step: '0.02' },
    interest: { min: '0', max: '5', step: '0.02' },
  };
  const market = onGridOfBooks(defineMarket(rules), journal.books(), { price: 1, quantity: 3 });
  const next = sessionOn(at, journal, 'watch', 'next', undefined, { market });
  await next.run(30_000);
  expect([next.live.state?.state, waiting(at)]).toEqual(['SYNCED', [stop]]);
  expect(next.live.leftStops).toEqual([{ ...said(stop), triggerPrice: '59000' }]);
  at.street(BTC.pair).jump(0.97);
  await next.run(30_000);
  expect([next.live.state?.state, waiting(at), held(at)]).toEqual(['SYNCED', [], 0]);
  expect(await next.replayed()).toMatchObject({ ...same, last: { session: { position: 0 } } });
});

test('a start that gives way keeps it, and one that ends cancels it', async () => {
  const { at, journal, first, stop } = await guarded();
  await gaveWay(at, first);
  const next = sessionOn(at, journal, 'watch', 'next', holds());
  next.abandon('keep-stops');
  await next.run(5_000);
  expect(next.end()).toMatchObject({ leftOpen: [], keptStops: [said(stop)] });
  expect(waiting(at)).toEqual([stop]);
  expect(await next.replayed()).toMatchObject(same);
  const last = sessionOn(at, journal, 'watch', 'last', holds());
  last.abandon('cancel');
  await last.run(5_000);
  // Nothing guards the position any more, and it says so.
  expect(last.end()).toMatchObject({ leftOpen: [], keptStops: [], canceledStops: [stop] });
  expect([waiting(at), held(at)]).toEqual([[], 10]);
});

test('an end before the session has read its first trades says that it has canceled it', async () => {
  const { at, journal, first, stop } = await guarded();
  await gaveWay(at, first);
  const next = sessionOn(at, journal, 'watch', 'next', holds());
  await until(at, () => next.end() === 'it runs');
  expect([next.live.leftStops, waiting(at)]).toEqual([[said(stop)], [stop]]);
  next.stop();
  await next.run(15_000);
  expect(next.end()).toMatchObject({ leftOpen: [], canceledStops: [stop] });
  expect([waiting(at), held(at)]).toEqual([[], 10]);
  expect(await next.replayed()).toMatchObject(same);
});

test('a start that is refused since a person has to look leaves it where it is', async () => {
  const { at, journal, first, stop } = await guarded();
  await gaveWay(at, first);
  const terms = { ...MARKET_BUY, timeInForce: 'IOC' } as const;
  at.core.place(at.account(ANNA.name), { pair: BTC.pair, terms }, at.venueNow());
  const next = sessionOn(at, journal, 'throw', 'next', holds());
  await next.run(60_000);
  expect(next.end()).toBeInstanceOf(Quarantined);
  expect(next.end()).toMatchObject({ leftOpen: [], keptStops: [said(stop)] });
  expect(waiting(at)).toEqual([stop]);
  expect(await next.replayed()).toMatchObject(same);
});

/** Losses are counted, and no bound is reached. */
const COUNTED = { limits: { ...NO_LIMITS, maxDailyLoss: 50_000, maxDrawdown: 50_000 } };
const SHORT = defineStrategy({
  name: 'short',
  create: () => ({ onTrade: () => holdPosition('-0.01', { stop: 61_000 }) }),
});
const IDLE = defineStrategy({ name: 'idle', create: () => ({}) });
const cashOf = (at: VenueWorld) => Number(at.account(ANNA.name).balances.get('USD')?.cash) / 1e8;

/** A session that begins while the street jumps so long after the start, ms, and so the stop of the one before it fires. */
async function firing(ms: number, strategy: StrategyDefinition, by: number) {
  const { at, journal, first } = await guarded(strategy, COUNTED);
  await gaveWay(at, first);
  const street = at.street(BTC.pair);
  street.pause(at.venueNow() + ms - street.nextTime);
  street.jump(by);
  const next = sessionOn(at, journal, 'watch', 'next', IDLE, COUNTED);
  await next.run(12_000);
  return { at, next };
}

test.each([
  ['long', holds(59_000), 0.97],
  ['short', SHORT, 1.03],
] as const)(
  'its fill around the start makes no profit or loss of what the whole position is worth: %s',
  async (_, strategy, by) => {
    for (let ms = 300; ms <= 500; ms += 20) {
      const { at, next } = await firing(ms, strategy, by);
      const { day, drawdown } = next.core()?.risk ?? {};
      expect([held(at), next.core()?.engine.position.lots]).toEqual([0, 0]);
      // Some 600 are held. The jump takes 3 % of it, which nothing counts between the reconciliation and the first position.
      expect(Math.abs(100_000 - cashOf(at) - (day?.loss ?? Number.NaN)), `${ms} ms`).toBeLessThan(25);
      expect(Number(drawdown?.peak)).toBeLessThan(100_010);
      expect(await next.replayed()).toMatchObject(same);
    }
  },
  60_000,
);

test.each([
  ['long', holds(59_000), 0.97],
  ['short', SHORT, 1.03],
] as const)(
  'what it has cost counts if it fires while a start finds out what is held: %s',
  async (_, strategy, by) => {
    // The cash is read at some 150 ms, and what is held is known between 350 and 950 ms.
    for (let ms = 100; ms <= 320; ms += 20) {
      const { at, next } = await firing(ms, strategy, by);
      expect(next.core()?.risk.day?.loss, `${ms} ms`).toBeCloseTo(100_000 - cashOf(at), 6);
      expect(await next.replayed()).toMatchObject(same);
    }
  },
  60_000,
);

test('a start whose position somebody else closes meanwhile goes on, and counts nothing that was not lost', async () => {
  const { at, journal, first } = await guarded(holds(57_000), COUNTED);
  await gaveWay(at, first);
  const next = sessionOn(at, journal, 'watch', 'next', IDLE, COUNTED);
  await until(at, () => next.end() === 'it runs');
  const terms = { ...MARKET_BUY, side: 'sell', timeInForce: 'IOC' } as const;
  at.core.place(at.account(ANNA.name), { pair: BTC.pair, terms }, at.venueNow());
  await until(at, () => next.core()?.isLive === true);
  await next.run(30_000);
  expect([held(at), next.live.state?.state]).toEqual([0, 'QUARANTINED']);
  const { day, drawdown } = next.core()?.risk ?? {};
  expect(Math.abs(day?.loss ?? Number.NaN)).toBeLessThan(25);
  expect(Number(drawdown?.peak)).toBeLessThan(100_025);
  expect(await next.replayed()).toMatchObject(same);
});
