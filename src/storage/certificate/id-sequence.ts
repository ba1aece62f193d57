import { type IdGap, idGap, isBackward, isInPart, joinGaps } from './id-gap.js';

/** A trade whose time is earlier than that of the trade with the preceding id, because the venue's clock went back. */
export interface ClockJump {
  readonly id: string;
  /** Time of the trade after the jump, ms. */
  readonly time: number;
  readonly backMs: number;
}

export interface RepeatedTrade {
  readonly id: string;
  readonly time: number;
}

/** The most faults of each kind that are listed; all are counted. */
const MOST_LISTED = 10_000;
/** Repeats of ids that are, or are treated as, non-numeric are found within this many rows at least. */
const REMEMBERED = 65_536;

/** The most gaps that are kept separately; beyond, those that lie close together are merged. */
export const MOST_GAPS = 100_000;
const CONTIGUOUS_SHARE = 0.9;

/**
 * Checks ids in the order of the tape, and finds missing and repeated ids and jumps of the clock.
 *
 * Only decimal ids below 2^53 can show missing trades. They do so if they are *contiguous*: at least nine of
 * ten steps to the next higher id are exactly 1. Where pairs share ids, steps are larger and mean nothing. Ids that are
 * not contiguous and have left more than 100 000 holes are treated like non-numeric ids.
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
  /** Ranges of ids between the lowest and the highest that were not seen yet, ascending. */
  #holes: IdGap[] = [];
  /** Ids that came after their hole had been merged with others. */
  readonly #late = new Set<number>();

  /**
   * How often the clock that stamped the trades went back: a trade's time is before that of the trade with the next
   * lower id.
   */
  get clockJumps(): number {
    return this.#jumps + this.#jumpsOverHoles().length;
  }

  /**
   * The jumps of the clock: the first ten thousand between adjacent ids, in the order in which they showed, then those
   * over gaps.
   */
  get jumps(): readonly ClockJump[] {
    return [...this.#jumped, ...this.#jumpsOverHoles()];
  }

  /**
   * Number of rows whose id occurred before. For ids that are, or are treated as, non-numeric: within some 65 536 rows
   * before.
   */
  get duplicates(): number {
    return this.#repeats;
  }

  /** The first repeats, at most ten thousand, in the order of the tape. */
  get repeated(): readonly RepeatedTrade[] {
    return this.#repeated;
  }

  get isContiguous(): boolean {
    return this.#kind === 'decimal' && this.#steps > 0 && this.#unitSteps >= this.#steps * CONTIGUOUS_SHARE;
  }

  /** Ranges of ids that never came, ascending; empty if the ids are not contiguous. */
  get gaps(): readonly IdGap[] {
    return this.isContiguous ? this.#holes : [];
  }

  /** Takes the next id. Returns false if it occurred before. */
  next(id: string, time: number): boolean {
    if (this.#kind === 'opaque') return this.#nextOpaque(id, time);
    const number = Number(id);
    if (!Number.isSafeInteger(number) || String(number) !== id) {
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

  /**
   * Bounds the memory of the holes. Ids with so many holes that are not contiguous show no gaps, so their holes are
   * dropped.
   */
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

  /** Fills an id of a merged hole. The trades next to it are not known, so a jump of the clock there is not reported. */
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

  /** Index of the last hole that starts at or below the id; -1 without one. */
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
