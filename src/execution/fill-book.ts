import type { JournalRecord } from '../model/journal-record.js';
import type { Lots } from '../model/grid.js';

export interface FillBookState {
  readonly pair: string;
  readonly position: Lots;
  readonly floor: number;
  readonly newest: number;
  readonly wholeTo: number;
  readonly known: readonly (readonly [id: string, time: number])[];
}

/** Ids are kept so long behind what was agreed, venue ms. What was not agreed is kept as long as there is room. */
const REMEMBERED_MS = 86_400_000;
/** Room for fills: when it is full the older half is forgotten, agreed or not. */
const CAPACITY = 50_000;
/** Whenever they are a multiple of this many, old ones are forgotten: what is known follows from the records alone. */
const CLEANED_AT = 1_000;

/**
 * The position of a pair as the sum of its fills since a checkpoint, each counted once by its id. Fills at or below the
 * floor that are not known by name are in the checkpoint, or were counted long ago.
 */
export class FillBook {
  readonly pair: string;
  /** Id → venue ms, oldest known first. */
  readonly #known: Map<string, number>;
  #position: number;
  #floor: number;
  #newest: number;
  #wholeTo: number;

  private constructor(
    pair: string,
    position: number,
    floor: number,
    newest: number,
    wholeTo: number,
    known: Map<string, number>,
  ) {
    this.pair = pair;
    this.#position = position;
    this.#floor = floor;
    this.#newest = newest;
    this.#wholeTo = wholeTo;
    this.#known = known;
  }

  static from({ pair, position, time, fillIds }: Extract<JournalRecord, { kind: 'checkpoint' }>): FillBook {
    return new FillBook(pair, position, time, time, time, new Map(fillIds.map((id) => [id, time])));
  }

  /** Of a pair that was never vouched for: flat, and every fill counts. */
  static empty(pair: string): FillBook {
    return new FillBook(pair, 0, 0, 0, 0, new Map());
  }

  static restore({ pair, position, floor, newest, wholeTo, known }: FillBookState): FillBook {
    return new FillBook(pair, position, floor, newest, wholeTo, new Map(known));
  }

  state(): FillBookState {
    return {
      pair: this.pair,
      position: this.position,
      floor: this.#floor,
      newest: this.#newest,
      wholeTo: this.#wholeTo,
      known: [...this.#known],
    };
  }

  get position(): Lots {
    return this.#position as Lots;
  }

  /** Venue ms of the newest fill, or of the checkpoint. */
  get newest(): number {
    return this.#newest;
  }

  /**
   * Every fill up to this venue ms is booked: what was read of single orders says nothing of the others, so it moves
   * only when the books agree with the venue.
   */
  get wholeTo(): number {
    return this.#wholeTo;
  }

  agreedTo(time: number): void {
    this.#wholeTo = time;
  }

  has(id: string, time: number): boolean {
    return time < this.#floor || this.#known.has(id);
  }

  /** By its name alone, whatever its time says. */
  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /** `lots` is signed. False when it was counted already. */
  add(id: string, time: number, lots: number): boolean {
    if (this.has(id, time)) return false;
    return this.addLater(id, time, lots);
  }

  /** The same of one that cannot be in the checkpoint, nor be forgotten, also where its time is below the floor. */
  addLater(id: string, time: number, lots: number): boolean {
    if (this.knows(id)) return false;
    this.#known.set(id, time);
    this.#position += lots;
    this.#newest = Math.max(this.#newest, time);
    if (this.#known.size % CLEANED_AT === 0) this.#forget();
    return true;
  }

  /** Never more than the older half: one fill with a time ahead of all others would take them all along. */
  #forget(): void {
    const times = [...this.#known.values()].sort((a, b) => a - b);
    const middle = times[times.length >> 1] as number;
    const agreed = times.length < CAPACITY ? this.#wholeTo - REMEMBERED_MS : middle;
    this.#floor = Math.max(this.#floor, Math.min(middle, agreed));
    for (const [id, time] of this.#known) if (time < this.#floor) this.#known.delete(id);
  }
}
