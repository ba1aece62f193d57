/**
 * The vocabulary of a fault plan: what goes wrong between a client and a venue, at which requests, and when. Data only.
 */

/** A fault in the transport of one request. At most one of these strikes a request. */
export type WayFault =
  /** The request never reaches the venue; the connection stays open without an answer. */
  | { readonly kind: 'lost-request' }
  /** The venue executes the request; the connection stays open without an answer. */
  | { readonly kind: 'lost-response' }
  /**
   * The client gets an error envelope of status 503 instead of the venue's answer. `executed`: the venue acted all the
   * same.
   */
  | { readonly kind: 'unavailable'; readonly executed: boolean; readonly msg: string }
  /** A proxy answers with an HTML page; with a `location`, the page is a redirect. */
  | {
      readonly kind: 'gateway-page';
      readonly executed: boolean;
      readonly status: number;
      readonly location: string | undefined;
    }
  /**
   * The request is executed, and the body ends after the fraction `keep` of its bytes. `broken`: the announced length is
   * that of the whole body and the connection ends early. `whole`: the HTTP framing is correct and only the JSON is cut.
   */
  | { readonly kind: 'truncated'; readonly keep: number; readonly framing: 'broken' | 'whole' }
  /** The request is executed; the body arrives in pieces of `bytes` bytes, one every `everyMs` real milliseconds. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly everyMs: number }
  /** The request is executed; the body is padded with `bytes` bytes of white space. */
  | { readonly kind: 'huge-answer'; readonly bytes: number }
  /** The connection is torn down (RST). */
  | { readonly kind: 'reset'; readonly executed: boolean }
  /**
   * The venue executes the request `delayMs` later, even if the client has given up waiting, and judges its age at that
   * moment. Meanwhile the client gets `answer`; with `own` it waits for the venue's own answer.
   */
  | {
      readonly kind: 'late-execution';
      readonly delayMs: Span;
      readonly answer: LateAnswer;
      readonly msg: string;
    }
  /** The request is not executed; the client gets status 429 with the time to wait in the message. */
  | { readonly kind: 'throttle'; readonly waitMs: number }
  /** No request is executed. Usually combined with a time window. */
  | { readonly kind: 'outage'; readonly answer: Exclude<LateAnswer, 'own'>; readonly msg: string }
  /**
   * The venue stands still: it accepts connections and answers nothing until the time window ends. Then `execute` runs
   * and answers the waiting requests, like a stopped process that continues; `drop` discards them.
   */
  | { readonly kind: 'freeze'; readonly thaw: 'execute' | 'drop' };

export type LateAnswer = 'none' | 'unavailable' | 'gateway-page' | 'reset' | 'own';

/** A fault in the records of an answer. Several of these may strike one answer. */
export type ContentFault =
  /** Reads only: the answer as of `ageMs` ago; with `undefined`, as of the beginning of the rule's time window. */
  | { readonly kind: 'stale-read'; readonly ageMs: Span | undefined }
  /** Reads only: orders, fills, trades and transfers are left out until they are `delayMs` old. */
  | { readonly kind: 'late-visibility'; readonly delayMs: Span }
  | { readonly kind: 'reordered-rows'; readonly order: 'shuffle' | 'reverse' }
  /** This share of the rows, and at least one, appears twice. */
  | { readonly kind: 'duplicated-rows'; readonly share: number }
  /** The field `status` has this text, in the given share of the rows (1: in all of them). */
  | { readonly kind: 'unknown-status'; readonly status: string; readonly share: number }
  /** The field of this name has this value, in the given share of the places where it occurs. */
  | {
      readonly kind: 'altered-field';
      readonly field: string;
      readonly value: string | number | boolean | null;
      readonly share: number;
    };

export type FaultEffect =
  | WayFault
  | ContentFault
  /** A proxy sends the request again: the venue executes it `copies` more times, each `gapMs` after the one before. */
  | {
      readonly kind: 'duplicate-execution';
      readonly copies: number;
      readonly gapMs: Span;
      /** Whose answer the client gets. */
      readonly answer: 'first' | 'last';
    }
  /** Every answer leaves `delayMs` later, in real milliseconds. */
  | { readonly kind: 'delay'; readonly delayMs: Span }
  /** The `Date` header and /time are off by `offsetMs`; the clock by which the venue judges requests is not. */
  | { readonly kind: 'clock-skew'; readonly offsetMs: number };

export type FaultKind = FaultEffect['kind'];

/** A range of ms, both ends inclusive; each strike draws uniformly from it. */
export type Span = readonly [low: number, high: number];

/** The requests that a rule applies to. An absent field matches every request. */
export interface FaultPlace {
  readonly method?: string | undefined;
  /** Path patterns, of which one must match; `*` stands for any characters. */
  readonly paths?: readonly string[] | undefined;
  /** Name of the account whose key the request carries. */
  readonly account?: string | undefined;
  /** GET and HEAD are reads, everything else is a write. Default `all`. */
  readonly calls?: 'read' | 'write' | 'all' | undefined;
}

/**
 * When a rule strikes among the requests at its place. All given conditions must hold; without any, it strikes always.
 */
export interface FaultWhen {
  /** Probability of a strike, 0 to 1. */
  readonly probability?: number | undefined;
  /** Ordinal numbers of the requests at the place that are struck, from 1. */
  readonly index?: readonly number[] | undefined;
  /** Strike at each n-th request at the place. */
  readonly every?: number | undefined;
  /** First and last ordinal number of the requests that may be struck, both inclusive. */
  readonly requests?: readonly [first: number, last: number] | undefined;
  /** Time in which the rule may strike, venue ms since the plan began. */
  readonly window?: FaultWindow | undefined;
  /** Largest number of strikes. */
  readonly limit?: number | undefined;
}

export interface FaultWindow {
  /** Inclusive. */
  readonly fromMs: number;
  /** Exclusive. Infinity: the window never ends. */
  readonly untilMs: number;
  /** The window repeats with this period, ms, counted from its beginning. Absent: it occurs once. */
  readonly repeatMs?: number | undefined;
}

export interface FaultRule {
  /** Unique in its plan; also names the rule's own stream of random numbers. */
  readonly name: string;
  readonly place: FaultPlace;
  readonly when: FaultWhen;
  readonly effect: FaultEffect;
  /**
   * Seeds the details of each strike (which rows, how long), so that a recorded strike can be played again. Default: the
   * plan's.
   */
  readonly seed?: string | undefined;
}

/** A whole plan. Where two rules contradict each other at one request, the earlier rule counts. */
export interface FaultPlanTerms {
  readonly seed: string | number;
  readonly rules: readonly FaultRule[];
}
