import { createVenueClient, type VenueClient } from '../../client/client.js';
import { type Lots, NO_LOTS, type Ticks, wholeSteps } from '../../model/grid.js';
import type { OrderTerms } from '../../model/order.js';
import { seededRandom } from '../../model/random.js';
import { signOf } from '../../model/side.js';
import { sleep } from '../../ports/clock.js';
import type { HttpTransport } from '../../ports/http.js';
import type { OrderRecord } from '../../model/venue-records.js';
import type { Judgement, RunningSubject, SubjectConfig, SubjectPorts } from '../subject.js';
import type { Desire } from '../workload.js';

/** How a common bot handles an order whose answer proves nothing. */
export interface DoubtPolicy {
  readonly name: string;
  /**
   * Brings one order to the venue. Returns the id by which the bot then knows it; `undefined`: the bot considers it
   * failed. `post` sends the order once more.
   */
  readonly send: (
    post: () => Promise<Posted>,
    look: () => Promise<string | undefined>,
  ) => Promise<string | undefined>;
}

export type Posted =
  | { readonly kind: 'accepted'; readonly orderId: string }
  /** The venue's answer refuses the order. */
  | { readonly kind: 'refused' }
  /** There was no answer, or one that proves nothing. */
  | { readonly kind: 'failed' };

interface OpenOrder {
  readonly id: string;
  readonly side: OrderTerms['side'];
  filled: number;
  isDone: boolean;
}

const COOL_DOWN_MS = 2_000;

/**
 * A typical bot: its own position is the sum of the fills of the orders that it knows, and it trades towards the
 * target. Its policy only decides what it does about a lost answer.
 */
export class CommonBot implements RunningSubject {
  readonly judged: ReadonlyMap<string, Judgement> = new Map();
  readonly judgements = 0;
  readonly isHalted = false;
  readonly hasEnded = false;
  doubts = 0;
  readonly #config: SubjectConfig;
  readonly #ports: SubjectPorts;
  readonly #policy: DoubtPolicy;
  readonly #api: VenueClient;
  readonly #bound = new Map<string, string>();
  readonly #intents = new Map<string, string>();
  #open: OpenOrder[] = [];
  #position = 0;
  #intentNumber = 0;
  /** The intent that is currently being sent. */
  #intent = '';
  #desire = Number.NaN;

  constructor(ports: SubjectPorts, config: SubjectConfig, policy: DoubtPolicy) {
    this.#ports = ports;
    this.#config = config;
    this.#policy = policy;
    this.#api = createVenueClient({
      baseUrl: config.baseUrl,
      profile: config.profile,
      credentials: config.credentials,
      transport: this.#noting(ports.transport),
      clock: ports.clock,
      timers: ports.timers,
      random: seededRandom(`${config.seed}/retries`),
      log: ports.log,
    });
  }

  claims() {
    return [{ pair: this.#config.market.pair, state: 'SYNCED' as const, position: this.#position as Lots }];
  }

  bound(): ReadonlyMap<string, string> {
    return this.#bound;
  }

  intentOf(body: string): string | undefined {
    return this.#intents.get(body);
  }

  /** Runs until its ports die. */
  async run(): Promise<void> {
    for (;;) {
      try {
        await this.#turn();
      } catch (error) {
        this.#ports.log.warn('a turn failed', { error: String(error) });
      }
      await sleep(this.#ports.timers, this.#config.pollMs);
    }
  }

  async #turn(): Promise<void> {
    const { market, workload } = this.#config;
    const { lastPrice } = await this.#api.ticker(market.pair);
    await this.#refresh();
    const desire = workload.at(this.#ports.clock.wall());
    if (desire.throws) throw new Error('the strategy has a bug');
    if (desire.number !== this.#desire) {
      this.#desire = desire.number;
      for (const { id } of this.#open) await this.#api.cancel(id);
      await this.#refresh();
    }
    if (this.#open.length > 0 || lastPrice === undefined) return;
    const missing = desire.target - this.#position;
    if (missing === 0) return;
    await this.#order(this.#termsOf(desire, missing, lastPrice));
  }

  #termsOf({ limitOffset }: Desire, missing: number, lastPrice: number): OrderTerms {
    const { priceGrid, filters } = this.#config.market;
    const side = missing > 0 ? 'buy' : 'sell';
    const lots = Math.abs(missing) as Lots;
    const common = { side, lots, postOnly: false, reduceOnly: false } as const;
    if (limitOffset === undefined) return { ...common, type: 'market', ticks: undefined, timeInForce: 'IOC' };
    const price = lastPrice * (1 - signOf(side) * limitOffset);
    const tick = filters.price.tickSize;
    const ticks = (Math.round(wholeSteps(priceGrid, price) / tick) * tick) as Ticks;
    return { ...common, type: 'limit', ticks, timeInForce: 'GTC' };
  }

  async #order(terms: OrderTerms): Promise<void> {
    const intent = `${this.#config.session}-${++this.#intentNumber}`;
    const known = new Set(this.#bound.keys());
    const id = await this.#policy.send(
      () => this.#post(intent, terms),
      () => this.#lookFor(terms, known),
    );
    if (id === undefined) {
      await sleep(this.#ports.timers, COOL_DOWN_MS);
      return;
    }
    this.#bound.set(id, intent);
    this.#open.push({ id, side: terms.side, filled: NO_LOTS, isDone: false });
    await this.#refresh();
  }

  async #post(intent: string, terms: OrderTerms): Promise<Posted> {
    this.#intent = intent;
    const outcome = await this.#api.place(this.#config.market, terms, undefined);
    if (outcome.kind === 'accepted') return { kind: 'accepted', orderId: outcome.order.id };
    if (outcome.kind === 'refused') return { kind: 'refused' };
    if (outcome.kind === 'in-doubt') this.doubts++;
    return { kind: 'failed' };
  }

  /** Searches the active orders once for one with these terms that was not there before. */
  async #lookFor({ side, lots, ticks }: OrderTerms, known: ReadonlySet<string>): Promise<string | undefined> {
    const { pair, priceGrid, quantityGrid } = this.#config.market;
    const active = await this.#api.orders('active', { pair });
    return active.find(
      (order) =>
        !known.has(order.id) &&
        order.side === side &&
        wholeSteps(quantityGrid, order.quantity) === lots &&
        (ticks === undefined || wholeSteps(priceGrid, order.priceOriginal) === ticks),
    )?.id;
  }

  /** Requests each known order and counts its fills. */
  async #refresh(): Promise<void> {
    for (const open of this.#open) this.#take(open, await this.#api.order(open.id));
    this.#open = this.#open.filter(({ isDone }) => !isDone);
  }

  #take(open: OpenOrder, record: OrderRecord): void {
    const filled = wholeSteps(this.#config.market.quantityGrid, record.filledQuantity);
    // Fills are never taken back, so a lower sum is from an older answer.
    if (filled > open.filled) {
      this.#position += signOf(open.side) * (filled - open.filled);
      open.filled = filled;
    }
    open.isDone = record.status === 'CANCELLED' || record.status === 'COMPLETED';
  }

  /** Notes which intent each order request carries out. Only the oracle uses this, the bot does not. */
  #noting(transport: HttpTransport): HttpTransport {
    return {
      exchange: (request) => {
        if (request.url.endsWith('/auth/order') && request.body !== undefined) {
          this.#intents.set(request.body, this.#intent);
        }
        return transport.exchange(request);
      },
      close: () => transport.close(),
    };
  }
}
