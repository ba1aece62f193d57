/** A session with a real engine and gate whose venue is a test: for the daemon's own work around it. */
import type { Holding } from '../../src/daemon/account-shares.js';
import { Engine } from '../../src/engine/engine.js';
import type { DaemonSession, SessionStanding } from '../../src/daemon/daemon-session.js';
import type { DaemonEntry } from '../../src/daemon/daemon-entry.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { BookedBaseline } from '../../src/execution/books-state.js';
import type { ForeignActivity } from '../../src/execution/pair-evidence.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { Halt } from '../../src/model/halt-level.js';
import type { Market } from '../../src/model/market.js';
import type { FeedEvent } from '../../src/ports/feed.js';
import type { BreakerHealth } from '../../src/ports/venue-api.js';
import type { LedgerStatus } from '../../src/runner/ledger-watch.js';
import type { RestingStop } from '../../src/runner/resting-stop.js';
import type { NotedByOthers } from '../../src/runner/inherited-baseline.js';
import type { OpenOrderText } from '../../src/runner/session-gateway.js';
import { StartAbandoned } from '../../src/runner/start-abandoned.js';
import { SessionCore, type SessionOptions } from '../../src/session/session-core.js';
import { defineStrategy, type Handlers } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { BTC } from '../support/markets.js';

const CLOSED: BreakerHealth = { state: 'closed', reason: undefined };

export class SessionDouble {
  readonly calls: string[] = [];
  orderBreaker: BreakerHealth = CLOSED;
  /** Why its journal cannot be written. */
  unwritten: string | undefined;
  /** Why its capture has stopped. */
  unrecorded: string | undefined;
  /** Of the others of its account, and whether that keeps risk back. */
  readonly told: string[] = [];
  /** What the venue says of the pair; without it that cannot be asked. */
  holding: Holding | undefined;
  readonly core: SessionCore;
  standing: SessionStanding = { state: 'SYNCED', permission: 'all', reason: 'agreed' };
  leftOpen: readonly string[] = [];
  /** Of an end that keeps stops: what it keeps. */
  stops: readonly RestingStop[] = [];
  /** Stops that an end cancels. */
  canceledStops: readonly string[] = [];
  /** What it finds of earlier sessions. */
  leftStops: readonly RestingStop[] = [];
  halts: readonly Halt[] = [];
  foreign: ForeignActivity | undefined;
  ledger: LedgerStatus | undefined;
  noted: BookedBaseline | undefined;
  /** Which of its polls was never handled. */
  awaits: string | undefined;
  /** Monotonic ms at which the newest answer to a trades poll was handled. */
  tapeReadAt: number | undefined;
  /** Replaces the feed that the fields above describe. */
  feed: DaemonSession['feed'] | undefined;
  open: readonly OpenOrderText[] = [];
  booked: Lots | undefined;
  /** Venue ms at which a start reads the account's cash. */
  cashAsOf = 0;
  /** A start goes to the venue after it. */
  connected: Promise<unknown> | undefined;
  /** A stop is over after it. */
  canceled: Promise<unknown> | undefined;
  /** A start that is abandoned is over after it. */
  abandoned: Promise<unknown> | undefined;
  /** While set, a start stands there, and goes no further. */
  waits: SessionStanding | undefined;
  /** The next starts fail with these. */
  readonly refusals: Error[] = [];
  fail: (error: Error) => void = () => undefined;
  failsToResume: Error | undefined;
  /** `in vain`: a resume is not in its journal when the next session begins. */
  resumes: 'in time' | 'in vain' = 'in time';
  /** The next session fails with it as soon as it has begun. */
  failsAtOnce: Error | undefined;
  /** Ends what a start waits for; with a refusal, the start too. */
  arrive: (refusal?: Error) => void = () => undefined;
  readonly #market: Market;

  constructor(
    market: Market = BTC,
    {
      warmUp = false,
      limits = NO_LIMITS,
      baseline,
      create = () => ({}),
    }: Partial<Pick<SessionOptions, 'warmUp' | 'limits' | 'baseline'>> & {
      readonly create?: () => Handlers;
    } = {},
  ) {
    this.#market = market;
    const definition = defineStrategy({ name: 'scripted', create });
    this.core = new SessionCore({
      engine: new Engine({ strategy: bindStrategy(definition), market, seed: '1', warmUp }),
      limits,
      baseline,
      warmUp,
      funds: 1_000,
      sink: { send: () => undefined },
    });
  }

  get entry(): DaemonEntry {
    return {
      pair: this.#market.pair,
      strategy: 'scripted',
      params: { size: '1' },
      sha256: 'a'.repeat(64),
      held: () => {
        const { holding } = this;
        return holding === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(holding);
      },
      open: async (watch) => {
        const refusal = this.refusals.shift();
        if (refusal !== undefined) throw refusal;
        this.calls.push('open');
        this.#watch = watch;
        this.heard = watch.noted?.(this.#market.quote);
        watch.cashRead?.(this.cashAsOf);
        await this.connected;
        const waits = this.waits !== undefined;
        const waited = new Promise<void>((resolve, reject) => {
          this.arrive = (late) => (late === undefined || !waits ? resolve() : reject(late));
        });
        watch.starting?.({
          standing: () => this.waits,
          openOrders: () => undefined,
          leftStops: () => undefined,
          abandon: (orders) => {
            this.calls.push(`abandon ${orders}`);
            const kept = orders === 'keep-stops' ? this.stops : [];
            const over = new StartAbandoned(this.#market.pair, { leftOpen: this.leftOpen, keptStops: kept });
            if (this.abandoned === undefined) this.arrive(over);
            else void this.abandoned.then(() => this.arrive(over));
          },
        });
        if (waits) await waited;
        return this.#session();
      },
    };
  }

  /** From which equities the others of its account count, as it was told when it began. */
  heard: NotedByOthers | undefined;

  #watch: Parameters<DaemonEntry['open']>[0] = {};

  /** A trade comes in. */
  trade(time: number, price: number, quantity = 1): void {
    const trade = { id: String(time), time, price, quantity, isBuyerMaker: false };
    this.hears({ kind: 'trade', trade, receivedAt: time });
  }

  /** Its feed gives it an event. */
  hears(event: FeedEvent): void {
    this.#watch.input?.(1, event);
    this.core.input(event);
  }

  /** Its warm-up is over. */
  live(time: number): void {
    this.hears({ kind: 'live', time });
  }

  /** Pays a fee of so many units, and holds what it held before. */
  pays(time: number, fee: bigint): void {
    for (const side of ['buy', 'sell'] as const) {
      const id = `${this.#market.pair}-${time}-${side}`;
      const terms = { side, lots: 1 as Lots, ticks: 1 as Ticks, liquidity: 'taker' } as const;
      const fill = { id, orderId: id, time, ...terms, fee: side === 'buy' ? fee : 0n };
      const report = { kind: 'late-fill', intentId: undefined, fill, time } as const;
      this.#watch.input?.(1, { kind: 'report', report });
      this.core.input({ kind: 'report', report });
    }
  }

  /** The venue states the funding of a position of so many lots, quote units. */
  funded(time: number, lots: number, funding: number): void {
    const facts = { lots: lots as Lots, averageEntry: 1, liquidationPrice: undefined };
    this.hears({ kind: 'position', position: { time, ...facts, funding } });
  }

  /** Has bought so many lots at a price, without a fee. */
  holds(lots: number, ticks: number): void {
    const terms = { side: 'buy', lots: lots as Lots, ticks: ticks as Ticks, liquidity: 'taker' } as const;
    const fill = { id: `held-${lots}`, orderId: 'held', time: 1, ...terms, fee: 0n };
    this.core.input({ kind: 'report', report: { kind: 'late-fill', intentId: undefined, fill, time: 1 } });
  }

  #session(): DaemonSession {
    const failed = new Promise<never>((_, reject) => {
      this.fail = reject;
    });
    failed.catch(() => undefined);
    if (this.failsAtOnce !== undefined) this.fail(this.failsAtOnce);
    this.failsAtOnce = undefined;
    const awaits = () => this.awaits;
    const tapeReadAt = () => this.tapeReadAt;
    return {
      core: this.core,
      feed: this.feed ?? {
        stats: {} as never,
        guards: () => ({ dataAsOf: 0, reason: undefined }),
        get awaits() {
          return awaits();
        },
        get tapeReadAt() {
          return tapeReadAt();
        },
      },
      way: () => ({
        clock: {
          now: () => 0,
          reached: () => 0,
          earliest: () => 0,
          glance: () => ({ now: 0, reached: 0 }),
          answered: () => 0,
          steadyRate: () => 1,
          sync: () => Promise.resolve(),
        },
        requestsPerSecond: 5,
        health: {
          breakers: { public: CLOSED, privateRead: CLOSED, order: this.orderBreaker },
          requestsPerSecond: 5,
        },
      }),
      standing: () => this.standing,
      openOrders: () => this.open,
      booked: () => this.booked,
      leftStops: () => this.leftStops,
      doubts: () => 0,
      unwritten: () => this.unwritten,
      unrecorded: () => this.unrecorded,
      foreign: () => this.foreign,
      ledger: () => this.ledger,
      noted: () => this.noted,
      halts: () => this.halts,
      halt: (level, reason, by) => {
        this.calls.push(`halt ${level} ${reason} ${by}`);
        this.halts = [...this.halts, { level, reason, by }];
      },
      resume: (reason, by) => {
        if (this.failsToResume !== undefined) throw this.failsToResume;
        this.calls.push(`resume ${reason} ${by}`);
        if (this.resumes === 'in time') {
          this.core.input({ kind: 'resumed', time: this.core.engine.now });
          this.halts = [];
        }
      },
      block: (reason) => void this.told.push(`block ${reason ?? 'nothing'}`),
      others: (share) => {
        const { notional, openOrders, pnl } = share;
        this.told.push(`others ${notional} ${openOrders} ${pnl}`);
        this.core.input({ kind: 'others', time: this.core.engine.now, ...share });
      },
      failed,
      stop: async (orders) => {
        this.calls.push(`stop ${orders ?? 'cancel'}`);
        await this.canceled;
        return {
          leftOpen: this.leftOpen,
          keptStops: orders === 'keep-stops' ? this.stops : [],
          canceledStops: this.canceledStops,
        };
      },
    };
  }
}
