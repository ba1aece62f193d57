/** Values that say what went wrong; they are printed and logged, so no secret may ever be among them. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * We or the user are wrong: an impossible transition, a bad configuration, a broken strategy file.
 * What trading expects (a refusal, a rejection, a gap) is data, never an exception.
 *
 * The message says what must be what and what was received.
 */
export class TickwrightError extends Error {
  /** Stable for programs: `TICKWRIGHT_E_…`. */
  readonly code: string;
  readonly facts: ErrorFacts;

  constructor(code: string, message: string, options: { facts?: ErrorFacts; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.facts = options.facts ?? {};
  }
}

/** The user's input (command line, configuration, data file, strategy file) is not what it must be: exit code 2. */
export class UsageError extends TickwrightError {}

/** One of our own invariants does not hold: a bug of ours, exit code 70. */
export class InvariantError extends TickwrightError {
  constructor(message: string, options: { facts?: ErrorFacts; cause?: unknown } = {}) {
    super('TICKWRIGHT_E_INVARIANT', message, options);
  }
}

/** A strategy's own code threw, or did what a strategy may not do. Its own file and line are in `cause.stack`. */
export class StrategyError extends TickwrightError {}

/** A strategy hung the whole process before, and is kept from running until somebody resumes it. */
export class StrategyBlocked extends StrategyError {}
