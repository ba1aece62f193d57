import { createVenueClient } from '../client/client.js';
import type { VenueProfile } from '../client/profile.js';
import type { Credentials } from '../client/signer.js';
import type { OnDoubt } from '../engine/order-desk.js';
import type { Limits } from '../gate/limits.js';
import type { Market } from '../model/market.js';
import { seededRandom } from '../model/random.js';
import { VenueError } from '../ports/venue-api.js';
import type { RunningBot } from '../runner/bot.js';
import { LiveSession, type LivePlan } from '../runner/live-session.js';
import { openChronicle } from '../runner/open-chronicle.js';
import { isKilled } from '../simulation/world/killed.js';
import type { Life } from '../simulation/world/life.js';
import type { BoundStrategy } from '../strategy/instance.js';
import { FAULT_BOUNDS } from './fault-set.js';
import type { Referee } from './referee.js';

export interface BotLifeOptions {
  readonly life: Life;
  readonly referee: Referee;
  readonly strategy: BoundStrategy;
  readonly market: Market;
  readonly limits: Limits;
  readonly onDoubt: OnDoubt | undefined;
  readonly profile: VenueProfile;
  readonly credentials: Credentials;
  readonly baseUrl: string;
  /** Time from the start of one poll to the next, ms. */
  readonly every: LivePlan['every'];
  readonly session: string;
  readonly seed: string;
}

/** Path of the journal on the simulated machine, used by the session and by the stop. */
export const JOURNAL = 'state/journal';

const WARM_UP_MS = 3_600_000;
const STOP_MS = 30_000;
const LEDGER_MS = 60_000;

/** One life of a live session, assembled as `start --live` does it, on the ports of a simulated machine. */
export class BotLife {
  readonly #options: BotLifeOptions;
  #live: LiveSession | undefined;
  #bot: RunningBot | undefined;
  #close: (() => Promise<void>) | undefined;
  #isOver = false;
  #isBroken = false;

  constructor(options: BotLifeOptions) {
    this.#options = options;
  }

  get state(): string {
    return this.#live?.state?.state ?? 'BOOT';
  }

  get reason(): string {
    return this.#live?.state?.reason ?? 'it has not started';
  }

  get bot(): RunningBot | undefined {
    return this.#bot;
  }

  /** The session ended by itself: somebody has to start it again, unless it is broken. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Returns at once. */
  begin(): void {
    const { referee } = this.#options;
    this.#run().catch((error: unknown) => {
      if (isKilled(error)) return;
      this.#isOver = true;
      // The venue was unreachable at the start. A supervisor would start the session again, so this is no error.
      if (this.#bot === undefined && error instanceof VenueError) return;
      this.#isBroken = true;
      referee.breach('throws', error instanceof Error ? error.message : String(error));
    });
  }

  /** Ends in order: orders are canceled. */
  async stop(): Promise<void> {
    await this.#live?.stop(STOP_MS);
    await this.#close?.();
  }

  async #run(): Promise<void> {
    const { life, referee, market, profile, session, seed, strategy, limits, every } = this.#options;
    const { clock, timers, files, log, processes, transport } = life;
    const { baseUrl, credentials, onDoubt } = this.#options;
    const random = seededRandom(`${seed}/${session}/client`);
    const api = createVenueClient({ baseUrl, profile, credentials, transport, clock, timers, random, log });
    const story = await openChronicle({
      files,
      timers,
      clock,
      log,
      directory: JOURNAL,
      session,
      engine: 'certified',
      hashes: {},
      processes,
      onRecord: (record) => referee.record(record),
    });
    this.#close = () => story.close();
    const live = new LiveSession(
      { api, chronicle: story.chronicle, clock, timers, log },
      {
        session,
        profile,
        market,
        strategy,
        limits,
        onDoubt,
        baseline: undefined,
        reserves: [],
        seed,
        every,
        warmUpMs: WARM_UP_MS,
        policy: {
          firstStart: 'adopt',
          external: 'quarantine',
          onQuarantine: 'watch',
          staleMs: undefined,
          lateMs: FAULT_BOUNDS.lateMs,
        },
        ledger: { everyMs: LEDGER_MS, maxSuspense: undefined, followsTransfers: true },
      },
    );
    this.#live = live;
    this.#bot = await live.start(() => ({
      input: (_, event) => referee.input(event),
      decision: (_, commands, refusals) => referee.decision(commands, refusals),
    }));
    referee.begin(this.#bot.core);
    await this.#bot.failed;
  }
}
