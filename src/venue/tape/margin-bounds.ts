import type { Market } from '../../model/market.js';
import type { Holding } from '../core/account.js';

/**
 * Safety margin as a fraction of a price, far above the errors of the doubles below. These errors assume costs of up to
 * 2^106 units, of which `Units.number` is the nearest double; real costs are much smaller.
 */
const ROOM = 1e-9;

/**
 * The marks of a market between which a cross position cannot bring its account below the maintenance margin. This
 * estimate in doubles errs on the safe side; outside of the bounds the core makes the exact check. Equity W + s·p − K
 * must stay above (m₀ + r·N)·N with N = |s|·p (`money.md` §3). The value of the account's other positions at their
 * present marks, less their own maintenance margin, is added to W.
 */
export class MarginBounds {
  readonly #isMargined: boolean;
  readonly #quantityScale: number;
  readonly #unitsPerQuote: number;
  readonly #base: number;
  readonly #slope: number;
  readonly #holding: Holding;
  /** No check is needed while the mark is strictly between these two; quote units. */
  above = Number.NEGATIVE_INFINITY;
  below = Number.POSITIVE_INFINITY;

  constructor(holding: Holding) {
    this.#holding = holding;
    const { contract, margin, quantityGrid, quotePrecision }: Market = holding.state.market;
    this.#isMargined = contract === 'linear';
    this.#quantityScale = quantityGrid.scale;
    this.#unitsPerQuote = 10 ** quotePrecision;
    this.#base = Number(margin.maintenance.numerator) / Number(margin.maintenance.denominator);
    const { numerator, denominator } = margin.maintenanceRiskLimit;
    this.#slope = Number(numerator) / Number(denominator);
  }

  /**
   * What the position has to spare at the present mark, without the cash; quote units, below 0 when it needs some of the
   * cash.
   */
  get spare(): number {
    const { lots, costUnits, state } = this.#holding;
    if (lots === 0 || !this.#isMargined) return 0;
    const { mark } = state;
    if (mark === undefined) return Number.NEGATIVE_INFINITY;
    const value = (lots / this.#quantityScale) * (mark / state.market.priceGrid.scale);
    const size = Math.abs(value);
    const maintenance = (this.#base + this.#slope * size) * size;
    return value - costUnits.number / this.#unitsPerQuote - maintenance * (1 + ROOM);
  }

  /**
   * Computes the bounds after a change of cash or position. `others`: what the account's other positions have to spare.
   */
  set(others: number): void {
    const { lots, costUnits, cash, leverage } = this.#holding;
    if (lots === 0 || !this.#isMargined) {
      this.above = Number.NEGATIVE_INFINITY;
      this.below = Number.POSITIVE_INFINITY;
      return;
    }
    const free = (cash.cashUnits.number - costUnits.number) / this.#unitsPerQuote + others;
    const size = Math.abs(lots) / this.#quantityScale;
    // a·N² + b·N < free is safe; the linear term contains what the position itself gains or loses.
    const a = this.#slope;
    const b = this.#base - (lots > 0 ? 1 : -1);
    const inner = b * b + 4 * a * free;
    // An isolated position has a margin of its own. Nothing here opens one, so no bounds are computed and the core checks
    // every print.
    if (leverage !== undefined || !(inner >= 0)) {
      this.above = Number.POSITIVE_INFINITY;
      this.below = Number.NEGATIVE_INFINITY;
      return;
    }
    const root = Math.sqrt(inner);
    // The root without cancellation is computed directly, and the other one from the product of both, −free/a.
    if (b > 0)
      this.#between(
        a === 0 ? Number.NEGATIVE_INFINITY : (-b - root) / (2 * a),
        (2 * free) / (b + root),
        size,
      );
    else
      this.#between(
        (-2 * free) / (root - b),
        a === 0 ? Number.POSITIVE_INFINITY : (root - b) / (2 * a),
        size,
      );
  }

  #between(least: number, most: number, size: number): void {
    this.above = (least * (1 + ROOM)) / size;
    this.below = (most * (1 - ROOM)) / size;
  }
}

/** The bounds of all markets of an account: each position's use of the cash leaves less for the others. */
export class AccountMargins {
  readonly #parts: MarginBounds[] = [];

  add(holding: Holding): MarginBounds {
    const bounds = new MarginBounds(holding);
    this.#parts.push(bounds);
    return bounds;
  }

  /** To be called after a change of the cash or of a position. */
  renew(): void {
    for (let at = 0; at < this.#parts.length; at++) this.#renew(this.#parts[at] as MarginBounds);
  }

  /** To be called when the marks of the account's other markets may have moved since. */
  renewOne(bounds: MarginBounds): void {
    if (this.#parts.length > 1) this.#renew(bounds);
  }

  #renew(bounds: MarginBounds): void {
    let others = 0;
    for (let at = 0; at < this.#parts.length; at++) {
      const other = this.#parts[at] as MarginBounds;
      if (other !== bounds) others += other.spare;
    }
    bounds.set(others);
  }
}
