/** The world of protocol T: the book venue, its street, the network, and one machine at its other end. */
import { createVenueClient, type VenueClient } from '../../src/client/client.js';
import { tickwright } from '../../src/client/profile.js';
import { defineMarket, type Market } from '../../src/model/market.js';
import { seededRandom } from '../../src/model/random.js';
import { GroundTruth } from '../../src/simulation/world/ground-truth.js';
import { Life } from '../../src/simulation/world/life.js';
import { Scheduler } from '../../src/simulation/world/scheduler.js';
import { Trace } from '../../src/simulation/world/trace.js';
import { VirtualDisk } from '../../src/simulation/world/virtual-disk.js';
import { VirtualNetwork } from '../../src/simulation/world/virtual-network.js';
import { assetsOf } from '../../src/venue/catalogue.js';
import { VenueCore } from '../../src/venue/core/venue-core.js';
import { venueApp } from '../../src/venue/http/venue-app.js';
import { drain } from '../simulation/drain.js';
import { CoverageMarket } from './coverage-market.js';

export const MARKET: Market = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  icebergs: { min: '0.001', max: '100', step: '0.001' },
  interest: { min: '0', max: '5', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006', liquidation: '0.003' },
});
export const PROFILE = { referencePrice: 60_000, dailyVolatility: 0.03 };
export const CAPITAL = '100000';
export const START_TIME = Date.UTC(2026, 0, 5);
/** The street trades alone for so long before anybody comes. */
export const BEFORE_MS = 60_000;

const ORIGIN = 'http://venue.invalid';
const BOT = { name: 'bot', key: 'bot-key', secret: 'bot-secret' };
const KEPT_TRADES = 100_000;

/** Everything outside the bot, from one seed; the same street whoever is there. */
export class CoverageWorld {
  readonly scheduler = new Scheduler({ drain });
  readonly core: VenueCore;
  readonly market: CoverageMarket;
  readonly life: Life;
  readonly baseUrl = ORIGIN;
  readonly credentials = { apiKey: BOT.key, apiSecret: BOT.secret };
  /** Of the newest print, quote units. */
  lastPrice = Number.NaN;
  /** Venue times at which GET of a path was answered, ms. */
  readonly served = new Map<string, number[]>();
  readonly #seed: string;
  readonly #catchUp: () => number;

  constructor(seed: string) {
    this.#seed = seed;
    const random = seededRandom(`${seed}/world`);
    const trace = new Trace({});
    this.core = new VenueCore({
      markets: [{ market: MARKET, prices: 'index', keepTrades: KEPT_TRADES }],
      assets: assetsOf([MARKET]),
      insurance: { USD: '1000000' },
    });
    this.core.onTrade((_, { price }) => {
      this.lastPrice = price;
    });
    this.core.openAccount(BOT.name, { USD: CAPITAL });
    this.market = new CoverageMarket({
      core: this.core,
      market: MARKET,
      profile: PROFILE,
      seed: `${seed}/street`,
      startTime: START_TIME - BEFORE_MS,
    });
    this.market.advanceTo(START_TIME);
    const app = venueApp({
      core: this.core,
      drivers: [this.market],
      clock: { wall: () => START_TIME + this.scheduler.now, monotonic: () => this.scheduler.now },
      accounts: [{ key: BOT.key, secret: BOT.secret, account: BOT.name }],
    });
    this.#catchUp = () => app.host.catchUp();
    const network = new VirtualNetwork(
      {
        scheduler: this.scheduler,
        trace,
        random: random.fork('network'),
        truth: new GroundTruth(),
        origin: ORIGIN,
        venue: {
          now: () => app.host.clock.now(),
          execute: (request) => {
            const answer = app.handle(request);
            if (request.method === 'GET') this.#note(request.path, app.host.clock.now());
            return { answer, own: answer };
          },
          faulty: undefined,
          headers: () => app.headers(),
          accountOf: (key) => (key === BOT.key ? BOT.name : undefined),
        },
      },
      { upMs: [5, 30], downMs: [5, 30] },
    );
    this.life = new Life(
      { name: BOT.name, disk: new VirtualDisk({ random: random.fork('disk') }) },
      {
        scheduler: this.scheduler,
        trace,
        random: random.fork('life'),
        worldStart: START_TIME,
        connect: (user) => network.transport(user),
        isAlive: () => false,
      },
    );
  }

  #note(path: string, time: number): void {
    const times = this.served.get(path);
    if (times === undefined) this.served.set(path, [time]);
    else times.push(time);
  }

  /** Of the machine: signed requests over HTTP on the virtual network. */
  client(): VenueClient {
    const { transport, clock, timers, log } = this.life;
    return createVenueClient({
      baseUrl: ORIGIN,
      profile: tickwright,
      credentials: this.credentials,
      transport,
      clock,
      timers,
      random: seededRandom(`${this.#seed}/client`),
      log,
    });
  }

  /** The bot's account, as the venue has it. */
  get account() {
    this.#catchUp();
    const account = this.core.account(BOT.name);
    if (account === undefined) throw new Error('the bot must have an account');
    return account;
  }

  /** Exogenous: the same at the same time whoever trades. Quote units, on the tick. */
  get fairPrice(): number {
    this.#catchUp();
    const { tickSize } = MARKET.filters.price;
    const { scale } = MARKET.priceGrid;
    return (Math.round(((this.market.path.at(-1) as number) * scale) / tickSize) * tickSize) / scale;
  }

  /** Everything up to venue time START_TIME + ms happens. */
  async runFor(ms: number): Promise<void> {
    await this.scheduler.runUntil(ms);
    this.#catchUp();
  }
}
