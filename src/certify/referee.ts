import { FLAT_WANT, type StandingWant } from '../engine/standing-want.js';
import { checkFilters } from '../gate/filters.js';
import type { Limits } from '../gate/limits.js';
import type { Approved, PlaceCommand, Refusal } from '../model/command.js';
import { sha256 } from '../model/digest.js';
import type { EngineEvent } from '../model/event.js';
import { textOf, type Ticks } from '../model/grid.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import { signOf } from '../model/side.js';
import type { SessionCore } from '../session/session-core.js';
import type { VenueWorld } from '../simulation/world/venue-world.js';
import { refusalGap } from '../storage/journal/journal-refusal.js';
import { MINUTE_MS, MOST_NAKED_MS, MOST_OPEN_ORDERS } from './bounds.js';
import { ChurnWatch } from './churn-watch.js';
import { RefusalWatch } from './refusal-watch.js';
import type { Breach, RuleName } from './rule.js';
import { crosses, isSame, ordersOf, termsText } from './terms.js';

export interface RefereeOptions {
  readonly world: VenueWorld;
  readonly account: string;
  readonly market: Market;
  readonly limits: Limits;
  /** The largest allowed |position|, lots: the limit, or what the account can pay for. */
  readonly mostLots: number;
  /** No faults are injected, so an order that the venue rejects was itself wrong. */
  readonly isVenueFair: boolean;
}

/** The figures of a run. */
export interface RunFigures {
  readonly orders: number;
  readonly fills: number;
  readonly refusals: Readonly<Record<string, number>>;
  /** Largest |position| divided by the allowed one. */
  readonly position: number;
  /** The longest time for which the venue held an order or position that the strategy no longer wanted, ms. */
  readonly nakedMs: number;
  readonly ordersPerMinute: number;
  readonly requestsPerMinute: number;
}

/** Watches a run: what the strategy asks for, what leaves, and what the venue makes of it. */
export class Referee {
  readonly breaches: Breach[] = [];
  readonly #options: RefereeOptions;
  readonly #churn: ChurnWatch;
  readonly #refusals: RefusalWatch;
  readonly #intents = new Map<string, string>();
  readonly #prepared = new Map<string, number>();
  readonly #orders = new Map<string, number>();
  #wanted: StandingWant | undefined;
  #core: SessionCore | undefined;
  #startedAt = 0;
  #position = 0;
  #worst = 0;
  #orderCount = 0;
  #fills = 0;
  #unwantedSince: number | undefined;
  #nakedMs = 0;
  #requests = { minute: 0, before: 0, most: 0 };

  constructor(options: RefereeOptions) {
    this.#options = options;
    const { world, account, market } = options;
    const breach = (rule: RuleName, what: string) => this.breach(rule, what);
    this.#churn = new ChurnWatch({ ...options, breach });
    this.#refusals = new RefusalWatch(breach);
    world.truth.onExecution(({ body }, { orderIds }) => this.#onOrders(sha256(body), orderIds));
    world.core.onFill((order, fill) => {
      if (order.account.name !== account || order.pair !== market.pair) return;
      this.#fills++;
      this.#churn.filled(this.now);
      this.#position += signOf(fill.side) * fill.lots;
      this.#onPosition();
      if (order.isLiquidation) this.breach('liquidation', `${fill.lots} lots were taken over by the venue`);
    });
  }

  get now(): number {
    return this.#options.world.scheduler.now;
  }

  /** Hears each input of the engine. */
  input(event: EngineEvent): void {
    if (event.kind !== 'report' || event.report.kind !== 'rejected' || !this.#options.isVenueFair) return;
    this.#refusals.rejected(this.now, event.report.reason);
  }

  /** The strategy starts for the first time. */
  start(): void {
    this.#startedAt = this.now;
  }

  /** A session of the strategy is about to get data; `undefined`: it has ended. */
  begin(core: SessionCore | undefined): void {
    this.#core = core;
  }

  breach(rule: RuleName, what: string): void {
    if (this.breaches.some((breach) => breach.rule === rule)) return;
    this.breaches.push({ rule, timeMs: Math.round(this.now - this.#startedAt), what });
  }

  /** Hears each record of the journal. */
  record(record: JournalRecord): void {
    if (record.kind === 'prep') {
      this.#intents.set(record.bodySha256, record.intent);
      const times = (this.#prepared.get(record.intent) ?? 0) + 1;
      this.#prepared.set(record.intent, times);
      if (times > 1) this.breach('duplicate', `intent ${record.intent} was sent ${times} times`);
    }
    if (record.kind === 'refusal') {
      const missing = refusalGap(record);
      if (missing !== undefined) this.breach('explained', missing);
    }
  }

  /** What the gate made of one input. */
  decision(commands: readonly Approved[], refusals: readonly Refusal[]): void {
    for (const refusal of refusals) this.#refusals.refused(this.now, refusal);
    const places = commands.filter((command) => command.kind === 'place');
    for (const [index, command] of places.entries()) this.#onPlace(command, places.slice(0, index));
  }

  /** Once a second of virtual time. */
  look(): void {
    const { world, account, market } = this.#options;
    world.venueNow();
    const venue = world.core.position(world.account(account), market.pair).lots;
    if (venue !== this.#position) {
      this.#position = venue;
      this.#onPosition();
    }
    this.#lookAtOpenOrders();
    this.#lookAtRequests();
    this.#lookAtWant();
  }

  get figures(): RunFigures {
    return {
      orders: this.#orderCount,
      fills: this.#fills,
      refusals: this.#refusals.counts,
      position: this.#worst / Math.max(1, this.#options.mostLots),
      nakedMs: Math.round(this.#nakedMs),
      ordersPerMinute: this.#churn.mostPerMinute,
      requestsPerMinute: this.#requests.most,
    };
  }

  #onOrders(bodySha256: string, orderIds: readonly string[]): void {
    const { world, account, market } = this.#options;
    const intent = this.#intents.get(bodySha256);
    for (const id of orderIds) {
      const order = world.core.order(world.account(account), id);
      if (order === undefined) continue;
      this.#orderCount++;
      const objection = checkFilters(market, order.terms);
      if (objection !== undefined) this.breach('filters', `order ${id} is at the venue: ${objection.text}`);
      if (intent === undefined) continue;
      const count = (this.#orders.get(intent) ?? 0) + 1;
      this.#orders.set(intent, count);
      if (count > 1) this.breach('duplicate', `intent ${intent} has ${count} orders, the last one ${id}`);
    }
  }

  #onPosition(): void {
    const { mostLots, limits, market } = this.#options;
    const held = Math.abs(this.#position);
    this.#worst = Math.max(this.#worst, held);
    if (held <= mostLots) return;
    const text = (lots: number) => `${textOf(market.quantityGrid, lots)} ${market.base}`;
    const bound =
      limits.maxPosition === undefined
        ? `${text(mostLots)}, which is all that its account could pay for; limits.maxPosition would bound it`
        : `${text(mostLots)}`;
    this.breach('position', `position must be at most ${bound}, received ${text(this.#position)}`);
  }

  #onPlace(command: PlaceCommand, before: readonly PlaceCommand[]): void {
    const { market } = this.#options;
    const { terms, want } = command;
    this.#churn.placed(this.now, command);
    const others = [...before.map((each) => each.terms), ...this.#workingBefore(terms)];
    const words = termsText(market, terms);
    if (others.some((other) => isSame(other, terms))) {
      this.breach('twin-orders', `${words} was sent while an order of just these terms was working`);
    }
    // When a want changes, orders of the earlier want are being canceled and may cross for a moment; those of the present
    // want may not.
    const besides = want === undefined ? others : ordersOf(this.#core?.engine.want);
    const across = besides.find((other) => crosses(terms, other));
    if (across !== undefined)
      this.breach('self-cross', `${words} was sent against own ${termsText(market, across)}`);
  }

  /** Own orders that work besides the one just made, without those that are being canceled. */
  #workingBefore(made: OrderTerms): readonly OrderTerms[] {
    const { engine } = this.#core ?? {};
    if (engine === undefined) return [];
    const { quantityGrid, priceGrid } = this.#options.market;
    const working = engine.workingOrders
      .filter(({ state }) => state !== 'pending-cancel')
      .map(
        (order): OrderTerms => ({
          ...made,
          side: order.side,
          type: order.type,
          timeInForce: order.timeInForce,
          ticks: (order.price === undefined
            ? undefined
            : Math.round(order.price * priceGrid.scale)) as OrderTerms['ticks'],
          lots: Math.round(order.quantity * quantityGrid.scale) as OrderTerms['lots'],
          trigger:
            order.triggerPrice === undefined
              ? undefined
              : { ticks: Math.round(order.triggerPrice * priceGrid.scale) as Ticks, event: 'last' },
        }),
      );
    // The engine's list already includes the new order.
    const own = working.findLastIndex((terms) => isSame(terms, made));
    return own < 0 ? working : working.toSpliced(own, 1);
  }

  #lookAtOpenOrders(): void {
    const { world, account, market, limits } = this.#options;
    const open = world.account(account).holdings.get(market.pair)?.workingCount ?? 0;
    const most = limits.maxOpenOrders ?? MOST_OPEN_ORDERS;
    if (open > most) this.breach('open-orders', `open orders must be at most ${most}, received ${open}`);
  }

  #lookAtRequests(): void {
    const minute = Math.floor(this.now / MINUTE_MS);
    const { left } = this.#options.world.truth.counts;
    if (minute !== this.#requests.minute) this.#requests = { ...this.#requests, minute, before: left };
    this.#requests.most = Math.max(this.#requests.most, left - this.#requests.before);
  }

  /** While a strategy is down, its last want counts. */
  #lookAtWant(): void {
    const { engine } = this.#core ?? {};
    if (engine !== undefined) this.#wanted = engine.isStoppedOut ? FLAT_WANT : engine.want;
    const what = this.#unwanted();
    if (what === undefined) {
      this.#unwantedSince = undefined;
      return;
    }
    this.#unwantedSince ??= this.now;
    const ms = this.now - this.#unwantedSince;
    this.#nakedMs = Math.max(this.#nakedMs, ms);
    if (ms > MOST_NAKED_MS) {
      this.breach('naked', `for ${Math.round(ms / 1_000)} s ${what}`);
    }
  }

  #unwanted(): string | undefined {
    const { world, account, market } = this.#options;
    const want = this.#wanted;
    const { quantityGrid } = market;
    if (want === undefined || want.kind === 'none') return undefined;
    if (want.kind === 'position' || want.kind === 'flat') {
      const target = want.kind === 'flat' ? 0 : want.lots;
      const isMore = this.#position > Math.max(0, target) || this.#position < Math.min(0, target);
      if (!isMore) return undefined;
      return `the venue held ${textOf(quantityGrid, this.#position)} where ${textOf(quantityGrid, target)} was wanted`;
    }
    const wanted = ordersOf(want);
    const holding = world.account(account).holdings.get(market.pair);
    for (let order = holding?.firstWorking; order !== undefined; order = order.nextWorking) {
      const { terms } = order;
      // Orders that the strategy submitted itself are not checked against a quote.
      if (!terms.postOnly && want.kind === 'quote') continue;
      if (!wanted.some((each) => each.side === terms.side && each.ticks === terms.ticks)) {
        return `the venue held an order that was not wanted: ${termsText(market, terms)}`;
      }
    }
    return undefined;
  }
}
