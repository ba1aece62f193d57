/** A start that is not waited for any more: in the simulated world, against the real venue. */
import { expect, test } from 'vitest';
import { createVenueClient } from '../../src/client/client.js';
import { tickwright } from '../../src/client/profile.js';
import { Chronicle } from '../../src/execution/chronicle.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { SILENT } from '../../src/ports/log.js';
import { Recorder } from '../../src/runner/black-box/recorder.js';
import { type RecordedPart, replay } from '../../src/runner/black-box/replay.js';
import { type BoxedPlan, sessionIn } from '../../src/runner/black-box/session-in-box.js';
import type { Turn } from '../../src/runner/black-box/turn.js';
import { TurnDecoder, TurnEncoder } from '../../src/runner/black-box/turn-codec.js';
import type { EndOfOrders } from '../../src/runner/session-gateway.js';
import { Quarantined } from '../../src/runner/quarantined.js';
import { StartAbandoned } from '../../src/runner/start-abandoned.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { drain } from '../simulation/drain.js';
import { ANNA, BID, BTC, MARKET_BUY, world } from '../simulation/world/desk.js';
import type { MemoryJournal } from '../support/restart-desk.js';
import { botThatDies, opened } from './dead-bot.js';

const DEADLINE_MS = 10_000;
/** What the bot before left: an order. */
const LEFT = { orders: [BID], echo: 'oco', diesAt: 20_000 } as const;

/** The next session on that journal, in a recorder. */
function sessionOn(
  at: VenueWorld,
  journal: MemoryJournal,
  onQuarantine: 'throw' | 'watch' = 'watch',
  name = 'next',
) {
  const life = at.boot({ name, disk: at.disk(name) });
  const turns: Turn[] = [];
  const strays: Error[] = [];
  const box = new Recorder({
    clock: life.clock,
    timers: life.timers,
    transport: life.transport,
    onTurn: (turn) => turns.push(turn),
    onStray: (error) => strays.push(error),
  });
  const books = journal.books();
  const before = structuredClone(books.state());
  const plan: BoxedPlan = {
    session: name,
    profile: tickwright,
    market: BTC,
    strategy: bindStrategy(defineStrategy({ name: 'idle', create: () => ({}) })),
    limits: NO_LIMITS,
    onDoubt: undefined,
    baseline: undefined,
    reserves: [],
    seed: '1',
    every: { trades: 500, ticker: 500, position: 500, orders: 500 },
    warmUpMs: 5_000,
    policy: { firstStart: 'adopt', external: 'quarantine', onQuarantine },
    url: at.baseUrl,
    clientSeed: name,
  };
  const credentials = { apiKey: ANNA.key, apiSecret: ANNA.secret };
  const live = sessionIn(
    box,
    {
      chronicle: new Chronicle(box.journal(opened(journal)), books),
      log: SILENT,
      clientOn: (ports) =>
        createVenueClient({ ...ports, baseUrl: at.baseUrl, profile: tickwright, credentials }),
    },
    plan,
  );
  let end: unknown;
  life.timers.soon(() => {
    box
      .start(() => live.start(() => box.observer))
      .then(
        () => (end = 'it runs'),
        (error: unknown) => (end = error),
      );
  });
  return {
    live,
    strays,
    turns,
    run: (ms: number) => at.scheduler.runUntil(at.scheduler.now + ms),
    end: () => end,
    abandon: (orders: EndOfOrders) =>
      life.timers.soon(() => {
        const command = { kind: 'abandon', deadlineMs: DEADLINE_MS, orders } as const;
        void box.command(command, () => Promise.resolve(live.abandon(DEADLINE_MS, orders)));
      }),
    async replayed() {
      const finished = box.finish();
      await at.scheduler.runUntil(at.scheduler.now + 10);
      await finished;
      // As they come out of a file.
      const [encoder, decoder] = [new TurnEncoder(), new TurnDecoder()];
      const parts = turns.map((each): RecordedPart => {
        const turn = decoder.turn(JSON.parse(encoder.line(each)));
        return { kind: 'turn', where: `turn ${turn.number}`, turn };
      });
      return replay({ plan, books: before, parts, drain });
    },
  };
}

const active = (at: VenueWorld) => at.core.orders(at.account(ANNA.name), 'active').map(({ id }) => id);

function byHand(at: VenueWorld): void {
  const terms = { ...MARKET_BUY, timeInForce: 'IOC' } as const;
  at.core.place(at.account(ANNA.name), { pair: BTC.pair, terms }, at.venueNow());
}

test('one that waits for a person ends in seconds, and what was recorded of it is what is computed again', async () => {
  const at = world();
  const journal = await botThatDies(at, LEFT);
  byHand(at);
  const session = sessionOn(at, journal);
  await session.run(60_000);
  expect(session.live.state?.state).toBe('QUARANTINED');
  expect(session.end()).toBeUndefined();
  session.abandon('cancel');
  await session.run(3_000);
  expect(session.end()).toBeInstanceOf(StartAbandoned);
  expect(session.end()).toMatchObject({ leftOpen: [] });
  expect(active(at)).toEqual([]);
  const journaled = journal.records.length;
  await session.run(60_000);
  expect(journal.records).toHaveLength(journaled);
  expect(session.strays).toEqual([]);
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined, last: { turn: {} } });
});

test.each([
  'cancel',
  'leave',
] as const)('one that is abandoned before it has asked the venue ends too: %s', async (orders) => {
  const at = world();
  const journal = await botThatDies(at, LEFT);
  expect(active(at)).toHaveLength(1);
  const session = sessionOn(at, journal);
  session.abandon(orders);
  await session.run(5_000);
  // What an earlier session left is canceled by every start, in its first moments.
  expect(session.end()).toMatchObject({ leftOpen: [] });
  expect(active(at)).toEqual([]);
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined });
});

test('one that has gone on by then goes on', async () => {
  const at = world();
  const session = sessionOn(at, await botThatDies(at, LEFT));
  await session.run(30_000);
  expect(session.end()).toBe('it runs');
  session.abandon('cancel');
  await session.run(5_000);
  expect(session.live.state?.state).toBe('SYNCED');
  expect(await session.replayed()).toMatchObject({ firstDifference: undefined });
});

test('one that a person has to look at first cancels what was left, ends at once, and nothing goes on behind it', async () => {
  const at = world();
  const journal = await botThatDies(at, LEFT);
  byHand(at);
  const finds = sessionOn(at, journal, 'throw', 'finds');
  await finds.run(60_000);
  expect(finds.end()).toBeInstanceOf(Quarantined);
  expect(finds.end()).toMatchObject({ pair: BTC.pair, leftOpen: [] });
  expect(active(at)).toEqual([]);
  expect(await finds.replayed()).toMatchObject({ firstDifference: undefined });

  const knows = sessionOn(at, journal, 'throw', 'knows');
  await knows.run(1_000);
  expect(knows.end()).toBeInstanceOf(Quarantined);
  const [turns, records] = [knows.turns.length, journal.records.length];
  await knows.run(60_000);
  expect([knows.turns.length, journal.records.length]).toEqual([turns, records]);
  expect(await knows.replayed()).toMatchObject({ firstDifference: undefined });
});
