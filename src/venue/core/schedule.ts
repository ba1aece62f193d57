import { NO_FUNDING, fundingOf, fundingRate } from './funding.js';
import type { Ledger } from './ledger.js';
import type { Liquidations } from './liquidation.js';
import type { MarketState } from './market-state.js';
import { settleFunding } from './risk-postings.js';

/** The due times of one market. They begin with its first price. */
interface Agenda {
  readonly state: MarketState;
  /** Venue ms: multiples of the market's intervals; Infinity before it begins. */
  nextIndex: number;
  nextFunding: number;
}

/** Events of markets with index prices that are due by time: index updates and funding (`money.md` §2, §7). */
export class Schedule {
  readonly #ledger: Ledger;
  readonly #liquidations: Liquidations;
  /** Called when the market of this state has a new mark or index. */
  readonly #repriced: (state: MarketState) => void;
  readonly #agendas: readonly Agenda[];
  /** Markets without a price so far. */
  #waiting: readonly Agenda[];
  #nextTime = Number.POSITIVE_INFINITY;

  constructor(
    states: readonly MarketState[],
    options: {
      readonly ledger: Ledger;
      readonly liquidations: Liquidations;
      readonly repriced: (state: MarketState) => void;
    },
  ) {
    this.#ledger = options.ledger;
    this.#liquidations = options.liquidations;
    this.#repriced = options.repriced;
    this.#agendas = states.map((state) => ({
      state,
      nextIndex: Number.POSITIVE_INFINITY,
      nextFunding: Number.POSITIVE_INFINITY,
    }));
    this.#waiting = this.#agendas;
  }

  /** Venue ms of the next due event; Infinity while no market has a price. */
  get nextTime(): number {
    return this.#nextTime;
  }

  /** Starts the markets that got their first price at `now`; that price is their index and their mark at once. */
  begin(now: number): void {
    if (this.#waiting.length === 0) return;
    const begun = this.#waiting.filter(({ state }) => state.prices?.known !== undefined);
    if (begun.length === 0) return;
    this.#waiting = this.#waiting.filter((agenda) => !begun.includes(agenda));
    for (const agenda of begun) {
      const { pricing, funding, contract } = agenda.state.market;
      this.#update(agenda.state);
      agenda.nextIndex = after(now, pricing.indexIntervalMs);
      // A spot market has no positions to fund.
      if (contract === 'linear') agenda.nextFunding = after(now, funding.intervalMs);
    }
    this.#plan();
  }

  /** Handles everything that is due at `nextTime`: all prices first, then all funding. */
  run(): void {
    const now = this.#nextTime;
    for (const agenda of this.#agendas) {
      if (agenda.nextIndex !== now) continue;
      this.#update(agenda.state);
      agenda.nextIndex = after(now, agenda.state.market.pricing.indexIntervalMs);
    }
    for (const agenda of this.#agendas) {
      if (agenda.nextFunding !== now) continue;
      this.#fund(agenda.state);
      agenda.nextFunding = after(now, agenda.state.market.funding.intervalMs);
    }
    this.#plan();
  }

  #update(state: MarketState): void {
    const { prices } = state;
    if (prices === undefined) return;
    const { mark, index } = state;
    if (!prices.update()) return;
    state.setMark(prices.mark);
    if (prices.mark !== mark) this.#liquidations.remark(state.market.pair);
    if (prices.mark !== mark || prices.index !== index) this.#repriced(state);
  }

  /** Longs pay shorts at a rate above 0. Positions of the street and the provider take part. */
  #fund(state: MarketState): void {
    const { market, prices } = state;
    const rate = prices === undefined ? NO_FUNDING : fundingRate(market.funding, prices.takePremiums());
    if (rate.numerator === 0n) return;
    const { street, provider } = this.#ledger;
    const holdings = [...this.#liquidations.open(market.pair)];
    for (const account of [street, provider]) holdings.push(this.#ledger.holding(account, state));
    const payments = holdings
      .map((holding) => ({ holding, amount: fundingOf(holding, rate) }))
      .filter(({ amount }) => amount !== 0n);
    settleFunding(this.#ledger, market.quote, payments);
    this.#liquidations.remark(market.pair);
  }

  #plan(): void {
    let next = Number.POSITIVE_INFINITY;
    for (const { nextIndex, nextFunding } of this.#agendas) next = Math.min(next, nextIndex, nextFunding);
    this.#nextTime = next;
  }
}

/** The first multiple of the interval above a time; whole ms. */
export function after(time: number, intervalMs: number): number {
  return time - (((time % intervalMs) + intervalMs) % intervalMs) + intervalMs;
}
