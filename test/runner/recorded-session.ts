/** A live session in a recorder, in the simulated world, and its replay. */
import { createVenueClient } from '../../src/client/client.js';
import { tickwright } from '../../src/client/profile.js';
import { Chronicle } from '../../src/execution/chronicle.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import { type Log, SILENT } from '../../src/ports/log.js';
import { Recorder } from '../../src/runner/black-box/recorder.js';
import { type RecordedPart, replay } from '../../src/runner/black-box/replay.js';
import { type BoxedPlan, sessionIn } from '../../src/runner/black-box/session-in-box.js';
import type { Turn } from '../../src/runner/black-box/turn.js';
import { TurnDecoder, TurnEncoder } from '../../src/runner/black-box/turn-codec.js';
import type { AccountShare } from '../../src/model/event.js';
import type { Market } from '../../src/model/market.js';
import type { LedgerPlan } from '../../src/runner/live-session.js';
import type { RunningBot } from '../../src/runner/bot.js';
import type { EndOfOrders } from '../../src/runner/session-gateway.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { defineStrategy, type StrategyDefinition } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { drain } from '../simulation/drain.js';
import { ANNA, BTC } from '../simulation/world/desk.js';
import type { MemoryJournal } from '../support/restart-desk.js';
import { opened } from './dead-bot.js';

const DEADLINE_MS = 10_000;

/** The next session on that journal, in a recorder. */
export function sessionOn(
  at: VenueWorld,
  journal: MemoryJournal,
  onQuarantine: 'throw' | 'watch' = 'watch',
  name = 'next',
  strategy: StrategyDefinition = defineStrategy({ name: 'idle', create: () => ({}) }),
  {
    market = BTC,
    limits = NO_LIMITS,
    log = SILENT,
    ledger,
  }: {
    readonly market?: Market;
    readonly limits?: Limits;
    readonly log?: Log;
    readonly ledger?: LedgerPlan;
  } = {},
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
    market,
    strategy: bindStrategy(strategy),
    limits,
    onDoubt: undefined,
    baseline: undefined,
    reserves: [],
    seed: '1',
    every: { trades: 500, ticker: 500, position: 500, orders: 500 },
    warmUpMs: 5_000,
    recountsCash: true,
    policy: { firstStart: 'adopt', external: 'quarantine', onQuarantine },
    readsTransfers: true,
    ledger,
    url: at.baseUrl,
    clientSeed: name,
  };
  const credentials = { apiKey: ANNA.key, apiSecret: ANNA.secret };
  const live = sessionIn(
    box,
    {
      chronicle: new Chronicle(box.journal(opened(journal)), books),
      log,
      clientOn: (ports) =>
        createVenueClient({ ...ports, baseUrl: at.baseUrl, profile: tickwright, credentials }),
    },
    plan,
  );
  let end: unknown;
  let bot: RunningBot | undefined;
  life.timers.soon(() => {
    box
      .start(() => live.start(() => box.observer))
      .then(
        (running) => {
          bot = running;
          end = 'it runs';
        },
        (error: unknown) => (end = error),
      );
  });
  return {
    live,
    strays,
    turns,
    run: (ms: number) => at.scheduler.runUntil(at.scheduler.now + ms),
    end: () => end,
    /** `undefined` before the start has succeeded. */
    core: () => bot?.core,
    abandon: (orders: EndOfOrders) =>
      life.timers.soon(() => {
        const command = { kind: 'abandon', deadlineMs: DEADLINE_MS, orders } as const;
        void box.command(command, () => Promise.resolve(live.abandon(DEADLINE_MS, orders)));
      }),
    others: (share: AccountShare) =>
      life.timers.soon(() => {
        void box.command({ kind: 'others', ...share }, () => Promise.resolve(live.others(share)));
      }),
    stop: (orders?: EndOfOrders) =>
      life.timers.soon(() => {
        const command = {
          kind: 'stop',
          deadlineMs: DEADLINE_MS,
          ...(orders === undefined ? {} : { orders }),
        } as const;
        void box
          .command(command, () => live.stop(DEADLINE_MS, undefined, orders))
          .then((stopped) => (end = stopped));
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
