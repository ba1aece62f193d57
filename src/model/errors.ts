/** The values behind an error. They are printed and logged, so they must never contain a secret. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * We or the user made a mistake: an impossible transition, a bad configuration, a broken strategy file. Events that
 * trading has to expect (a refusal, a rejection, a gap) are data and never exceptions.
 *
 * The message names what must hold and what was received.
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

/** A strategy's own code threw, or did something that a strategy must not do. `cause.stack` holds its file and line. */
export class StrategyError extends TickwrightError {}

/** A strategy ended the whole process earlier; it stays blocked until somebody resumes it. */
export class StrategyBlocked extends StrategyError {}
