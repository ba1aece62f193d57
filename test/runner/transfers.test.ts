/** Deposits and withdrawals: they are neither profit nor loss, and change what a session may use. */
import { expect, type MockInstance, test, vi } from 'vitest';
import type { VenueClient } from '../../src/client/client.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { holdPosition } from '../../src/strategy/want.js';
import type { LedgerPlan } from '../../src/runner/live-session.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { ANNA, world } from '../simulation/world/desk.js';
import { MemoryJournal } from '../support/restart-desk.js';
import { startLive } from './live-desk.js';
import { sessionOn } from './recorded-session.js';

const DAY_MS = 86_400_000;
function desk({
  limits,
  journal = new MemoryJournal(),
  at = world(),
  name = 's',
  ledger,
}: {
  readonly limits: Partial<Limits>;
  readonly journal?: MemoryJournal;
  readonly at?: VenueWorld;
  readonly name?: string;
  readonly ledger?: LedgerPlan;
}) {
  const { wallet } = at.core;
  const anna = at.account(ANNA.name);
  const wish = { lots: 0 };
  const strategy = defineStrategy({
    name: 'holder',
    create: () => ({ onTrade: () => holdPosition(String(wish.lots / 1_000)) }),
  });
  const now = () => at.venueNow();
  let sessions = 0;
  return {
    at,
    journal,
    wish,
    run: (ms: number) => at.scheduler.runUntil(at.scheduler.now + ms),
    start: (api?: (client: VenueClient) => void) =>
      startLive(at, journal, { name: `${name}${++sessions}`, strategy, limits, ledger, ...(api && { api }) }),
    detect: (amount: string, asset = 'USD') => wallet.detectDeposit(anna, asset, amount, {}, now()),
    confirm: (id: string) => void wallet.confirmDeposit(id, now()),
    deposit(amount: string, asset = 'USD') {
      const id = wallet.detectDeposit(anna, asset, amount, {}, now());
      if (wallet.deposit(id)?.status === 'pending') wallet.confirmDeposit(id, now());
    },
    ask(amount: string): string {
      const outcome = wallet.requestWithdrawal(anna, 'USD', amount, 'home', now());
      if (outcome.kind !== 'pending') throw new Error(outcome.reason);
      return outcome.withdrawal.id;
    },
    pay: (id: string) => void wallet.confirmWithdrawal(id, now()),
    drop: (id: string) => void wallet.dropWithdrawal(id, now()),
    halts: () => journal.records.filter(({ kind }) => kind === 'halt'),
    baselines: () =>
      journal.records.filter(
        (record): record is Extract<JournalRecord, { kind: 'baseline' }> => record.kind === 'baseline',
      ),
  };
}

type Desk = ReturnType<typeof desk>;

/** A session that takes up to `lots`, and what its limits say at its end. */
async function session({ start, run, wish }: Desk, lots: number, api?: (client: VenueClient) => void) {
  const live = await start(api);
  await run(2_000);
  wish.lots = lots;
  await run(10_000);
  const { day, drawdown, dayPnl } = live.bot.core.risk;
  const seen = {
    loss: day?.loss ?? Number.NaN,
    isDayTripped: day?.tripped,
    fall: drawdown?.fall ?? Number.NaN,
    isFallen: drawdown?.tripped,
    dayPnl: dayPnl ?? Number.NaN,
    held: live.bot.core.engine.position.lots,
  };
  await live.stop();
  return seen;
}

test('a deposit hides no loss from the limit of the day, and is no profit of today', async () => {
  const it = desk({ limits: { maxDailyLoss: 3 } });
  // Fees and spread of 0.01 BTC.
  const one = await session(it, 10);
  expect(one).toMatchObject({ isDayTripped: false, held: 10 });
  expect(one.loss).toBeGreaterThan(0.5);
  it.deposit('1000');
  const two = await session(it, 60);
  expect(two).toMatchObject({ isDayTripped: true, held: 60 });
  expect(two.dayPnl).toBeLessThan(-3);
  expect(two.dayPnl).toBeGreaterThan(-20);
  expect(await session(it, 70)).toMatchObject({ isDayTripped: true, held: 60 });
});

test('a deposit hides no fall from the limit of the highest equity', async () => {
  const it = desk({ limits: { maxDrawdown: 3 } });
  expect(await session(it, 10)).toMatchObject({ isFallen: false, held: 10 });
  it.deposit('1000');
  expect(await session(it, 60)).toMatchObject({ isFallen: true, held: 60 });
  expect(it.halts()).toHaveLength(1);
});

test('a withdrawal trips no limit, whatever the venue takes for it', async () => {
  const it = desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 } });
  const one = await session(it, 10);
  it.pay(it.ask('150'));
  const two = await session(it, 10);
  expect(two).toMatchObject({ isDayTripped: false, isFallen: false });
  expect(two.loss).toBeLessThan(one.loss + 3);
  expect(two.fall).toBeLessThan(one.fall + 3);
  expect(it.halts()).toEqual([]);
});

test.each([
  'dropped',
  'paid',
  'dropped at the end',
] as const)('a withdrawal that waits while a session starts trips nothing, before and after it is %s', async (how) => {
  const it = desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 } });
  await session(it, 0);
  const id = it.ask('150');
  expect((await session(it, 0)).loss).toBe(0);
  if (how === 'paid') it.pay(id);
  if (how === 'dropped') it.drop(id);
  expect((await session(it, 0)).loss).toBe(0);
  if (how === 'dropped at the end') it.drop(id);
  expect(await session(it, 0)).toMatchObject({ loss: 0, fall: 0, isDayTripped: false, isFallen: false });
  expect(it.halts()).toEqual([]);
});

test('a deposit counts from when the cash holds it, and not from when the venue saw it', async () => {
  const it = desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 } });
  const early = it.detect('300');
  it.deposit('20');
  expect((await session(it, 0)).loss).toBe(0);
  expect((await session(it, 0)).loss).toBe(0);
  it.confirm(early);
  expect(await session(it, 0)).toMatchObject({ loss: 0, fall: 0 });
  expect(await session(it, 0)).toMatchObject({ loss: 0, fall: 0 });
});

test('what came while a session ran counts once at the next start, however often that is made', async () => {
  const it = desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 } });
  const live = await it.start();
  await it.run(5_000);
  it.deposit('500');
  it.pay(it.ask('200'));
  await it.run(5_000);
  expect(live.bot.core.risk.day?.loss).toBe(0);
  await live.stop();
  for (let n = 0; n < 3; n++) expect(await session(it, 0)).toMatchObject({ loss: 0, fall: 0 });
});

test('each session of an account counts a transfer once: every pair has a baseline of its own', async () => {
  const at = world();
  const desks = ['a', 'b'].map((name) => desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 }, at, name }));
  const each = async () => {
    for (const it of desks) expect(await session(it, 0)).toMatchObject({ loss: 0, fall: 0 });
  };
  await each();
  desks[0]?.deposit('1000');
  await each();
  desks[1]?.pay(desks[1].ask('400'));
  await each();
  await each();
});

test('another asset moves nothing', async () => {
  const it = desk({ limits: { maxDailyLoss: 5 } });
  await session(it, 0);
  it.deposit('3', 'BTC');
  expect((await session(it, 0)).loss).toBe(0);
});

test('over midnight the highest equity is moved, and the new day begins with what is there', async () => {
  const it = desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 } });
  await session(it, 0);
  await it.at.scheduler.runUntil(it.at.scheduler.now + DAY_MS);
  it.pay(it.ask('150'));
  expect(await session(it, 0)).toMatchObject({ loss: 0, fall: 0, isFallen: false });
  it.deposit('1000');
  expect(await session(it, 0)).toMatchObject({ loss: 0, fall: 0, isFallen: false });
});

test('a transfer is no P&L of today where no limit but the one on losing round trips notes the day', async () => {
  const it = desk({ limits: { lossPause: { losses: 3, forMs: 60_000 } } });
  expect((await session(it, 0)).dayPnl).toBeCloseTo(0);
  it.deposit('1000');
  it.pay(it.ask('400'));
  expect((await session(it, 0)).dayPnl).toBeCloseTo(0);
});

test('a day that has tripped stays tripped, whatever comes in', async () => {
  const it = desk({ limits: { maxDailyLoss: 0.1 } });
  expect(await session(it, 10)).toMatchObject({ isDayTripped: true });
  it.deposit('1000');
  expect(await session(it, 20)).toMatchObject({ isDayTripped: true, held: 10 });
});

test('the journal of a version that noted no transfers is compared as it is', async () => {
  const it = desk({ limits: { maxDailyLoss: 5 } });
  await session(it, 0);
  const old = new MemoryJournal();
  for (const record of it.journal.records) {
    const { transfers: _, ...rest } = record as Extract<JournalRecord, { kind: 'baseline' }>;
    old.append(rest, 'durable');
  }
  const equity = Number(it.baselines().at(-1)?.equity);
  const next = desk({ limits: { maxDailyLoss: 5 }, journal: old });
  next.deposit('1000');
  const { loss } = await session(next, 0);
  expect(loss).toBeLessThan(-900);
  expect(next.baselines().at(-1)).toMatchObject({ equity: String(equity) });
  // What it notes itself says what its cash included.
  expect(await session(next, 0)).toMatchObject({ loss });
});

test('a transfer that is completed while the cash is read counts once', async () => {
  for (let nth = 1; nth <= 6; nth++) {
    const it = desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 } });
    await session(it, 0);
    let reads = 0;
    const meanwhile = (client: VenueClient) => {
      for (const name of ['deposits', 'balances', 'withdrawals'] as const) {
        const read = client[name].bind(client) as () => Promise<never>;
        const spy: MockInstance<() => Promise<never>> = vi.spyOn(client, name as 'balances');
        spy.mockImplementation(() => {
          if (++reads === nth) it.deposit('100');
          return read();
        });
      }
    };
    const { loss } = await session(it, 0, meanwhile);
    expect({ nth, loss }).toEqual({ nth, loss: 0 });
    expect({ nth, ...(await session(it, 0)) }).toMatchObject({ nth, loss: 0 });
  }
});

test('a transfer that the venue lists twice counts once', async () => {
  const it = desk({ limits: { maxDailyLoss: 5, maxDrawdown: 5 } });
  await session(it, 0);
  it.deposit('1000');
  it.pay(it.ask('400'));
  const twice = (client: VenueClient) => {
    for (const name of ['deposits', 'withdrawals'] as const) {
      const read = client[name].bind(client) as () => Promise<never[]>;
      const spy: MockInstance<() => Promise<never[]>> = vi.spyOn(client, name as 'deposits');
      spy.mockImplementation(async () => (await read()).flatMap((record) => [record, record]));
    }
  };
  expect(await session(it, 0, twice)).toMatchObject({ loss: 0, fall: 0 });
});

test('where the lists cannot be read, a start waits only if an earlier session could', async () => {
  const refuse = (client: VenueClient) =>
    void vi.spyOn(client, 'withdrawals').mockRejectedValue(new Error('no such list'));
  const without = desk({ limits: { maxDailyLoss: 5 } });
  for (let n = 0; n < 2; n++) expect((await session(without, 0, refuse)).loss).toBe(0);
  const it = desk({ limits: { maxDailyLoss: 5 } });
  await session(it, 0);
  it.deposit('1000');
  await expect(session(it, 0, refuse)).rejects.toThrow('no such list');
  expect((await session(it, 0)).loss).toBe(0);
});

/** Balances are compared often, and the gate follows what they hold. */
const FOLLOWS: LedgerPlan = { everyMs: 2_000, maxSuspense: undefined, followsTransfers: true };

/** Lots of 60 USD that an account of 100 000 USD may hold at a leverage of 0.3, within the spread. */
const MOST = 490;

test('after a withdrawal while a session runs, the leverage is judged by what is left', async () => {
  const it = desk({
    limits: { maxLeverage: 0.3, maxDailyLoss: 50_000, maxDrawdown: 50_000 },
    ledger: FOLLOWS,
  });
  const live = await it.start();
  const { core } = live.bot;
  await it.run(10_000);
  expect(core.risk.equity).toBe(100_000);
  it.pay(it.ask('80000'));
  await it.run(30_000);
  expect(core.risk.equity).toBe(20_000);
  it.wish.lots = MOST;
  await it.run(10_000);
  expect(core.engine.position.lots).toBe(0);
  expect(core.reasons.refused.map(({ reason }) => reason)).toEqual(['max-leverage']);
  it.wish.lots = Math.floor(MOST / 5);
  await it.run(10_000);
  expect(core.engine.position.lots).toBe(Math.floor(MOST / 5));
  // The money that left is no loss.
  expect(core.risk.day?.loss).toBeLessThan(50);
  expect(core.risk.drawdown?.fall).toBeLessThan(50);
  await live.stop();
});

test('a deposit while a session runs counts as soon as it is completed', async () => {
  const it = desk({ limits: { maxLeverage: 0.3 }, ledger: FOLLOWS });
  const live = await it.start();
  await it.run(10_000);
  it.deposit('100000');
  it.deposit('2', 'BTC');
  await it.run(30_000);
  expect(live.bot.core.risk.equity).toBe(200_000);
  it.wish.lots = MOST + 100;
  await it.run(10_000);
  expect(live.bot.core.engine.position.lots).toBe(MOST + 100);
  await live.stop();
});

test.each([
  { limits: {}, name: 'that knows no transfers' },
  { limits: { maxDailyLoss: 50_000 }, name: 'that has read the transfers' },
])('a withdrawal is gone for a session $name from when it is asked for, and once', async ({ limits }) => {
  const it = desk({ limits, ledger: FOLLOWS });
  const early = it.ask('1000');
  const live = await it.start();
  const equity = () => live.bot.core.risk.equity;
  await it.run(10_000);
  expect(equity()).toBe(99_000);
  it.pay(early);
  await it.run(30_000);
  expect(equity()).toBe(99_000);
  const late = it.ask('500');
  await it.run(30_000);
  expect(equity()).toBe(98_500);
  it.pay(late);
  await it.run(30_000);
  expect(equity()).toBe(98_500);
  const dropped = it.ask('300');
  await it.run(30_000);
  expect(equity()).toBe(98_200);
  it.drop(dropped);
  await it.run(30_000);
  expect(equity()).toBe(98_500);
  await live.stop();
});

test('a transfer between the read of the cash and the first look at the balances counts', async () => {
  const it = desk({ limits: { maxDailyLoss: 50_000 }, ledger: FOLLOWS });
  const live = await it.start((client) => {
    const read = client.assets.bind(client);
    // The ledger's first look begins with it.
    vi.spyOn(client, 'assets').mockImplementationOnce(() => {
      it.pay(it.ask('80000'));
      return read();
    });
  });
  await it.run(30_000);
  expect(live.bot.core.risk.equity).toBe(20_000);
  await live.stop();
});

test('a replay of a session with a withdrawal refuses the same orders', async () => {
  const it = desk({ limits: {} });
  const strategy = defineStrategy({
    name: 'buys-later',
    create() {
      let first: number | undefined;
      return {
        onTrade({ time }) {
          first ??= time;
          return holdPosition(time - first > 60_000 ? '0.49' : '0');
        },
      };
    },
  });
  const limits = { ...NO_LIMITS, maxLeverage: 0.3 };
  const session = sessionOn(it.at, it.journal, 'watch', 'next', strategy, { limits, ledger: FOLLOWS });
  await session.run(20_000);
  it.pay(it.ask('80000'));
  await session.run(60_000);
  session.stop();
  await session.run(15_000);
  const deeds = session.turns.flatMap(({ did }) => did);
  expect(deeds.some((deed) => deed.includes('max-leverage'))).toBe(true);
  expect(deeds.some((deed) => deed.includes('"POST"'))).toBe(false);
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined });
});
