/** A stretch of ids that never came; ids and ms, all inclusive. */
export interface IdGap {
  readonly firstId: number;
  readonly lastId: number;
  /** Times of the trades before and after it. */
  readonly from: number;
  readonly to: number;
}

/** A trade whose time is earlier than that of the trade with the id before: the venue's clock went back. */
export interface ClockJump {
  readonly id: string;
  /** Of the trade after the jump, ms. */
  readonly time: number;
  readonly backMs: number;
}

export interface RepeatedTrade {
  readonly id: string;
  readonly time: number;
}

/** Faults that are listed, of each kind; what is beyond is counted. */
const MOST_LISTED = 10_000;
/** Of ids that are no numbers, so many are remembered. */
const REMEMBERED = 65_536;

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
  #repeats = 0;
  readonly #repeated: RepeatedTrade[] = [];
  #jumps = 0;
  readonly #jumped: ClockJump[] = [];
  #recent = new Set<string>();
  #older = new Set<string>();
  /** Ids between the lowest and the highest that were not seen yet, ascending. */
  #holes: IdGap[] = [];

  /**
   * How often the clock that stamped the trades went back: a trade's time is before that of the one with the next lower
   * id that there is.
   */
  get clockJumps(): number {
    return this.#jumps + this.#jumpsOverHoles().length;
  }

  /** The first of them, in the order in which they showed. */
  get jumps(): readonly ClockJump[] {
    return [...this.#jumped, ...this.#jumpsOverHoles()];
  }

  /** Rows whose id came before; of ids that are no numbers, not more than some 65 536 rows before. */
  get duplicates(): number {
    return this.#repeats;
  }

  /** The first of them, in the order of the tape. */
  get repeated(): readonly RepeatedTrade[] {
    return this.#repeated;
  }

  get isContiguous(): boolean {
    return this.#kind === 'decimal' && this.#steps > 0 && this.#unitSteps >= this.#steps * CONTIGUOUS_SHARE;
  }

  /** Ids that never came, ascending; empty when the ids cannot tell. */
  get gaps(): readonly IdGap[] {
    return this.isContiguous ? this.#holes : [];
  }

  /** False when the id came before. */
  next(id: string, time: number): boolean {
    if (this.#kind === 'opaque') return this.#nextOpaque(id, time);
    const number = Number(id);
    if (id.length > MOST_DIGITS || !Number.isSafeInteger(number) || String(number) !== id) {
      this.#giveUp();
      return this.#nextOpaque(id, time);
    }
    if (this.#kind === 'unknown') {
      this.#kind = 'decimal';
      this.#lowest = number;
      this.#lowestTime = time;
      this.#setHighest(number, time);
      return true;
    }
    if (number > this.#highest) {
      this.#rise(number, time);
      return true;
    }
    if (number < this.#lowest) {
      this.#sink(number, time);
      return true;
    }
    return this.#fill(number, time);
  }

  #rise(number: number, time: number): void {
    this.#steps += 1;
    if (number === this.#highest + 1) {
      this.#unitSteps += 1;
      if (time < this.#highestTime) this.#jump(number, time, this.#highestTime);
    } else {
      this.#holes.push({
        firstId: this.#highest + 1,
        lastId: number - 1,
        from: this.#highestTime,
        to: time,
      });
    }
    this.#setHighest(number, time);
    // Ids that jump all the time are not contiguous; nothing is lost by not listing their holes.
    if (this.#holes.length > MOST_HOLES) this.#giveUp();
  }

  #sink(number: number, time: number): void {
    if (number === this.#lowest - 1) {
      if (time > this.#lowestTime) this.#jump(this.#lowest, this.#lowestTime, time);
    } else {
      this.#holes.unshift({
        firstId: number + 1,
        lastId: this.#lowest - 1,
        from: time,
        to: this.#lowestTime,
      });
    }
    this.#lowest = number;
    this.#lowestTime = time;
  }

  #setHighest(id: number, time: number): void {
    this.#highest = id;
    this.#highestTime = time;
  }

  #fill(id: number, time: number): boolean {
    const index = this.#holeOf(id);
    const hole = this.#holes[index];
    if (hole === undefined || hole.lastId < id) {
      this.#repeat(String(id), time);
      return false;
    }
    if (hole.firstId === id && time < hole.from) this.#jump(id, time, hole.from);
    if (hole.lastId === id && time > hole.to) this.#jump(id + 1, hole.to, time);
    const parts: IdGap[] = [];
    if (hole.firstId < id) parts.push({ ...hole, lastId: id - 1, to: time });
    if (id < hole.lastId) parts.push({ ...hole, firstId: id + 1, from: time });
    this.#holes.splice(index, 1, ...parts);
    return true;
  }

  #nextOpaque(id: string, time: number): boolean {
    if (this.#recent.has(id) || this.#older.has(id)) {
      this.#repeat(id, time);
      return false;
    }
    if (this.#recent.size >= REMEMBERED) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    this.#recent.add(id);
    return true;
  }

  #jumpsOverHoles(): ClockJump[] {
    return this.#holes
      .filter(({ from, to }) => from > to)
      .map(({ lastId, from, to }) => ({ id: String(lastId + 1), time: to, backMs: from - to }));
  }

  #repeat(id: string, time: number): void {
    this.#repeats += 1;
    if (this.#repeated.length < MOST_LISTED) this.#repeated.push({ id, time });
  }

  #jump(id: number, time: number, before: number): void {
    this.#jumps += 1;
    if (this.#jumped.length < MOST_LISTED) {
      this.#jumped.push({ id: String(id), time, backMs: before - time });
    }
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
