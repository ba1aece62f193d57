import { type IdGap, idGap, isBackward, isInPart, joinGaps } from './id-gap.js';

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
/** So many gaps are told one by one; where there are more, those that lie close together are told as one. */
export const MOST_GAPS = 100_000;
const CONTIGUOUS_SHARE = 0.9;

/**
 * Watches ids in the order of the tape and tells what is missing, twice there, or out of order.
 *
 * Only decimal ids of up to 15 digits can tell. Missing ones count as gaps when the ids are *contiguous*: at least nine
 * of ten steps from one id to the next higher one are exactly 1 (where ids are shared between pairs, steps are larger
 * and mean nothing). Where they are not, and have left more than 100 000 holes, they are taken for ids that are no numbers.
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
  /** Ids that came after their hole had become one with others. */
  readonly #late = new Set<number>();

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

  /** Rows whose id came before; of ids that are no numbers, or are taken for such, not more than some 65 536 rows before. */
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
    const isNew = this.#place(number, time);
    if (this.#holes.length > MOST_GAPS) this.#tidy();
    return isNew;
  }

  #place(number: number, time: number): boolean {
    if (number >= this.#lowest && number <= this.#highest) return this.#fill(number, time);
    if (number > this.#highest) this.#rise(number, time);
    else this.#sink(number, time);
    return true;
  }

  /** Ids that jump all the time are not contiguous: nothing is lost by not listing their holes. */
  #tidy(): void {
    if (!this.isContiguous) {
      this.#giveUp();
      return;
    }
    this.#holes = joinGaps(this.#holes, (hole) => {
      if (isBackward(hole)) this.#jump(hole.lastId + 1, hole.to, hole.from);
    });
  }

  #rise(number: number, time: number): void {
    this.#steps += 1;
    if (number === this.#highest + 1) {
      this.#unitSteps += 1;
      if (time < this.#highestTime) this.#jump(number, time, this.#highestTime);
    } else {
      this.#holes.push(idGap(this.#highest + 1, number - 1, { from: this.#highestTime, to: time }));
    }
    this.#setHighest(number, time);
  }

  #sink(number: number, time: number): void {
    if (number === this.#lowest - 1) {
      if (time > this.#lowestTime) this.#jump(this.#lowest, this.#lowestTime, time);
    } else {
      this.#holes.unshift(idGap(number + 1, this.#lowest - 1, { from: time, to: this.#lowestTime }));
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
    if (hole.parts !== undefined) return this.#fillPart(index, hole, id, time);
    if (hole.firstId === id && time < hole.from) this.#jump(id, time, hole.from);
    if (hole.lastId === id && time > hole.to) this.#jump(id + 1, hole.to, time);
    const parts: IdGap[] = [];
    if (hole.firstId < id) parts.push(idGap(hole.firstId, id - 1, { from: hole.from, to: time }));
    if (id < hole.lastId) parts.push(idGap(id + 1, hole.lastId, { from: time, to: hole.to }));
    this.#holes.splice(index, 1, ...parts);
    return true;
  }

  /** Which trades stand around it is not known any more: whether the clock went back there is not told. */
  #fillPart(index: number, hole: IdGap, id: number, time: number): boolean {
    if (hole.parts === undefined || !isInPart(hole.parts, id) || this.#late.has(id)) {
      this.#repeat(String(id), time);
      return false;
    }
    this.#late.add(id);
    if (hole.missing === 1) this.#holes.splice(index, 1);
    else this.#holes[index] = { ...hole, missing: hole.missing - 1 };
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
      .filter(isBackward)
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
    this.#late.clear();
  }
}
