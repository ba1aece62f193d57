import type { Market } from '../../model/market.js';
import type { Holding } from '../core/account.js';

/**
 * Far above the error of the floats below, as a fraction of a price. That is meant of costs up to 2^106 units, of which
 * `Units.number` is the nearest double; none comes near.
 */
const ROOM = 1e-9;

/**
 * Between which marks a cross position that is its account's only one cannot be below its maintenance margin, on the
 * safe side: an estimate in floats which says when the core, that knows exactly, has to look. Equity W + s·p − K is to
 * stay above (m₀ + r·N)·N with N = |s|·p (`money.md` §3).
 */
export class MarginBounds {
  readonly #isMargined: boolean;
  readonly #quantityScale: number;
  readonly #unitsPerQuote: number;
  readonly #base: number;
  readonly #slope: number;
  /** Marks strictly between these two need no look; quote units. */
  above = Number.NEGATIVE_INFINITY;
  below = Number.POSITIVE_INFINITY;

  constructor({ contract, margin, quantityGrid, quotePrecision }: Market) {
    this.#isMargined = contract === 'linear';
    this.#quantityScale = quantityGrid.scale;
    this.#unitsPerQuote = 10 ** quotePrecision;
    this.#base = Number(margin.maintenance.numerator) / Number(margin.maintenance.denominator);
    const { numerator, denominator } = margin.maintenanceRiskLimit;
    this.#slope = Number(numerator) / Number(denominator);
  }

  set({ lots, costUnits, cash, leverage }: Holding): void {
    if (lots === 0 || !this.#isMargined) {
      this.above = Number.NEGATIVE_INFINITY;
      this.below = Number.POSITIVE_INFINITY;
      return;
    }
    const free = (cash.cashUnits.number - costUnits.number) / this.#unitsPerQuote;
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
