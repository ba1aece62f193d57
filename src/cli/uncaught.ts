/**
 * What trades in this process, and must end in order before an error that nobody caught ends the process: a package of a
 * strategy may throw in a timer, or leave a promise rejected.
 */
export interface Trading {
  /** The error as one of the strategy; the same error where it is none of its. */
  readonly explain: (error: unknown) => unknown;
  /** Begins the end. Resolves when nothing but the end itself is to be waited for. */
  readonly end: (error: unknown) => Promise<void>;
}

const trading = new Set<Trading>();

/** The result ends it. */
export function endsAtUncaught(one: Trading): () => void {
  trading.add(one);
  return () => void trading.delete(one);
}

export interface UncaughtEnd {
  /** The error, of a strategy where that is known. */
  readonly error: unknown;
  /** Whether something ends in order now. */
  readonly isOrderly: boolean;
  readonly begun: Promise<unknown>;
}

export function endByUncaught(thrown: unknown): UncaughtEnd {
  const all = [...trading];
  const error = all.map(({ explain }) => explain(thrown)).find((each) => each !== thrown) ?? thrown;
  return {
    error,
    isOrderly: all.length > 0,
    begun: Promise.allSettled(all.map(({ end }) => end(error))),
  };
}
