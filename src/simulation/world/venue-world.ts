import type { DecimalSource } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { FaultPlanTerms } from '../../model/fault-rule.js';
import { seededRandom } from '../../model/random.js';
import { assetsOf } from '../../venue/catalogue.js';
import type { Account, CoreOrder } from '../../venue/core/account.js';
import { VenueCore } from '../../venue/core/venue-core.js';
import type { Fate } from '../../venue/faults/fate.js';
import type { FaultPlan } from '../../venue/faults/fault-plan.js';
import { FaultyVenue } from '../../venue/http/faulty-venue.js';
import { type VenueApp, venueApp } from '../../venue/http/venue-app.js';
import type { WireAnswer, WireRequest } from '../../venue/http/wire.js';
import type { ConnectDecision } from './connect-rules.js';
import { GroundTruth } from './ground-truth.js';
import { Life, type LifeOptions } from './life.js';
import { LightStreet, type WorldMarket } from './light-street.js';
import { type Drain, Scheduler } from './scheduler.js';
import { Trace } from './trace.js';
import { VirtualDisk, type VirtualDiskOptions } from './virtual-disk.js';
import { type NetworkOptions, VirtualNetwork } from './virtual-network.js';

export interface WorldAccount {
  readonly name: string;
  readonly key: string;
  readonly secret: string;
  /** Amounts by asset; default: 100 000 of each quote asset. */
  readonly deposits?: Readonly<Record<string, DecimalSource>> | undefined;
}

export interface VenueWorldOptions {
  readonly seed: string | number;
  readonly drain: Drain;
  readonly markets: readonly WorldMarket[];
  readonly accounts: readonly WorldAccount[];
  /** Venue time at which the world begins, whole ms; default 1 700 000 000 000. */
  readonly startTime?: number | undefined;
  /** The faults between the venue and its clients; default: none. */
  readonly faults?: FaultPlanTerms | undefined;
  readonly network?: NetworkOptions | undefined;
  /** Requests per second for each key; default: no limit. */
  readonly rateLimit?: number | undefined;
  /** The most items that a list returns; default 1 000. */
  readonly maxLimit?: number | undefined;
  /** Whether there are index prices, funding and liquidation (`money.md` §2, §7, §8); default true. */
  readonly indexed?: boolean | undefined;
  /** Number of trace entries that are kept as text; default 200. */
  readonly traceLines?: number | undefined;
}

const START_TIME = 1_700_000_000_000;
const CASH = '100000';
const INSURANCE = '1000000';
const KEPT_TRADES = 20_000;
/** How often the venue's past is recorded for stale reads if something has happened, ms. */
const REMEMBER_MS = 1_000;
const ORIGIN = 'http://venue.invalid';

/**
 * Venue, network and time: everything outside of the processes under test, from one seed. The venue needs no events of
 * its own: it catches up with the current time whenever somebody looks.
 */
export class VenueWorld {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly truth = new GroundTruth();
  readonly core: VenueCore;
  /** The venue without faults and network; `app.probe` reads it. */
  readonly app: VenueApp;
  /** The URL under which clients reach the venue. */
  readonly baseUrl = ORIGIN;
  readonly #startTime: number;
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #network: VirtualNetwork;
  readonly #faulty: FaultyVenue | undefined;
  readonly #streets: ReadonlyMap<string, LightStreet>;
  readonly #clients: ReadonlySet<string>;
  readonly #lives: Life[] = [];

  constructor(options: VenueWorldOptions) {
    const { markets, accounts, startTime = START_TIME, faults: terms } = options;
    this.trace = new Trace({ remembered: options.traceLines });
    this.scheduler = new Scheduler({ drain: options.drain });
    this.#startTime = startTime;
    this.#random = seededRandom(options.seed).fork('world');
    const quotes = markets.map(({ market }) => market.quote);
    const prices = options.indexed === false ? 'last-trade' : 'index';
    this.core = new VenueCore({
      markets: markets.map(({ market }) => ({ market, prices, keepTrades: KEPT_TRADES })),
      assets: assetsOf(markets.map(({ market }) => market)),
      insurance: amountOfEach(quotes, INSURANCE),
    });
    this.#clients = new Set(accounts.map(({ name }) => name));
    for (const { name, deposits } of accounts) {
      this.core.openAccount(name, deposits ?? amountOfEach(quotes, CASH));
    }
    const streets = markets.map(
      (each) => new LightStreet({ ...each, core: this.core, seed: `${options.seed}/street`, startTime }),
    );
    this.#streets = new Map(streets.map((street) => [street.pair, street]));
    const keys = accounts.map(({ name, key, secret }) => ({ key, secret, account: name }));
    this.app = venueApp({
      core: this.core,
      drivers: streets,
      clock: { wall: () => startTime + this.scheduler.now, monotonic: () => this.scheduler.now },
      accounts: keys,
      maxLimit: options.maxLimit,
      rateLimit: options.rateLimit,
    });
    const observed = observedApp(this.app);
    if (terms !== undefined) {
      this.#faulty = new FaultyVenue({ terms, venue: observed, core: this.core, accounts: keys });
      if (terms.rules.some(({ effect }) => effect.kind === 'stale-read')) this.#rememberOften();
    }
    const names = new Map(keys.map(({ key, account }) => [key, account]));
    const faulty = this.#faulty;
    this.#network = new VirtualNetwork(
      {
        scheduler: this.scheduler,
        trace: this.trace,
        random: this.#random.fork('network'),
        truth: this.truth,
        origin: ORIGIN,
        venue: {
          now: () => this.app.host.clock.now(),
          execute: (request: WireRequest, fate: Fate | undefined) => {
            const answer = faulty === undefined ? observed.handle(request) : faulty.execute(request, fate);
            return { answer, own: observed.latest() };
          },
          faulty,
          headers: () => this.app.headers(),
          accountOf: (key) => names.get(key),
        },
      },
      options.network,
    );
  }

  /** The fault plan; `undefined` without one. */
  get faults(): FaultPlan | undefined {
    return this.#faulty?.plan;
  }

  get connectDecisions(): readonly ConnectDecision[] {
    return this.#network.connectDecisions;
  }

  /** All processes so far, in the order in which they were started. */
  get lives(): readonly Life[] {
    return this.#lives;
  }

  /** Venue time, whole ms. Everything that is due at the venue by then has happened. */
  venueNow(): number {
    return this.app.host.catchUp();
  }

  account(name: string): Account {
    const account = this.core.account(name);
    if (account === undefined) throw new UsageError('TICKWRIGHT_E_ACCOUNT', `no such account: ${name}`);
    return account;
  }

  street(pair: string): LightStreet {
    const street = this.#streets.get(pair);
    if (street === undefined) throw new UsageError('TICKWRIGHT_E_PAIR', `no such market: ${pair}`);
    return street;
  }

  /** An empty disk with a random stream of its own. `name` it after its machine. */
  disk(name: string, options: Omit<VirtualDiskOptions, 'random'> = {}): VirtualDisk {
    return new VirtualDisk({ ...options, random: this.#random.fork(`disk ${name}`) });
  }

  /** Starts a process. */
  boot(options: LifeOptions): Life {
    if (this.#lives.some(({ name }) => name === options.name)) {
      throw new UsageError(
        'TICKWRIGHT_E_LIFE',
        `each life must have a name of its own, received ${options.name} twice`,
      );
    }
    const life = new Life(options, {
      scheduler: this.scheduler,
      trace: this.trace,
      random: this.#random.fork(`life ${options.name}`),
      worldStart: this.#startTime,
      connect: (user) => this.#network.transport(user),
      isAlive: (other) => this.#lives.some(({ name, isAlive }) => isAlive && name === other),
    });
    this.#lives.push(life);
    return life;
  }

  /** Calls the listener when a fault strikes a request, with `connect-…` or the name of its rule. */
  onFault(listener: (name: string) => void): void {
    this.#network.onFault(listener);
  }

  /** Ends all faults, of the plan and of connections; what was decided before still happens. */
  heal(): void {
    this.#network.heal();
  }

  /** Records the venue's past after changes, so that stale reads show it with a resolution of one second. */
  #rememberOften(): void {
    const { scheduler } = this;
    let hasTraded = true;
    let hasChanged = true;
    const next = () => {
      this.venueNow();
      if (hasTraded) this.#faulty?.remember(hasChanged ? 'anything' : 'market-moved');
      hasTraded = false;
      hasChanged = false;
      // Until the street moves again, only clients can change anything.
      const moves = [...this.#streets.values()].map(({ nextTime }) => nextTime - this.#startTime);
      plan(Math.max(REMEMBER_MS, Math.min(...moves) - scheduler.now));
    };
    let planned = {
      at: scheduler.now + REMEMBER_MS,
      event: scheduler.quietly(scheduler.now + REMEMBER_MS, next),
    };
    const plan = (ms: number) => {
      planned.event.cancel();
      const at = scheduler.now + ms;
      planned = { at, event: scheduler.quietly(at, next) };
    };
    const traded = () => {
      hasTraded = true;
      if (planned.at > scheduler.now + REMEMBER_MS) plan(REMEMBER_MS);
    };
    const note = ({ account }: CoreOrder) => {
      if (this.#clients.has(account.name)) hasChanged = true;
      traded();
    };
    this.core.onTrade(traded);
    this.core.onDone(note);
    this.core.onFill(note);
  }
}

function amountOfEach(assets: readonly string[], amount: string): Readonly<Record<string, string>> {
  return Object.fromEntries(assets.map((asset) => [asset, amount]));
}

/** The app, and its latest answer before faults change it. */
function observedApp(app: VenueApp): VenueApp & { readonly latest: () => WireAnswer } {
  let latest: WireAnswer = { status: 0, body: '', headers: {} };
  const handle = (request: WireRequest) => {
    latest = app.handle(request);
    return latest;
  };
  return { ...app, handle, latest: () => latest };
}
