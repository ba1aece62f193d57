import type { PositionSnapshot } from '../model/event.js';
import type { Fill } from '../model/fill.js';
import type { Market } from '../model/market.js';
import { amountOfMoney, type Money } from '../model/money.js';
import { applyFill, FLAT, Position } from '../model/position.js';

/** The position of one pair by our own fills, with the funding that the venue states or pays for it. */
export class HeldPosition {
  #now: Position = FLAT;
  /** Funding of the open round trip that `#now` counts, or that was paid before the session; units. */
  #funding: Money = 0n;

  #isAdopted = false;

  get now(): Position {
    return this.#now;
  }

  /**
   * Takes over the position that the venue shows before the session's first order; the newest one counts. What was settled
   * since the first one stays: only what was paid before that is in the cash that the session starts with.
   */
  adopt(position: PositionSnapshot, market: Market): void {
    if (this.#isAdopted) this.fund(position, market);
    this.#isAdopted = true;
    const { lots, averageEntry, funding = 0 } = position;
    const { priceGrid, unitsPerTickLot } = market;
    // The printed average is a rounded float. That is precise enough
    // for the open loss, and the cost is exact again once flat.
    const cost = BigInt(Math.round(lots * averageEntry * priceGrid.scale)) * unitsPerTickLot;
    const { realisedAmount, feesAmount, funding: received } = this.#now;
    this.#now = new Position(lots, amountOfMoney(cost), realisedAmount, feesAmount, received);
    this.#funding = unitsOf(funding, market);
  }

  /**
   * Takes in the funding that the venue states with a position. It belongs to ours while both are of the same size, and
   * begins at 0 with each round trip. Funding between the newest poll and the end of a round trip stays unknown here.
   */
  fund({ lots, funding = 0 }: PositionSnapshot, market: Market): void {
    if (lots !== this.#now.lots) return;
    const received = unitsOf(funding, market) - this.#funding;
    if (received === 0n) return;
    this.#funding += received;
    if (lots !== 0) this.#now = this.#now.withFunding(received);
  }

  /** Takes in funding that was received, where no snapshot states it. */
  receive(funding: Money): void {
    this.#now = this.#now.withFunding(funding);
  }

  fill(fill: Fill, market: Market): void {
    const { lots } = this.#now;
    this.#now = applyFill(market, this.#now, fill);
    if (Math.sign(lots) !== Math.sign(this.#now.lots)) this.#funding = 0n;
  }
}

function unitsOf(printed: number, { quotePrecision }: Market): Money {
  return BigInt(Math.round(printed * 10 ** quotePrecision));
}
