/*
 * What a strategy may say aloud, for projects whose types know neither Node nor a browser: those bring clocks, timers and the
 * network along, which no strategy may touch. Where one of them is known the declarations merge.
 */
declare global {
  /** Prints to stderr, so that stdout holds results only. */
  interface Console {
    debug(...said: unknown[]): void;
    error(...said: unknown[]): void;
    info(...said: unknown[]): void;
    log(...said: unknown[]): void;
    table(rows: unknown): void;
    warn(...said: unknown[]): void;
  }
  var console: Console;
}

export {};
