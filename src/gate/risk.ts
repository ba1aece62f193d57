/** The state that `check` reads, kept up to date by the session. */
import type { Approved } from '../model/command.js';
import type { AccountShare, EngineEvent } from '../model/event.js';
import type { Ticks } from '../model/grid.js';
import type { RiskMemory } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import { moneyOf, moneyText } from '../model/money.js';
import { FLAT, type Position } from '../model/position.js';
import type { ExecutionReport } from '../model/report.js';
import { DailyLoss, type DayBaseline } from './daily-loss.js';
import { Drawdown } from './drawdown.js';
import { Exposure, type Reserve } from './exposure.js';
import type { GateState, Permit } from './gate-state.js';
import { type Limits, notesDay } from './limits.js';
import { LosingStreak } from './losing-streak.js';
import { notionalOf } from './order-limits.js';
import { Pace, type SentOrder } from './pace.js';
import { RateNumbers } from './rate-numbers.js';
import { Rejections } from './rejections.js';

/** Facts that other parts of the session hold; read when a rule needs them. */
export interface RiskFacts {
  /** Time of the newest event, venue ms. */
  readonly now: number;
  /** Price of the newest trade, quote units; NaN before the first. */
  readonly lastPrice: number;
  /** The position that the session's own fills add up to. */
  readonly position: Position;
  /** Where the venue would liquidate it, quote units; `undefined`: nowhere, or not known. */
  readonly liquidationPrice?: number | undefined;
  /** For how long it has had no stop at the venue that covers it whole, ms; only a session counts it. */
  readonly bareMs?: number;
}

export interface RiskOptions {
  readonly market: Market;
  readonly limits: Limits;
  /** Cash of the quote asset at the session's start that orders may use, quote units; `undefined`: not known. */
  readonly funds: number | undefined;
  /** `funds` plus the cash that orders and withdrawals hold: losses are counted from it; quote units. Default: the funds. */
  readonly wealth?: number | undefined;
  readonly facts: RiskFacts;
  /** Orders that earlier sessions gave up and that may still show up. */
  readonly reserves?: readonly Reserve[] | undefined;
  /** Orders that earlier sessions sent within the last hour, oldest first. */
  readonly sent?: readonly SentOrder[] | undefined;
  /** The baseline that an earlier session noted. */
  readonly baseline?: DayBaseline | undefined;
  readonly tellBaseline?: ((baseline: DayBaseline) => void) | undefined;
  /** For how long a ticker gives the mark, ms; then the last trade does. Default: until the next ticker. */
  readonly markFreshMs?: number | undefined;
}

/** `AccountShare` of one session, with its P&L split into settled and open. */
export interface SessionShare extends Omit<AccountShare, 'pnl'> {
  /** P&L that is in the account's cash: realised since the session's start, net of fees and funding; quote units. */
  readonly settled: number;
  /** Unrealised P&L of the open position at the mark, quote units. */
  readonly open: number;
}

export class Risk implements GateState {
  readonly market: Market;
  readonly limits: Limits;
  readonly exposure: Exposure;
  readonly rates = new RateNumbers();
  readonly pace: Pace;
  readonly rejections: Rejections;
  readonly day: DailyLoss | undefined;
  readonly drawdown: Drawdown | undefined;
  readonly streak: LosingStreak | undefined;
  permit: Permit | undefined;
  others: AccountShare | undefined;
  /**
   * What deposits and withdrawals have changed the funds by since the start, quote units. It moves what orders may use, but
   * no loss: that is counted from the wealth at the start.
   */
  transferred = 0;
  readonly #facts: RiskFacts;
  readonly #funds: number | undefined;
  readonly #wealthBefore: number | undefined;
  readonly #unitsPerQuote: number;
  /** A limit needs the pace of commands or the rejections. */
  readonly #counts: boolean;
  readonly #markFreshMs: number;
  #tickerMark: number | undefined;
  /** The last moment at which `#tickerMark` counts, and the newest one that this was told of; venue ms. */
  #markEnds = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;
  #largestLots = 0;
  #largestNotional = 0;
  /** The position from which `#cash` and `#cost` (quote units) and `#quantity` (base units) were worked out. */
  #valued: Position = FLAT;
  #cash = 0;
  #cost = 0;
  #quantity = 0;

  constructor(options: RiskOptions) {
    const { market, limits, funds, wealth = funds, facts, reserves, sent, baseline, tellBaseline } = options;
    this.#markFreshMs = options.markFreshMs ?? Number.POSITIVE_INFINITY;
    this.market = market;
    this.limits = limits;
    this.exposure = new Exposure(reserves);
    this.pace = new Pace(limits, sent);
    this.rejections = new Rejections(limits.rejectPause);
    const { maxDailyLoss, maxDrawdown, lossPause } = limits;
    const { peak, fell = false, losses = 0, pausedUntil = 0, open = '0' } = baseline?.memory ?? {};
    const precision = market.quotePrecision;
    const tell = () => this.#tell(tellBaseline);
    if (maxDrawdown !== undefined) {
      this.drawdown = new Drawdown({ bound: maxDrawdown, precision, peak, tripped: fell, tell });
    }
    if (lossPause !== undefined) {
      this.streak = new LosingStreak({
        limit: lossPause,
        losses,
        pausedUntil,
        open: moneyOf(open, precision),
        tell,
      });
    }
    if (notesDay(limits)) {
      this.day = new DailyLoss({
        // Drawdown and losing streak are noted together with the day, so they need one even without a bound on it.
        bound: maxDailyLoss ?? Number.POSITIVE_INFINITY,
        precision,
        baseline,
        tell,
      });
    }
    this.#funds = funds;
    this.#wealthBefore = wealth;
    this.#facts = facts;
    this.#unitsPerQuote = 10 ** market.quotePrecision;
    const { maxOrdersPerMinute, maxOrdersPerHour, maxCancelsPerMinute, minRepeatMs, rejectPause } = limits;
    const counted = [maxOrdersPerMinute, maxOrdersPerHour, maxCancelsPerMinute, minRepeatMs, rejectPause];
    this.#counts = counted.some((limit) => limit !== undefined);
  }

  get time(): number {
    return this.#facts.now;
  }

  get liquidationPrice(): number | undefined {
    return this.#facts.liquidationPrice;
  }

  get bareMs(): number {
    return this.#facts.bareMs ?? 0;
  }

  get lastTicks(): Ticks | undefined {
    const steps = Math.round(this.#facts.lastPrice * this.market.priceGrid.scale);
    return Number.isSafeInteger(steps) && steps > 0 ? (steps as Ticks) : undefined;
  }

  get markPrice(): number | undefined {
    // A loss is looked at before the event that brings its time.
    if (this.#tickerMark !== undefined && Math.max(this.time, this.#newest) <= this.#markEnds)
      return this.#tickerMark;
    return this.lastTicks === undefined ? undefined : this.#facts.lastPrice;
  }

  /**
   * The equity by which the gate judges margin: open losses count, open profits do not. A float is enough for an estimate
   * that the venue's exact check follows.
   */
  get equity(): number | undefined {
    if (this.#funds === undefined) return undefined;
    this.#value();
    // Before the first trade there is no price to value the position at.
    const { lastPrice } = this.#facts;
    const hasOpen = this.#quantity !== 0 && !Number.isNaN(lastPrice);
    const open = hasOpen ? this.#quantity * lastPrice - this.#cost : 0;
    const funds = this.#funds + this.transferred;
    return funds + this.#cash + Math.min(0, open) + Math.min(0, this.others?.pnl ?? 0);
  }

  /** What this session contributes to limits of the whole account. */
  get share(): SessionShare {
    this.#value();
    const mark = this.markPrice ?? 0;
    const worst = this.exposure.worstAt(this.time) / this.market.quantityGrid.scale;
    const open = this.#quantity === 0 ? 0 : this.#quantity * mark - this.#cost;
    return { notional: worst * mark, openOrders: this.exposure.openOrders, settled: this.#cash, open };
  }

  /** The largest quantity (lots) and the largest notional (quote units) of an approved order. */
  get largest(): { readonly lots: number; readonly notional: number } {
    return { lots: this.#largestLots, notional: this.#largestNotional };
  }

  /** What the account's other sessions have, and which of its limits one of them has reached. */
  hear(share: AccountShare): void {
    this.others = share;
    const { lostUntil, fell } = share;
    if (lostUntil !== undefined && this.limits.maxDailyLoss !== undefined) this.day?.reachedUntil(lostUntil);
    if (fell === true) this.drawdown?.reached();
  }

  /** Counts an approved command from now on. */
  approved(command: Approved): void {
    this.exposure.approved(command);
    if (this.#counts) {
      this.pace.approved(command, this.time);
      this.rejections.approved(command);
    }
    if (command.kind === 'cancel') return;
    // The limits of a single order do not hold for these.
    if (command.terms.reduceOnly && command.terms.type === 'market') return;
    if (command.terms.lots > this.#largestLots) this.#largestLots = command.terms.lots;
    if (this.limits.maxOrderNotional === undefined) return;
    const notional = notionalOf(this.market, this.markPrice, command.terms) ?? 0;
    this.#largestNotional = Math.max(this.#largestNotional, notional);
  }

  report(report: ExecutionReport): void {
    this.exposure.report(report);
    this.rejections.report(report);
  }

  ticker({ ticker }: Extract<EngineEvent, { kind: 'ticker' }>): void {
    const { markPrice = Number.NaN } = ticker;
    if (!(markPrice > 0 && markPrice < Number.POSITIVE_INFINITY)) return;
    this.#tickerMark = markPrice;
    this.#markEnds = ticker.time + this.#markFreshMs;
  }

  /** Call before an event of this time, venue ms: a UTC day may begin, with the equity before the event. */
  turnDay(time: number): void {
    if (time > this.#newest) this.#newest = time;
    this.day?.turn(time, this.#wealth);
  }

  /** As `turnDay`, before a report: it may tell of what was long ago, and so never turns the day back. */
  turnDayOn(time: number): void {
    this.turnDay(this.day === undefined ? time : Math.max(time, this.day.beganAt));
  }

  /** Call after a change of price or position: a loss may have reached its bound. */
  lookAtLoss(): void {
    const wealth = this.#wealth;
    this.day?.look(wealth);
    this.drawdown?.look(wealth);
  }

  /** Call after a fill is in the position: values it right away, so that the next order does not have to wait for that. */
  filled(): void {
    this.#value();
  }

  /** Call after a fill or funding is in the position: a round trip may have ended, or has settled more. */
  lookAtTrip(): void {
    this.streak?.look(this.#facts.position, this.time);
  }

  /** As `lookAtTrip`, of a fill after the engine's end, with the position that includes it; `time`: venue ms. */
  lookAtLateTrip(position: Position, time: number): void {
    this.streak?.look(position, time);
  }

  /** P&L of the account since the UTC day began, quote units; `undefined`: no limit needs it, or it is not known. */
  get dayPnl(): number | undefined {
    return this.day?.isKnown === true && this.#wealth !== undefined ? -this.day.loss : undefined;
  }

  #tell(told: RiskOptions['tellBaseline']): void {
    const words = this.day?.words;
    // Before the first day of the session there is nothing new to note.
    if (words === undefined) return;
    const { drawdown, streak } = this;
    const memory: RiskMemory | undefined =
      drawdown === undefined && streak === undefined
        ? undefined
        : {
            peak: drawdown?.peak,
            fell: drawdown?.tripped ?? false,
            losses: streak?.losses ?? 0,
            pausedUntil: streak?.pausedUntil ?? 0,
            ...(streak === undefined || streak.open === 0n
              ? {}
              : { open: moneyText(streak.open, this.market.quotePrecision) }),
          };
    told?.(memory === undefined ? words : { ...words, memory });
  }

  /**
   * Wealth at the start plus all P&L of all pairs, open positions
   * at the mark; quote units. `undefined`: a part is not known.
   */
  get #wealth(): number | undefined {
    const { others } = this;
    if (this.#wealthBefore === undefined || (others !== undefined && others.pnl === undefined))
      return undefined;
    this.#value();
    const settledWealth = this.#wealthBefore + this.#cash + (others?.pnl ?? 0);
    if (this.#quantity === 0) return settledWealth;
    const mark = this.markPrice;
    return mark === undefined ? undefined : settledWealth + (this.#quantity * mark - this.#cost);
  }

  #value(): void {
    const { position } = this.#facts;
    if (position === this.#valued) return;
    this.#valued = position;
    this.#cash = Number(position.settledAmount) / this.#unitsPerQuote;
    this.#cost = Number(position.costAmount) / this.#unitsPerQuote;
    this.#quantity = position.lots / this.market.quantityGrid.scale;
  }
}
