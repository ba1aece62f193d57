import type { Lots, Ticks } from '../../model/grid.js';
import type { Random } from '../../model/random.js';
import { type Side, signOf } from '../../model/side.js';
import type { Latent } from './latent-price.js';
import type { Scale, Street, StreetOrder } from './street.js';

const LEVELS = 15;
/** Mean ms between two looks at the market; divided by the intensity. */
const LOOK_MS = 300;
/** Half the spread: a share of the price, plus a share of the one-second volatility. */
const HALF_SPREAD = { ofPrice: 0.000_04, ofVolatility: 0.7 } as const;
/** The most orders in one rung. Quotes that drifted into the same rung beyond that are cancelled. */
const MOST_A_RUNG = 2;
/** How far inventory shifts the quotes at most, in half-spreads, at which size it does, and how fast it is forgotten. */
const SKEW = { most: 1.5, everydayOrders: 12, halfLifeMs: 5_000 } as const;
/** Orders of others that rest this far (in half-spreads) beyond the fair price are taken. */
const STALE = 0.3;
const STALE_EVERYDAY_ORDERS = 6;
/** 1 / golden ratio: its multiples spread one random number evenly over all rungs. */
const GOLDEN = 0.618_033_988_749_894_9;

/** Outer bound of each rung, in half-spreads from the touch: dense near it, sparse far out. */
const REACH = Float64Array.from({ length: LEVELS }, (_, level) => {
  const rungs = level + 1;
  return 0.4 * rungs + (0.05 + 0.008 * rungs) * rungs * rungs;
});
/** Median size in everyday orders: small at the touch, and so large far out that no sweep empties a side. */
const DEPTH = Float64Array.from(
  { length: LEVELS },
  (_, level) => 1 + 0.4 * level + 0.02 * level * level * level,
);

interface Rung {
  readonly order: StreetOrder;
  readonly ticks: Ticks;
  /** Lots that were open at the last look. */
  leaves: Lots;
}

/**
 * The street's market maker. It quotes rungs on both sides of the fair price, wider when volatility is high, and
 * shifted against its inventory. It looks at the market a few times per second only, so that quick takers find its
 * quotes stale. It also takes orders of others that rest beyond the fair price. It draws two numbers per look, whatever
 * the book is.
 */
export class Ladder {
  readonly #random: Random;
  readonly #street: Street;
  readonly #scale: Scale;
  readonly #intensity: number;
  /** By price, the best first. */
  readonly #rungs: Readonly<Record<Side, Rung[]>> = { buy: [], sell: [] };
  #inventory = 0;
  #lastLook: number;
  /** Venue time of the next look. */
  next: number;

  constructor(options: {
    readonly random: Random;
    readonly street: Street;
    readonly scale: Scale;
    readonly intensity: number;
    readonly startTime: number;
  }) {
    this.#random = options.random;
    this.#street = options.street;
    this.#scale = options.scale;
    this.#intensity = Math.max(1, options.intensity);
    this.#lastLook = options.startTime;
    this.next = options.startTime;
  }

  look(now: number, latent: Latent): void {
    const wait = (LOOK_MS / this.#intensity) * (0.3 + 0.7 * this.#random.exponential());
    this.next = now + Math.max(1, Math.ceil(wait));
    const draw = this.#random.next();
    this.#countFills();
    this.#inventory *= Math.exp((-Math.LN2 * (now - this.#lastLook)) / SKEW.halfLifeMs);
    this.#lastLook = now;

    const { exactTicks, everydayLots, tick } = this.#scale;
    const fair = exactTicks(latent.price);
    const half = Math.max(
      tick / 2,
      fair * (HALF_SPREAD.ofPrice + HALF_SPREAD.ofVolatility * latent.volatility) * (0.75 + 0.5 * draw),
    );
    const lean = SKEW.most * Math.tanh(this.#inventory / (SKEW.everydayOrders * everydayLots));
    const center = fair - lean * half;
    this.#withdraw('buy', center - half + tick);
    this.#withdraw('sell', center + half - tick);
    this.#takeStale(fair, center, half);
    this.#requote('buy', center, half, draw);
    this.#requote('sell', center, half, draw);
  }

  #countFills(): void {
    for (const side of ['buy', 'sell'] as const) {
      const rungs = this.#rungs[side];
      let kept = 0;
      for (const rung of rungs) {
        const { leaves, status } = rung.order;
        this.#inventory += signOf(side) * (rung.leaves - leaves);
        rung.leaves = leaves;
        if (status === 'active') rungs[kept++] = rung;
      }
      rungs.length = kept;
    }
  }

  /** Cancels quotes that are more aggressive than `edge`. */
  #withdraw(side: Side, edge: number): void {
    const rungs = this.#rungs[side];
    let inside = 0;
    for (const rung of rungs) {
      if (signOf(side) * (rung.ticks - edge) <= 0) break;
      this.#street.cancel(rung.order);
      inside++;
    }
    if (inside > 0) rungs.splice(0, inside);
  }

  /** Takes stale orders of others. It never meets its own: `#withdraw` has left those a tick further out. */
  #takeStale(fair: number, center: number, half: number): void {
    const { bestAsk, bestBid } = this.#street;
    const { priceFor, lots, everydayLots, tick } = this.#scale;
    const quantity = lots(STALE_EVERYDAY_ORDERS * everydayLots);
    const cheap = Math.min(fair - STALE * half, center + half - 2 * tick);
    const dear = Math.max(fair + STALE * half, center - half + 2 * tick);
    if (bestAsk !== undefined && bestAsk < cheap) this.#street.take('buy', priceFor('buy', cheap), quantity);
    else if (bestBid !== undefined && bestBid > dear)
      this.#street.take('sell', priceFor('sell', dear), quantity);
  }

  /**
   * Renews the quotes in one pass from the touch outwards: keeps those within a rung's reach, fills empty rungs and
   * thins crowded ones.
   */
  #requote(side: Side, center: number, half: number, draw: number): void {
    const sign = signOf(side);
    const rungs = this.#rungs[side];
    const touch = center - sign * half;
    const kept: Rung[] = [];
    let old = 0;
    let outer = 0;
    for (let level = 0; level < LEVELS; level++) {
      const inner = outer;
      outer = half * (REACH[level] as number);
      let count = 0;
      for (; old < rungs.length; old++) {
        const rung = rungs[old] as Rung;
        if (sign * (touch - rung.ticks) >= outer) break;
        if (count++ < MOST_A_RUNG) kept.push(rung);
        else this.#street.cancel(rung.order);
      }
      if (count > 0) continue;
      const share = fraction(draw + (2 * level + (sign + 1) / 2) * GOLDEN);
      const depth = level === 0 ? 0 : inner + (outer - inner) * 0.8 * share;
      const rung = this.#place(side, touch - sign * depth, level, share);
      if (rung !== undefined) kept.push(rung);
    }
    for (; old < rungs.length; old++) this.#street.cancel((rungs[old] as Rung).order);
    rungs.length = 0;
    rungs.push(...kept);
  }

  #place(side: Side, exact: number, level: number, share: number): Rung | undefined {
    const { priceFor, lots, everydayLots } = this.#scale;
    const ticks = priceFor(side, exact);
    // A logistic distribution, close to a normal one: half of the sizes are within a factor of two of the median.
    const spread = Math.log((share + 0.01) / (1.01 - share)) * 0.6;
    const quantity = lots(everydayLots * (DEPTH[level] as number) * Math.exp(spread));
    const order = this.#street.rest(side, ticks, quantity);
    return order === undefined ? undefined : { order, ticks, leaves: quantity };
  }
}

function fraction(value: number): number {
  return value - Math.floor(value);
}
