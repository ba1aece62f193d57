/** The live session of the program in the simulated world, with a journal that outlives it. */
import { vi } from 'vitest';
import { Chronicle } from '../../src/execution/chronicle.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { VenueClient } from '../../src/client/client.js';
import { tickwright } from '../../src/client/profile.js';
import { SILENT } from '../../src/ports/log.js';
import type { RunningBot } from '../../src/runner/bot.js';
import { type LedgerPlan, LiveSession, type SessionWatch } from '../../src/runner/live-session.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import type { StrategyDefinition } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { BTC, clientOf } from '../simulation/world/desk.js';
import type { MemoryJournal } from '../support/restart-desk.js';

export interface Live {
  readonly session: LiveSession;
  readonly bot: RunningBot;
  readonly chronicle: Chronicle;
  stop(): Promise<void>;
}

/** Starts it, and lets time go by until it runs. */
export async function startLive(
  at: VenueWorld,
  journal: MemoryJournal,
  {
    name,
    strategy,
    limits,
    watch,
    wallOffsetMs,
    tellsTime = true,
    api: prepare,
    ledger,
  }: {
    readonly name: string;
    readonly strategy: StrategyDefinition;
    readonly limits: Partial<Limits>;
    readonly watch?: SessionWatch;
    /** How far its own wall clock is ahead. */
    readonly wallOffsetMs?: number | undefined;
    /** False: it asks the venue for its time in vain. */
    readonly tellsTime?: boolean;
    /** Changes what its client does. */
    readonly api?: (client: VenueClient) => void;
    /** Default: its balances are not watched. */
    readonly ledger?: LedgerPlan | undefined;
  },
): Promise<Live> {
  const life = at.boot({ name, disk: at.disk(name), wallOffsetMs });
  const { clock, timers } = life;
  const port = {
    append: (...words: Parameters<MemoryJournal['append']>) => journal.append(...words),
    failure: undefined,
  };
  const chronicle = new Chronicle(port, journal.books());
  const api = clientOf(at, life);
  if (!tellsTime) vi.spyOn(api.clock, 'sync').mockRejectedValue(new Error('no answer'));
  prepare?.(api);
  const session = new LiveSession(
    { api, chronicle, clock, timers, log: SILENT },
    {
      session: name,
      profile: tickwright,
      market: BTC,
      strategy: bindStrategy(strategy),
      limits: { ...NO_LIMITS, ...limits },
      onDoubt: undefined,
      baseline: undefined,
      reserves: [],
      seed: '1',
      every: { trades: 500, ticker: 500, position: 500, orders: 500 },
      warmUpMs: 5_000,
      readsTransfers: true,
      ledger,
      recountsCash: true,
      policy: { firstStart: 'adopt', external: 'quarantine', onQuarantine: 'throw' },
    },
  );
  const bot = await on(at, timers, () =>
    session.start(
      () => watch ?? {},
      (asOf) => watch?.cashRead?.(asOf),
    ),
  );
  return {
    session,
    bot,
    chronicle,
    async stop() {
      await on(at, timers, () => session.stop(10_000));
      life.kill('kill');
    },
  };
}

/** What takes time there, in that time. */
async function on<T>(
  at: VenueWorld,
  timers: { readonly soon: (task: () => void) => unknown },
  work: () => Promise<T>,
): Promise<T> {
  let end: { readonly done: T } | { readonly error: unknown } | undefined;
  timers.soon(() => {
    work().then(
      (done) => (end = { done }),
      (error: unknown) => (end = { error }),
    );
  });
  await at.scheduler.runUntilDone(() => end !== undefined, at.scheduler.now + 600_000);
  if (end === undefined) throw new Error('it does not come to an end');
  if ('error' in end) throw end.error;
  return end.done;
}
