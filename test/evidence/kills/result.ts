export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** The built program: dist/cli/main.js of this repository or of a copy. */
  readonly program: string;
  /** Is made, and removed at the end unless something is wrong. */
  readonly folder: string;
  /** Default: the bound of a machine that does nothing else. */
  readonly syncedWithinMs?: number;
  /** Stops early, in order. */
  readonly isOver?: () => boolean;
  readonly onKill?: (done: number) => void;
}

/** What a run came to. All but the first group must be 0 or empty. */
export interface KillResult {
  readonly seed: number;
  readonly kills: number;
  /** Of them before the pair was SYNCED. */
  readonly killsBeforeSynced: number;
  /** Of them with an order request under way. */
  readonly killsUnderWay: number;
  /** Starts that ended with a read that the venue refused twice, and were followed by another one. */
  readonly refusedStarts: number;
  readonly orderlyStops: number;
  /** Of them those that left orders in doubt or not done, said so (exit code 5), and named each: apart from them the books must be right. */
  readonly unprovenStops: number;
  /** 1: the last stop left nothing open, and the books were the venue's. */
  readonly provenEnds: number;
  readonly records: number;
  readonly intents: number;
  readonly orders: number;
  readonly fills: number;
  /** Requests whose answer proved nothing, and what was found out of them and of those that died with a process. */
  readonly doubts: number;
  readonly adopted: number;
  readonly notPlaced: number;
  readonly faults: number;
  /** From the start of a process until it wrote down that the pair is SYNCED, ms, ascending. */
  readonly syncedMs: readonly number[];

  readonly lostRecords: number;
  readonly duplicates: number;
  readonly unprepared: number;
  readonly unknown: number;
  readonly phantom: number;
  readonly misjudged: number;
  /** Starts after which the pair was not SYNCED within the bound. */
  readonly notSynced: number;
  /** Orderly stops after which own position, fills or orders were not the venue's; and a last one that was not proven. */
  readonly wrongEnds: number;
  readonly secrets: number;
  readonly problems: readonly string[];
}
