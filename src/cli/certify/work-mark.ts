import { type Mark, STRATEGY_PARTS, type StrategyPart } from '../../daemon/marked-strategy.js';

/**
 * Words of the memory: number of calls; number of the part that is running, from 1 (0: none); event ms since the first
 * event.
 */
const CALLS = 0;
const PART = 1;
const TIME = 2;
const WORDS = 3;

/**
 * Shows another thread where a strategy is in its run. Uses shared memory, because a hanging thread answers no message.
 */
export class WorkMark implements Mark {
  readonly shared: SharedArrayBuffer;
  readonly #words: Float64Array;
  #now: () => number = () => 0;
  #since: number | undefined;

  /** Without `shared`, allocates new memory. */
  constructor(shared = new SharedArrayBuffer(WORDS * Float64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#words = new Float64Array(shared);
  }

  begin(): void {
    this.#since = undefined;
    this.#words[PART] = 0;
  }

  /** Follows the life that is starting; `now` returns its event time, ms. */
  follow(now: () => number): void {
    this.#now = now;
  }

  enter(part: StrategyPart): void {
    // While it is created, there is no event and hence no time yet.
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

  /** The part of the strategy that is running; `undefined`: none. */
  get part(): StrategyPart | undefined {
    return STRATEGY_PARTS[(this.#words[PART] as number) - 1];
  }

  get timeMs(): number {
    return this.#words[TIME] as number;
  }
}
