import type { Market } from '../../model/market.js';
import type { Holding } from '../core/account.js';

/**
 * Far above the error of the floats below, as a fraction of a price. That is meant of costs up to 2^106 units, of which
 * `Units.number` is the nearest double; none comes near.
 */
const ROOM = 1e-9;

/**
 * Between which marks of its market a cross position cannot bring its account below its maintenance margin, on the safe
 * side: an estimate in floats which says when the core, that knows exactly, has to look. Equity W + s·p − K is to stay
 * above (m₀ + r·N)·N with N = |s|·p (`money.md` §3); what the account's other positions are worth as they stand, less
 * their own maintenance margin, is on the side of W.
 */
export class MarginBounds {
  readonly #isMargined: boolean;
  readonly #quantityScale: number;
  readonly #unitsPerQuote: number;
  readonly #base: number;
  readonly #slope: number;
  readonly #holding: Holding;
  /** Marks strictly between these two need no look; quote units. */
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

  /** What the position has to spare at the mark of now, beside the cash; quote units, below 0 when it takes some of it. */
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

  /** Anew, after a change of cash or position. `others`: what the account's other positions have to spare. */
  set(others: number): void {
    const { lots, costUnits, cash, leverage } = this.#holding;
    if (lots === 0 || !this.#isMargined) {
      this.above = Number.NEGATIVE_INFINITY;
      this.below = Number.POSITIVE_INFINITY;
      return;
    }
    const free = (cash.cashUnits.number - costUnits.number) / this.#unitsPerQuote + others;
    const size = Math.abs(lots) / this.#quantityScale;
    // a·N² + b·N < free is safe; the linear term holds what the position itself gains or loses.
    const a = this.#slope;
    const b = this.#base - (lots > 0 ? 1 : -1);
    const inner = b * b + 4 * a * free;
    // Its own margin counts for an isolated position, which nothing here opens: the core looks at every print.
    if (leverage !== undefined || !(inner >= 0)) {
      this.above = Number.POSITIVE_INFINITY;
      this.below = Number.NEGATIVE_INFINITY;
      return;
    }
    const root = Math.sqrt(inner);
    // Of both roots first the one whose parts do not cancel, then the other from their product, −free/a.
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

/** The bounds of all markets of an account: what one position leaves of its cash, the others have. */
export class AccountMargins {
  readonly #parts: MarginBounds[] = [];

  add(holding: Holding): MarginBounds {
    const bounds = new MarginBounds(holding);
    this.#parts.push(bounds);
    return bounds;
  }

  /** Cash or a position changed. */
  renew(): void {
    for (let at = 0; at < this.#parts.length; at++) this.#renew(this.#parts[at] as MarginBounds);
  }

  /** Marks of the account's other markets have moved since. */
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
