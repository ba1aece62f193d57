/** A stretch of ids that never came; ids and ms, all inclusive. */
export interface IdGap {
  readonly firstId: number;
  readonly lastId: number;
  /** Times of the trades before and after it. */
  readonly from: number;
  readonly to: number;
}

const MOST_DIGITS = 15;
const MOST_HOLES = 100_000;
const CONTIGUOUS_SHARE = 0.9;

/**
 * Watches ids in the order of the tape and tells what is missing, twice there, or out of order.
 *
 * Only decimal ids of up to 15 digits can tell. Missing ones count as gaps when the ids are *contiguous*: at least nine
 * of ten steps from one id to the next higher one are exactly 1 (where ids are shared between pairs, steps are larger
 * and mean nothing).
 */
export class IdSequence {
  #kind: 'unknown' | 'decimal' | 'opaque' = 'unknown';
  #lowest = 0;
  #lowestTime = 0;
  #highest = 0;
  #highestTime = 0;
  #steps = 0;
  #unitSteps = 0;
  #duplicates = 0;
  #clockJumps = 0;
  /** Ids between the lowest and the highest that were not seen yet, ascending. */
  #holes: IdGap[] = [];

  /** Trades whose time is later than that of a trade with a higher id: the clock that stamped them went back. */
  get clockJumps(): number {
    return this.#clockJumps;
  }

  /** Ids that came more than once; `undefined` when the ids cannot tell. */
  get duplicates(): number | undefined {
    return this.#kind === 'decimal' ? this.#duplicates : undefined;
  }

  get isContiguous(): boolean {
    return this.#kind === 'decimal' && this.#steps > 0 && this.#unitSteps >= this.#steps * CONTIGUOUS_SHARE;
  }

  /** Ids that never came, ascending; empty when the ids cannot tell. */
  get gaps(): readonly IdGap[] {
    return this.isContiguous ? this.#holes : [];
  }

  next(id: string, time: number): void {
    if (this.#kind === 'opaque') return;
    const number = Number(id);
    if (id.length > MOST_DIGITS || !Number.isSafeInteger(number) || String(number) !== id) {
      this.#giveUp();
      return;
    }
    if (this.#kind === 'unknown') {
      this.#kind = 'decimal';
      this.#lowest = number;
      this.#lowestTime = time;
      this.#setHighest(number, time);
    } else if (number > this.#highest) {
      this.#steps += 1;
      if (number === this.#highest + 1) this.#unitSteps += 1;
      else
        this.#holes.push({
          firstId: this.#highest + 1,
          lastId: number - 1,
          from: this.#highestTime,
          to: time,
        });
      this.#setHighest(number, time);
      // Ids that jump all the time are not contiguous; nothing is lost by not listing their holes.
      if (this.#holes.length > MOST_HOLES) this.#giveUp();
    } else if (number < this.#lowest) {
      this.#clockJumps += 1;
      if (number < this.#lowest - 1) {
        this.#holes.unshift({
          firstId: number + 1,
          lastId: this.#lowest - 1,
          from: this.#lowestTime,
          to: time,
        });
      }
      this.#lowest = number;
    } else {
      this.#fill(number);
    }
  }

  #setHighest(id: number, time: number): void {
    this.#highest = id;
    this.#highestTime = time;
  }

  #fill(id: number): void {
    const index = this.#holeOf(id);
    const hole = this.#holes[index];
    if (hole === undefined || hole.lastId < id) {
      this.#duplicates += 1;
      return;
    }
    this.#clockJumps += 1;
    const parts: IdGap[] = [];
    if (hole.firstId < id) parts.push({ ...hole, lastId: id - 1 });
    if (id < hole.lastId) parts.push({ ...hole, firstId: id + 1 });
    this.#holes.splice(index, 1, ...parts);
  }

  /** Index of the last hole that starts at or below the id. */
  #holeOf(id: number): number {
    let low = 0;
    let high = this.#holes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#holes[middle] as IdGap).firstId <= id) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #giveUp(): void {
    this.#kind = 'opaque';
    this.#holes = [];
  }
}
