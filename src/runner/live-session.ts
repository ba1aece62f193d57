/** A live session on its ports: what `run --live` starts, and what `replay` lives through again. */
import { FALL_BY, fallReason } from '../gate/drawdown.js';
import type { VenueClient } from '../client/client.js';
import type { VenueProfile } from '../client/profile.js';
import type { OnDoubt } from '../engine/order-desk.js';
import type { Chronicle } from '../execution/chronicle.js';
import type { ForeignActivity } from '../execution/pair-evidence.js';
import type { PairReport } from '../execution/pair-watch.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import type { Reserve } from '../gate/exposure.js';
import type { Limits } from '../gate/limits.js';
import type { SentOrder } from '../gate/pace.js';
import type { AccountShare } from '../model/event.js';
import { InvariantError } from '../model/errors.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { SessionObserver } from '../session/session-core.js';
import type { BoundStrategy } from '../strategy/instance.js';
import { type BotEnd, type BotPlan, type BotPorts, type RunningBot, startBot } from './bot.js';
import { historyOf } from './history.js';
import { type LedgerStatus, LedgerWatch, type LedgerWatchOptions } from './ledger-watch.js';
import { type LiveGateway, liveGateway, type LiveGatewayOptions } from './live-gateway.js';
import type { EndOfOrders, OpenOrderText } from './session-gateway.js';
import { cashIn, type StartingCash } from './starting-cash.js';

export interface LivePorts extends BotPorts {
  readonly api: VenueClient;
  readonly chronicle: Chronicle;
}

export interface LivePlan {
  /** Unique among the sessions of the account. */
  readonly session: string;
  readonly profile: VenueProfile;
  readonly market: Market;
  readonly strategy: BoundStrategy;
  readonly limits: Limits;
  readonly onDoubt: OnDoubt | undefined;
  /** What the plan says of the day, and of orders that were given up, besides what the journal says. */
  readonly baseline: DayBaseline | undefined;
  readonly reserves: readonly Reserve[];
  readonly seed: string;
  /** Start to start of each poll, ms. */
  readonly every: BotPlan['every'] & { readonly orders: number };
  readonly warmUpMs: number;
  readonly policy: LivePolicy;
  /** Default: nobody watches the account's money. */
  readonly ledger?: LedgerPlan | undefined;
}

export type LedgerPlan = Pick<LedgerWatchOptions, 'everyMs' | 'maxSuspense'>;

export type LivePolicy = Pick<
  LiveGatewayOptions,
  'firstStart' | 'external' | 'onQuarantine' | 'staleMs' | 'lateMs'
>;

/** For the last look at the account's money, when own orders are gone. */
const LAST_CUT_MS = 3_000;

/** What engine and gate start with, known once the venue has been asked. */
export interface LiveBeginning {
  readonly cash: StartingCash | undefined;
  readonly baseline: DayBaseline | undefined;
  readonly reserves: readonly Reserve[];
  readonly sent: readonly SentOrder[];
}

/** Who watches a session of an account that has several. */
export interface SessionWatch extends SessionObserver {
  /** The account's cash was read at this venue ms, −Infinity where it is not known: the session counts from it. */
  cashRead?(asOf: number): void;
  /** Its start goes to the venue. */
  starting?(start: StartUnderWay): void;
}

/** A start of a session that goes to the venue, until there is one. */
export interface StartUnderWay {
  /** Where it stands there, to be asked at any time. */
  standing(): Omit<PairReport, 'pair'> | undefined;
  /** Own orders that may be at the venue, as far as its books know; `undefined` before they were opened. */
  openOrders(): readonly OpenOrderText[] | undefined;
  /** It waits no longer: own orders are canceled or left, and it rejects with `StartAbandoned`, if it has not gone on by then. */
  abandon(orders: EndOfOrders): void;
}

/** Who else watches; asked when the strategy is about to see data. */
export type Watch = (beginning: LiveBeginning) => SessionObserver | Promise<SessionObserver>;

export class LiveSession {
  readonly #ports: LivePorts;
  readonly #plan: LivePlan;
  #gateway: LiveGateway | undefined;
  #bot: RunningBot | undefined;
  #ledger: LedgerWatch | undefined;
  #blocked: string | undefined;
  #abandoned: Parameters<LiveGateway['abandon']> | undefined;

  constructor(ports: LivePorts, plan: LivePlan) {
    this.#ports = ports;
    this.#plan = plan;
  }

  /**
   * Once. `onCash`: the account's cash was read, as of this venue ms; −Infinity where the venue does not tell its time.
   *
   * @throws what the venue, the books or an operator's absence make impossible
   */
  async start(watch?: Watch, onCash?: (asOf: number) => void): Promise<RunningBot> {
    const { api, chronicle } = this.#ports;
    const { market, limits, session, profile, every, policy } = this.#plan;
    const venueTime = await this.#venueTime();
    const cash = cashIn(await api.balances(), market.quote);
    // Our own clock may be ahead: what others lose from now on would be taken to be in that cash.
    onCash?.(venueTime ?? Number.NEGATIVE_INFINITY);
    this.#bot = await startBot(this.#ports, {
      ...this.#plan,
      ...cash,
      api,
      funds: cash?.funds,
      begin: async () => {
        const known = historyOf(chronicle, market.pair, venueTime);
        const baseline = this.#plan.baseline ?? known.baseline;
        const reserves = [...this.#plan.reserves, ...known.reserves];
        const { sent } = known;
        const observer = await watch?.({ cash, baseline, reserves, sent });
        this.#ledger?.start();
        this.#latchFall();
        return { baseline, reserves, sent, observer: this.#noting(observer) };
      },
      gateway: (data) => {
        const gateway = liveGateway({
          ...this.#ports,
          ...policy,
          profile,
          market,
          session,
          watchEveryMs: every.orders,
          eventsEveryMs: Math.max(every.orders, every.trades),
          earlier: historyOf(chronicle, market.pair, venueTime).earlier,
          limits,
          data,
          stops: [() => this.#blocked, () => this.#ledger?.reason()],
        });
        this.#gateway = gateway;
        if (this.#abandoned !== undefined) gateway.abandon(...this.#abandoned);
        this.#ledger = this.#ledgerOn(gateway);
        return gateway;
      },
    }).catch((error: unknown) => {
      this.#ledger?.stop();
      throw error;
    });
    return this.#bot;
  }

  /** By the venue's own word; `undefined` where it does not tell. */
  async #venueTime(): Promise<number | undefined> {
    const { api, log } = this.#ports;
    try {
      await api.clock.sync();
      return api.clock.now();
    } catch (error) {
      const { pair } = this.#plan.market;
      log.warn('the venue does not tell its time', { pair, error: String(error) });
      return undefined;
    }
  }

  /** Also before the start: then the start finds it in the books. */
  halt(level: HaltLevel, reason: string, by: string): void {
    const { chronicle, clock } = this.#ports;
    const execution = this.#gateway?.execution;
    if (execution !== undefined) execution.halt(level, reason, by);
    else chronicle.note({ kind: 'halt', level, reason, by, wall: clock.wall() }, 'durable');
  }

  /** Ends what was halted, whoever did. */
  resume(reason: string, by: string): void {
    const { chronicle, clock } = this.#ports;
    const core = this.#bot?.core;
    // First: what may be sent from then on must not be held against what somebody has just looked at.
    core?.input({ kind: 'resumed', time: core.engine.now });
    const execution = this.#gateway?.execution;
    if (execution !== undefined) execution.resume(reason, by);
    else chronicle.note({ kind: 'resume', reason, by, wall: clock.wall() }, 'durable');
  }

  /** No order adds risk from now on, until it is called without a reason. */
  block(reason: string | undefined): void {
    this.#blocked = reason;
    this.#gateway?.stopsChanged();
  }

  /** What the account's other sessions have from now on; nothing to this one before it decides. */
  others({ notional, openOrders, pnl }: AccountShare): void {
    const core = this.#bot?.core;
    core?.input({ kind: 'others', time: core.engine.now, notional, openOrders, pnl });
  }

  /**
   * A start that waits until it is known what is held waits no longer: own orders are canceled until they are seen to be
   * gone, or left, and `start` rejects with `StartAbandoned`. One that has gone on by then goes on, and is to be stopped.
   */
  abandon(deadlineMs: number, orders: EndOfOrders): void {
    this.#abandoned = [deadlineMs, orders];
    this.#gateway?.abandon(deadlineMs, orders);
  }

  async stop(...how: Parameters<RunningBot['stop']>): Promise<BotEnd> {
    if (this.#bot === undefined) throw new InvariantError('a session must have started before it is stopped');
    const end = await this.#bot.stop(...how);
    await this.#ledger?.finish(LAST_CUT_MS);
    return end;
  }

  /** What the ledger found by now; `undefined` where there is none. */
  get ledger(): LedgerStatus | undefined {
    return this.#ledger?.status;
  }

  /** Where the pair stands, for a look from outside; `undefined` before the venue has been asked. */
  get state(): PairReport | undefined {
    return this.#gateway?.execution.glance(this.#plan.market.pair);
  }

  /** Own orders, as far as they are known; `undefined` before there is anything to know them. */
  get openOrders(): readonly OpenOrderText[] | undefined {
    return this.#gateway?.openOrders();
  }

  /** What somebody else does on the pair; `undefined` before the venue has been asked. */
  get foreign(): ForeignActivity | undefined {
    return this.#gateway?.execution.foreign(this.#plan.market.pair);
  }

  /** The session's own client, as it is known to work. */
  get way(): Pick<VenueClient, 'clock' | 'requestsPerSecond' | 'health'> {
    return this.#ports.api;
  }

  /** Orders of which nobody knows yet whether they were placed. */
  get doubts(): number {
    return this.#gateway?.execution.openOrders().filter(({ stage }) => stage === 'in-doubt').length ?? 0;
  }

  #ledgerOn(gateway: LiveGateway): LedgerWatch | undefined {
    const { ledger, market, profile } = this.#plan;
    const { chronicle } = this.#ports;
    if (ledger === undefined) return undefined;
    const watch = new LedgerWatch({
      ...this.#ports,
      ...ledger,
      market,
      books: chronicle.books,
      isSynced: () => gateway.execution.state(market.pair).state === 'SYNCED',
      limit: profile.maxLimit,
      onReason: () => gateway.stopsChanged(),
    });
    chronicle.hear((record) => watch.hear(record));
    return watch;
  }

  /** A fall that reached its bound is halted like anything else that waits for a person: there is one way to end it. */
  #latchFall(): void {
    const { books } = this.#ports.chronicle;
    if (books.baseline?.memory?.fell !== true || books.halts.some(({ by }) => by === FALL_BY)) return;
    const { limits, market } = this.#plan;
    this.halt('pause', fallReason(limits.maxDrawdown, market.quote), FALL_BY);
  }

  /** Writes into the journal what a later session of the same day and `why` need. */
  #noting(other: SessionObserver | undefined): SessionObserver {
    const { chronicle, clock } = this.#ports;
    const latchFall = () => this.#latchFall();
    return {
      input: (input, event) => other?.input?.(input, event),
      decision(input, commands, refusals, superseded) {
        other?.decision?.(input, commands, refusals, superseded);
        for (const { pair, rule, asked, bound, reason } of refusals) {
          const refusal = { pair, rule, asked, bound, reason, intent: undefined, time: clock.wall() };
          chronicle.note({ kind: 'refusal', ...refusal }, 'lazy');
        }
      },
      baseline(baseline) {
        other?.baseline?.(baseline);
        chronicle.note({ kind: 'baseline', ...baseline, wall: clock.wall() }, 'durable');
        latchFall();
      },
    };
  }
}
