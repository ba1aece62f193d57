import type { JournalRecord } from '../model/journal-record.js';
import type { Lots } from '../model/grid.js';

/**
 * The getters of `FillBook` say what the fields mean. `known`:
 * ids of counted fills with their venue ms, oldest known first.
 */
export interface FillBookState {
  readonly pair: string;
  readonly position: Lots;
  /** Venue ms. A fill below it counts as known: its id may be forgotten. */
  readonly floor: number;
  readonly newest: number;
  readonly wholeTo: number;
  readonly known: readonly (readonly [id: string, time: number])[];
}

/** Ids of fills are kept for this long behind `wholeTo`, venue ms; those of newer fills as long as there is room. */
const REMEMBERED_MS = 86_400_000;
/** The most ids: at this number the older half is forgotten, even beyond `wholeTo`. */
const CAPACITY = 50_000;
/** Old ids are forgotten each time that their number is a multiple of this, so that equal records give equal books. */
const CLEANED_AT = 1_000;

/**
 * The position of a pair: its checkpoint plus all fills since, each counted once by its id. A fill below the floor counts as
 * known even without its id: the checkpoint includes it, or it was counted long ago.
 */
export class FillBook {
  readonly pair: string;
  /** Id → venue ms, oldest known first. */
  readonly #known: Map<string, number>;
  #position: number;
  #floor: number;
  #newest: number;
  #wholeTo: number;

  private constructor({ pair, position, floor, newest, wholeTo, known }: FillBookState) {
    this.pair = pair;
    this.#position = position;
    this.#floor = floor;
    this.#newest = newest;
    this.#wholeTo = wholeTo;
    this.#known = new Map(known);
  }

  static from({ pair, position, time, fillIds }: Extract<JournalRecord, { kind: 'checkpoint' }>): FillBook {
    const known = fillIds.map((id) => [id, time] as const);
    return new FillBook({ pair, position, floor: time, newest: time, wholeTo: time, known });
  }

  /** For a pair without a checkpoint: flat, and every fill counts. */
  static empty(pair: string): FillBook {
    return new FillBook({ pair, position: 0 as Lots, floor: 0, newest: 0, wholeTo: 0, known: [] });
  }

  static restore(state: FillBookState): FillBook {
    return new FillBook(state);
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
   * Every fill up to this venue ms is booked. Unlike `newest` it moves only when the books agree with the venue: a fill
   * that a single order showed says nothing about the fills of other orders before it.
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

  /** True for a fill whose id is known, whatever its time. */
  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /** `lots` is signed. False when it was counted already. */
  add(id: string, time: number, lots: number): boolean {
    if (this.has(id, time)) return false;
    return this.addLater(id, time, lots);
  }

  /**
   * `add` of a fill that the checkpoint cannot include and whose id
   * cannot be forgotten: it counts even if its time is below the floor.
   */
  addLater(id: string, time: number, lots: number): boolean {
    if (this.knows(id)) return false;
    this.#known.set(id, time);
    this.#position += lots;
    this.#newest = Math.max(this.#newest, time);
    if (this.#known.size % CLEANED_AT === 0) this.#forget();
    return true;
  }

  /** Forgets at most the older half: one fill dated far ahead must not make the book forget all the others. */
  #forget(): void {
    const times = [...this.#known.values()].sort((a, b) => a - b);
    const middle = times[times.length >> 1] as number;
    const agreed = times.length < CAPACITY ? this.#wholeTo - REMEMBERED_MS : middle;
    this.#floor = Math.max(this.#floor, Math.min(middle, agreed));
    for (const [id, time] of this.#known) if (time < this.#floor) this.#known.delete(id);
  }
}
