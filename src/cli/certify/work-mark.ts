import { type Mark, STRATEGY_PARTS, type StrategyPart } from '../../daemon/marked-strategy.js';

/** Calls of the strategy, number of the part that runs now from 1 (0: none), event ms since the first event of the run. */
const CALLS = 0;
const PART = 1;
const TIME = 2;
const WORDS = 3;

/** Where a strategy is in its run, as another thread sees it: shared memory, since a thread that hangs answers nothing. */
export class WorkMark implements Mark {
  readonly shared: SharedArrayBuffer;
  readonly #words: Float64Array;
  #now: () => number = () => 0;
  #since: number | undefined;

  /** Without `shared` a new one begins. */
  constructor(shared = new SharedArrayBuffer(WORDS * Float64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#words = new Float64Array(shared);
  }

  begin(): void {
    this.#since = undefined;
    this.#words[PART] = 0;
  }

  /** `now`: event time of the life that starts. */
  follow(now: () => number): void {
    this.#now = now;
  }

  enter(part: StrategyPart): void {
    // As it is made there is no event yet, and no time.
    const now = part === 'create' ? undefined : this.#now();
    this.#since ??= now;
    this.#words[CALLS] = this.calls + 1;
    this.#words[TIME] = (now ?? this.#since ?? 0) - (this.#since ?? 0);
    this.#words[PART] = STRATEGY_PARTS.indexOf(part) + 1;
  }

  leave(): void {
    this.#words[PART] = 0;
  }

  get calls(): number {
    return this.#words[CALLS] as number;
  }

  /** What runs now. */
  get part(): StrategyPart | undefined {
    return STRATEGY_PARTS[(this.#words[PART] as number) - 1];
  }

  get timeMs(): number {
    return this.#words[TIME] as number;
  }
}
