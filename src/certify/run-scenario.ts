import { tickwright, type VenueProfile } from '../client/profile.js';
import type { OnDoubt } from '../engine/order-desk.js';
import type { Limits } from '../gate/limits.js';
import { isKilled } from '../simulation/world/killed.js';
import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { seededRandom } from '../model/random.js';
import { createVenueClient } from '../client/client.js';
import { openChronicle } from '../runner/open-chronicle.js';
import type { PairProof } from '../runner/stop/stop-proof.js';
import { verifiedStop } from '../runner/stop/verified-stop.js';
import type { Life } from '../simulation/world/life.js';
import type { Drain } from '../simulation/world/scheduler.js';
import { VenueWorld } from '../simulation/world/venue-world.js';
import type { VirtualDisk } from '../simulation/world/virtual-disk.js';
import type { BoundStrategy } from '../strategy/instance.js';
import { BotLife, JOURNAL } from './bot-life.js';
import { FAULT_BOUNDS, faultSetOf } from './fault-set.js';
import { Referee, type RunFigures } from './referee.js';
import type { Breach } from './rule.js';
import type { Scenario } from './scenario.js';
import { watchedStrategy } from './watched-strategy.js';

export interface RunTerms {
  readonly strategy: BoundStrategy;
  readonly market: Market;
  /** Where the price starts, ticks. */
  readonly startTicks: number;
  readonly limits: Limits;
  readonly onDoubt: OnDoubt | undefined;
  readonly scenario: Scenario;
  /** From 1. */
  readonly seed: number;
  /** Resolves when no pending promise can make progress without the clock. */
  readonly drain: Drain;
}

export interface RunEnd {
  readonly scenario: string;
  readonly seed: number;
  readonly faults: string;
  /** At most one of each rule, in the order in which they came. */
  readonly breaches: readonly Breach[];
  readonly figures: RunFigures;
  /** Virtual ms, without the history before the start. */
  readonly ranMs: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** History for warm-ups. */
const HISTORY_MS = 40 * MINUTE_MS;
const ACTIVE_MS = 12 * MINUTE_MS;
/**
 * Time after the last fault by which everything has to be in order: late effects, scans and a breaker take up to this
 * long.
 */
const CALM_MS = 4 * MINUTE_MS;
/** What a supervisor waits. */
const RESTART_MS = 5 * SECOND_MS;
/** Until a fill is known. */
const NOTICE_MS = 30 * SECOND_MS;
const STOP_MS = 5 * MINUTE_MS;
const CASH = '100000';
const ACCOUNT = { name: 'bot', key: 'certify-key', secret: 'certify-secret' } as const;
const EVERY = {
  trades: SECOND_MS,
  ticker: 3 * SECOND_MS,
  position: 5 * SECOND_MS,
  orders: 3 * SECOND_MS,
} as const;
const PROFILE: VenueProfile = { ...tickwright, visibilityLagMs: FAULT_BOUNDS.visibilityMs };

/** A strategy through one scenario with the faults of one seed, from its start to a proven stop. Equal terms, equal end. */
export async function runScenario(terms: RunTerms): Promise<RunEnd> {
  const { scenario, seed } = terms;
  const faultSet = faultSetOf(seed);
  const run = new ScenarioRun(terms);
  await run.run();
  return {
    scenario: scenario.name,
    seed,
    faults: faultSet.name,
    breaches: run.referee.breaches,
    figures: run.referee.figures,
    ranMs: Math.round(run.world.scheduler.now - HISTORY_MS),
  };
}

class ScenarioRun {
  readonly world: VenueWorld;
  readonly referee: Referee;
  readonly #terms: RunTerms;
  readonly #seed: string;
  readonly #disk: VirtualDisk;
  readonly #strategy: BoundStrategy;
  readonly #random;
  readonly #faults;
  #lives = 0;
  #life: Life | undefined;
  #bot: BotLife | undefined;
  #mayStart = true;

  constructor(terms: RunTerms) {
    const { scenario, seed, market, startTicks, limits, drain, strategy } = terms;
    this.#terms = terms;
    this.#seed = `certify/${scenario.name}/${seed}`;
    this.#random = seededRandom(this.#seed);
    const window = { fromMs: HISTORY_MS, untilMs: HISTORY_MS + ACTIVE_MS };
    this.#faults = faultSetOf(seed).faults(this.#random.fork('faults'), window);
    const { everyMs, step } = scenario;
    this.world = new VenueWorld({
      seed: this.#seed,
      drain,
      markets: [{ market, startTicks, everyMs, step }],
      accounts: [{ ...ACCOUNT, deposits: { [market.quote]: CASH } }],
      faults: { seed, rules: this.#faults.rules },
      traceLines: 1,
    });
    this.#disk = this.world.disk('machine');
    this.referee = new Referee({
      world: this.world,
      account: ACCOUNT.name,
      market,
      limits,
      isVenueFair: this.#faults.rules.length === 0,
      mostLots: limits.maxPosition ?? payable(market, startTicks),
    });
    this.#strategy = watchedStrategy(strategy, (what) => this.referee.breach('timers', what));
  }

  async run(): Promise<void> {
    const { scheduler } = this.world;
    const { scenario, market } = this.#terms;
    await scheduler.runUntil(HISTORY_MS);
    this.world.venueNow();
    this.referee.start();
    const street = this.world.street(market.pair);
    for (const { atMs, act } of scenario.moves(this.#random.fork('moves'), ACTIVE_MS)) {
      scheduler.quietly(HISTORY_MS + atMs, () => {
        this.world.venueNow();
        act(street);
      });
    }
    for (const { atMs, death, downMs } of this.#faults.deaths) {
      scheduler.at(HISTORY_MS + atMs, () => this.#die(death, downMs));
    }
    this.#start();
    this.#look();
    await scheduler.runUntil(HISTORY_MS + ACTIVE_MS);
    this.world.heal();
    await scheduler.runUntil(HISTORY_MS + ACTIVE_MS + CALM_MS);
    await this.#judgeCalm();
    await this.#stop();
  }

  #start(): void {
    const { market, limits, onDoubt } = this.#terms;
    this.#lives++;
    const session = `s${this.#lives}`;
    const life: Life = this.world.boot({
      name: `bot-${this.#lives}`,
      disk: this.#disk,
      onUncaught: (error) => {
        if (isKilled(error)) return;
        this.referee.breach('throws', error instanceof Error ? error.message : String(error));
        life.kill();
      },
    });
    const bot = new BotLife({
      life,
      referee: this.referee,
      strategy: this.#strategy,
      market,
      limits,
      onDoubt,
      profile: PROFILE,
      credentials: { apiKey: ACCOUNT.key, apiSecret: ACCOUNT.secret },
      baseUrl: this.world.baseUrl,
      every: EVERY,
      session,
      seed: this.#seed,
    });
    this.#life = life;
    this.#bot = bot;
    bot.begin();
    this.world.scheduler.wake();
  }

  #die(death: 'kill' | 'power', downMs: number): void {
    if (this.#life?.isAlive !== true) return;
    this.referee.begin(undefined);
    this.#life.kill(death);
    const { scheduler } = this.world;
    scheduler.at(scheduler.now + downMs, () => {
      if (this.#mayStart) this.#start();
    });
  }

  #look(): void {
    const { scheduler } = this.world;
    scheduler.at(scheduler.now + SECOND_MS, () => {
      if (!this.#mayStart) return;
      this.referee.look();
      if (this.#bot?.isOver === true && !this.#bot.isBroken) this.#die('kill', RESTART_MS);
      this.#look();
    });
  }

  /** The faults are over since long ago. What has just been filled may not be known yet. */
  async #judgeCalm(): Promise<void> {
    const { scheduler } = this.world;
    const bot = this.#bot;
    if (bot === undefined || bot.isBroken) return;
    const isInOrder = () => this.#bot?.state === 'SYNCED' && this.#believed() === this.#held();
    if (await scheduler.runUntilDone(isInOrder, scheduler.now + NOTICE_MS)) return;
    if (bot.state !== 'SYNCED') this.referee.breach('recovery', `${bot.state}: ${bot.reason}`);
    const { scale } = this.#terms.market.quantityGrid;
    const [believed, held] = [this.#believed(), this.#held()];
    if (believed === undefined || believed === held) return;
    this.referee.breach('books', `it believes to hold ${believed / scale}, the venue says ${held / scale}`);
  }

  #believed(): number | undefined {
    return this.#bot?.bot?.core.engine.position.lots;
  }

  #held(): number {
    this.world.venueNow();
    const { pair } = this.#terms.market;
    return this.world.core.position(this.world.account(ACCOUNT.name), pair).lots;
  }

  /** The session ends, and another process proves that nothing is left. */
  async #stop(): Promise<void> {
    this.#mayStart = false;
    this.referee.begin(undefined);
    // Its own end is only the polite part: the proof is what counts.
    await this.#within(MINUTE_MS, async () => this.#bot?.stop()).catch(() => undefined);
    this.#life?.kill();
    const life = this.world.boot({ name: 'stop', disk: this.#disk });
    const unproven = await this.#within(STOP_MS, async () => {
      const proof = await this.#proof(life);
      return proof.unproven;
    }).catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
    const lots = this.#held();
    const account = this.world.account(ACCOUNT.name);
    const open = account.holdings.get(this.#terms.market.pair)?.workingCount ?? 0;
    const words = unproven === undefined ? 'it did not end' : unproven.join('; ');
    if (lots !== 0 || open !== 0) {
      this.referee.breach('flat-after-stop', `${lots} lots and ${open} orders are left; ${words}`);
    } else if (words !== '') this.referee.breach('flat-after-stop', `it does not prove ${words}`);
    life.kill();
  }

  /** What comes of it in virtual time; `undefined`: nothing by then. */
  async #within<T>(ms: number, work: () => Promise<T>): Promise<T | undefined> {
    const { scheduler } = this.world;
    let ended: Promise<T> | undefined;
    let isOver = false;
    scheduler.at(scheduler.now, () => {
      ended = work().finally(() => {
        isOver = true;
      });
      ended.catch(() => undefined);
    });
    await scheduler.runUntilDone(() => isOver, scheduler.now + ms);
    return isOver ? ended : undefined;
  }

  async #proof(life: Life): Promise<PairProof> {
    const { market, limits } = this.#terms;
    const { clock, timers, files, log, processes, transport } = life;
    const session = 'stop';
    const credentials = { apiKey: ACCOUNT.key, apiSecret: ACCOUNT.secret };
    const random = seededRandom(`${this.#seed}/stop`);
    const api = createVenueClient({
      baseUrl: this.world.baseUrl,
      profile: PROFILE,
      credentials,
      transport,
      clock,
      timers,
      random,
      log,
    });
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
    });
    try {
      return await verifiedStop({
        api,
        profile: PROFILE,
        market,
        chronicle: story.chronicle,
        clock,
        timers,
        log,
        session,
        level: 'flat',
        latches: false,
        all: false,
        slice: limits.maxOrderQuantity,
        deadlineMs: STOP_MS - 30 * SECOND_MS,
        by: 'certify',
        reason: 'the scenario is over',
      });
    } finally {
      await story.close();
    }
  }
}

/** What the whole cash buys, lots. */
function payable({ priceGrid, quantityGrid }: Market, startTicks: number): Lots {
  return Math.floor((Number(CASH) / (startTicks / priceGrid.scale)) * quantityGrid.scale) as Lots;
}
