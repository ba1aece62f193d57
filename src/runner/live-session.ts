/** A live session on its ports. `run --live` starts it, and `replay` runs it again on recorded turns. */
import { FALL_BY, fallReason } from '../gate/drawdown.js';
import type { VenueClient } from '../client/client.js';
import type { VenueProfile } from '../client/profile.js';
import type { OnDoubt } from '../engine/order-desk.js';
import type { Chronicle } from '../execution/chronicle.js';
import type { ForeignActivity } from '../execution/pair-evidence.js';
import type { PairReport } from '../execution/pair-watch.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import type { Reserve } from '../gate/exposure.js';
import { type Limits, notesDay } from '../gate/limits.js';
import type { SentOrder } from '../gate/pace.js';
import type { AccountShare } from '../model/event.js';
import { markOf } from '../ledger/transfer-mark.js';
import { InvariantError } from '../model/errors.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { BalanceRecord } from '../model/venue-records.js';
import type { SessionObserver } from '../session/session-core.js';
import type { BoundStrategy } from '../strategy/instance.js';
import { type BotEnd, type BotPlan, type BotPorts, type RunningBot, startBot } from './bot.js';
import { type CashRead, readCash } from './cash-read.js';
import type { FundsRead } from './funds-change.js';
import { historyOf } from './history.js';
import type { NotedByOthers } from './inherited-baseline.js';
import { type LedgerStatus, LedgerWatch, type LedgerWatchOptions } from './ledger-watch.js';
import { type LiveGateway, liveGateway, type LiveGatewayOptions } from './live-gateway.js';
import { movedBaseline } from './moved-baseline.js';
import type { RestingStop } from './resting-stop.js';
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
  /**
   * Replaces the baseline that the journal holds; `undefined`: the
   * journal's counts. `reserves` come on top of the journal's.
   */
  readonly baseline: DayBaseline | undefined;
  readonly reserves: readonly Reserve[];
  /**
   * The start reads which deposits and withdrawals the account's cash includes, where that cash is compared with an earlier
   * one. Sessions that earlier versions recorded did not.
   */
  readonly readsTransfers?: boolean | undefined;
  /**
   * The start reads the account's cash again if fills of the pair were booked until the session begins; what a fill between
   * that and the first position has cost is in no count. Sessions that earlier versions recorded did not.
   */
  readonly recountsCash?: boolean | undefined;
  readonly seed: string;
  /** Start to start of each poll, ms. */
  readonly every: BotPlan['every'] & { readonly orders: number };
  readonly warmUpMs: number;
  readonly policy: LivePolicy;
  /** Default: the account's balances are not watched. */
  readonly ledger?: LedgerPlan | undefined;
}

export interface LedgerPlan extends Pick<LedgerWatchOptions, 'everyMs' | 'maxSuspense'> {
  /** The gate's funds follow deposits and withdrawals. Those of sessions that earlier versions recorded did not. */
  readonly followsTransfers?: boolean | undefined;
}

export type LivePolicy = Pick<
  LiveGatewayOptions,
  'firstStart' | 'external' | 'onQuarantine' | 'staleMs' | 'lateMs'
>;

/** The longest time for the last ledger cut, after own orders are gone, ms. */
const LAST_CUT_MS = 3_000;

/** What engine and gate start with, known once the venue has been asked. */
export interface LiveBeginning {
  readonly cash: StartingCash | undefined;
  readonly baseline: DayBaseline | undefined;
  readonly reserves: readonly Reserve[];
  readonly sent: readonly SentOrder[];
}

/** What a start reads of the account. */
interface StartRead extends Pick<CashRead, 'transfers'> {
  readonly cash: StartingCash | undefined;
  /** What pending withdrawals held of it, quote units. */
  readonly withdrawn: number;
  /** Venue ms just before the cash was read; `undefined`: the venue does not tell its time. */
  readonly venueTime: number | undefined;
}

/** Observes a session on an account that several sessions share. */
export interface SessionWatch extends SessionObserver {
  /** The account's cash, from which the session counts, was read at this venue ms; −Infinity: the time is not known. */
  cashRead?(asOf: number): void;
  /** From which equities the account's other sessions in this asset count. */
  noted?(asset: string): NotedByOthers;
  /** The start begins to ask the venue. */
  starting?(start: StartUnderWay): void;
}

/** A start under way: it asks the venue, and the session does not exist yet. */
export interface StartUnderWay {
  /** The pair's state at the venue; may be asked at any time. `undefined`: not known yet. */
  standing(): Omit<PairReport, 'pair'> | undefined;
  /** Own orders that may be at the venue, by the books; `undefined` before these were opened. */
  openOrders(): readonly OpenOrderText[] | undefined;
  /** Stops that guard the position for an earlier session; `undefined` before the books were opened. */
  leftStops(): readonly RestingStop[] | undefined;
  /** Ends the wait: own orders are canceled or left, and the start rejects with `StartAbandoned`, unless it has gone on. */
  abandon(orders: EndOfOrders): void;
}

/** Makes a further observer; called just before the strategy sees data. */
export type Watch = (beginning: LiveBeginning) => SessionObserver | Promise<SessionObserver>;

/** The commands to a live session from outside, besides its end. */
export type LiveCommands = Pick<LiveSession, 'halt' | 'resume' | 'block' | 'others' | 'abandon'>;

export class LiveSession {
  readonly #ports: LivePorts;
  readonly #plan: LivePlan;
  #gateway: LiveGateway | undefined;
  #bot: RunningBot | undefined;
  #ledger: LedgerWatch | undefined;
  #blocked: string | undefined;
  /** Of the cash that the session counts from; set when it begins. */
  #funds: FundsRead = { transfers: undefined, withdrawn: 0 };
  /** What transfers have changed the cash by since, quote units. */
  #transferred = 0;
  #abandoned: Parameters<LiveGateway['abandon']> | undefined;

  constructor(ports: LivePorts, plan: LivePlan) {
    this.#ports = ports;
    this.#plan = plan;
  }

  /**
   * Call it once. `onCash` is called each time the account's cash was
   * read, with the venue ms; −Infinity: the venue does not tell its time.
   *
   * @throws VenueError, Quarantined when a person is needed, StartAbandoned, and what the strategy throws
   */
  async start(watch?: Watch, onCash?: (asOf: number) => void): Promise<RunningBot> {
    const { api, chronicle } = this.#ports;
    const { market, limits, session, profile, every, policy, recountsCash = false } = this.#plan;
    let read = await this.#readStart(onCash);
    // A fill that is booked from here on may be missing from the cash, and nothing else counts it before the session begins.
    let isOld = false;
    const forget = chronicle.hear((record) => {
      isOld ||= record.kind === 'fill' && record.pair === market.pair;
    });
    this.#bot = await startBot(this.#ports, {
      ...this.#plan,
      ...read.cash,
      api,
      funds: read.cash?.funds,
      begin: async () => {
        while (recountsCash && isOld) {
          isOld = false;
          read = await this.#readAgain(read, onCash);
        }
        forget();
        const { cash, transfers, venueTime } = read;
        this.#funds = { transfers: transfers && markOf(transfers), withdrawn: read.withdrawn };
        const known = historyOf(chronicle, market.pair, venueTime);
        const noted = known.baseline && movedBaseline(known.baseline, transfers);
        const baseline = this.#plan.baseline ?? noted;
        const reserves = [...this.#plan.reserves, ...known.reserves];
        const { sent } = known;
        const observer = await watch?.({ cash, baseline, reserves, sent });
        this.#ledger?.start();
        this.#latchFall();
        return { cash, baseline, reserves, sent, observer: this.#noting(observer) };
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
          earlier: historyOf(chronicle, market.pair, read.venueTime).earlier,
          limits,
          data,
          stops: [() => this.#blocked, () => this.#ledger?.reason()],
        });
        this.#gateway = gateway;
        if (this.#abandoned !== undefined) gateway.abandon(...this.#abandoned);
        this.#ledger = this.#ledgerOn(gateway);
        return gateway;
      },
    })
      .catch((error: unknown) => {
        this.#ledger?.stop();
        throw error;
      })
      .finally(forget);
    // The first look at the balances may have been before this.
    if (this.#transferred !== 0) this.#tellTransferred();
    return this.#bot;
  }

  /** Reads what the session counts its losses from. */
  async #readStart(onCash: ((asOf: number) => void) | undefined): Promise<StartRead> {
    const { api } = this.#ports;
    let venueTime: number | undefined;
    const { balances, transfers } = await this.#readCash(async () => {
      venueTime = await this.#venueTime();
      const read = await api.balances();
      // Not our own time: if that is ahead, losses of other sessions after this read would count as included in the cash.
      onCash?.(venueTime ?? Number.NEGATIVE_INFINITY);
      return read;
    });
    const { quote } = this.#plan.market;
    const withdrawn = balances.find(({ asset }) => asset === quote)?.withdrawn ?? 0;
    return { cash: cashIn(balances, quote), withdrawn, transfers, venueTime };
  }

  /** `#readStart` once more, or what is known so far where that fails: the pair is reconciled, so the start goes on. */
  async #readAgain(known: StartRead, onCash: ((asOf: number) => void) | undefined): Promise<StartRead> {
    try {
      return await this.#readStart(onCash);
    } catch (error) {
      const { pair } = this.#plan.market;
      this.#ports.log.warn('the cash cannot be read again: fills during the start may not count as losses', {
        pair,
        error: String(error),
      });
      return known;
    }
  }

  /** Reads the account's cash, and which transfers it includes where it is compared with an earlier one. */
  async #readCash(balances: () => Promise<readonly BalanceRecord[]>): Promise<CashRead> {
    const { chronicle } = this.#ports;
    const { profile, limits, readsTransfers = false } = this.#plan;
    if (!readsTransfers || !notesDay(limits)) return { balances: await balances(), transfers: undefined };
    const since = chronicle.books.baseline?.transfers;
    return readCash({ ...this.#ports, ...this.#plan, limit: profile.maxLimit, since }, balances);
  }

  /** Asks the venue for its time, ms; `undefined`: it does not tell. */
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

  /** Halts. Before the start it goes into the journal, and the start finds it in the books. */
  halt(level: HaltLevel, reason: string, by: string): void {
    const { chronicle, clock } = this.#ports;
    const execution = this.#gateway?.execution;
    if (execution !== undefined) execution.halt(level, reason, by);
    else chronicle.note({ kind: 'halt', level, reason, by, wall: clock.wall() }, 'durable');
  }

  /** Ends every halt, whoever halted. */
  resume(reason: string, by: string): void {
    const { chronicle, clock } = this.#ports;
    const core = this.#bot?.core;
    // The gate first: the engine may order again right after the halt ends, and a tripped drawdown would refuse that.
    core?.input({ kind: 'resumed', time: core.engine.now });
    const execution = this.#gateway?.execution;
    if (execution !== undefined) execution.resume(reason, by);
    else chronicle.note({ kind: 'resume', reason, by, wall: clock.wall() }, 'durable');
  }

  /** Forbids orders that add risk, until it is called with `undefined`. */
  block(reason: string | undefined): void {
    this.#blocked = reason;
    this.#gateway?.stopsChanged();
  }

  /** Tells what the account's other sessions have from now on. Before this session has a core it is ignored. */
  others(share: AccountShare): void {
    const core = this.#bot?.core;
    core?.input({ ...share, kind: 'others', time: core.engine.now });
  }

  /**
   * Ends the wait of a start that does not know the position yet: own orders are canceled until they are seen to be gone, or
   * left, and `start` rejects with `StartAbandoned`. A start that is past that wait goes on, and has to be stopped.
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

  /** The ledger's findings so far; `undefined`: there is no ledger. */
  get ledger(): LedgerStatus | undefined {
    return this.#ledger?.status;
  }

  /** The pair's state for observers; `undefined` before the venue has been asked. */
  get state(): PairReport | undefined {
    return this.#gateway?.execution.glance();
  }

  /** Own orders that are not done; `undefined` before the gateway exists. */
  get openOrders(): readonly OpenOrderText[] | undefined {
    return this.#gateway?.openOrders();
  }

  /** Stops that guard the position for an earlier session; `undefined` before the gateway exists. */
  get leftStops(): readonly RestingStop[] | undefined {
    return this.#gateway?.leftStops();
  }

  /** What another bot or a person does on the pair; `undefined` before the venue has been asked. */
  get foreign(): ForeignActivity | undefined {
    return this.#gateway?.execution.foreign;
  }

  /** Clock and health of the session's own client. */
  get way(): Pick<VenueClient, 'clock' | 'requestsPerSecond' | 'health'> {
    return this.#ports.api;
  }

  /** Number of orders in doubt. */
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
      ...(ledger.followsTransfers === true && {
        funds: () => this.#funds,
        onFunds: (change: number) => {
          this.#transferred = change;
          this.#tellTransferred();
        },
      }),
      market,
      books: chronicle.books,
      isSynced: () => gateway.execution.state().state === 'SYNCED',
      limit: profile.maxLimit,
      onReason: () => gateway.stopsChanged(),
    });
    chronicle.hear((record) => watch.hear(record));
    return watch;
  }

  #tellTransferred(): void {
    const core = this.#bot?.core;
    core?.input({ kind: 'transfers', time: core.engine.now, change: this.#transferred });
  }

  /** A drawdown that reached its bound also halts the session, so that `resume` is the one way to go on. */
  #latchFall(): void {
    const { books } = this.#ports.chronicle;
    if (books.baseline?.memory?.fell !== true || books.halts.some(({ by }) => by === FALL_BY)) return;
    const { limits, market } = this.#plan;
    this.halt('pause', fallReason(limits.maxDrawdown, market.quote), FALL_BY);
  }

  /** An observer that journals what a later session of the same day and the command `why` need. */
  #noting(other: SessionObserver | undefined): SessionObserver {
    const { chronicle, clock } = this.#ports;
    const { transfers } = this.#funds;
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
        chronicle.note({ kind: 'baseline', ...baseline, transfers, wall: clock.wall() }, 'durable');
        latchFall();
      },
    };
  }
}
