/** The words of a fault plan: what goes wrong between a client and a venue, where, and when. Data only. */

/** What goes wrong with the way of one request; at most one of these happens to it. */
export type WayFault =
  /** It never reaches the venue; the connection stays open without an answer. */
  | { readonly kind: 'lost-request' }
  /** It is executed; the connection stays open without an answer. */
  | { readonly kind: 'lost-response' }
  /** An error envelope of status 503 instead of the venue's answer. */
  | { readonly kind: 'unavailable'; readonly executed: boolean; readonly msg: string }
  /** A page of HTML from something in between; with a `location`, a redirect. */
  | {
      readonly kind: 'gateway-page';
      readonly executed: boolean;
      readonly status: number;
      readonly location: string | undefined;
    }
  /**
   * Executed; the body breaks off after this fraction of its bytes. `broken`: the announced length is that of the
   * whole body, and the connection ends early; `whole`: HTTP is in order, only the JSON is cut.
   */
  | { readonly kind: 'truncated'; readonly keep: number; readonly framing: 'broken' | 'whole' }
  /** Executed; the body comes in small pieces, real ms apart. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly everyMs: number }
  /** Executed; the body is padded with this many bytes of white space. */
  | { readonly kind: 'huge-answer'; readonly bytes: number }
  /** The connection is torn down (RST). */
  | { readonly kind: 'reset'; readonly executed: boolean }
  /**
   * Executed this much later, whoever still waits; the venue judges its age then. Meanwhile the client gets `answer`;
   * `own`: it waits for the venue's answer.
   */
  | {
      readonly kind: 'late-execution';
      readonly delayMs: Span;
      readonly answer: LateAnswer;
      readonly msg: string;
    }
  /** Refused unexecuted with status 429 and the wait in its message. */
  | { readonly kind: 'throttle'; readonly waitMs: number }
  /** Nothing is executed. Usually with a time window. */
  | { readonly kind: 'outage'; readonly answer: Exclude<LateAnswer, 'own'>; readonly msg: string }
  /**
   * The venue stands still: connections are accepted and nothing is answered until the window ends. Then what waited
   * is executed and answered, as by a stopped process that continues, or dropped.
   */
  | { readonly kind: 'freeze'; readonly thaw: 'execute' | 'drop' };

export type LateAnswer = 'none' | 'unavailable' | 'gateway-page' | 'reset' | 'own';

/** What goes wrong with the records of an answer; several of these may happen to one. */
export type ContentFault =
  /** Reads only: the answer as of so long ago; without an age, as of the beginning of the rule's time window. */
  | { readonly kind: 'stale-read'; readonly ageMs: Span | undefined }
  /** Reads only: orders, fills, trades and transfers are absent until they are this old. */
  | { readonly kind: 'late-visibility'; readonly delayMs: Span }
  | { readonly kind: 'reordered-rows'; readonly order: 'shuffle' | 'reverse' }
  /** This share of the rows, at least one, stands there twice. */
  | { readonly kind: 'duplicated-rows'; readonly share: number }
  /** Every `status`, or a share of them, reads so. */
  | { readonly kind: 'unknown-status'; readonly status: string; readonly share: number }
  /** The field of this name, wherever it stands, or in a share of its places. */
  | {
      readonly kind: 'altered-field';
      readonly field: string;
      readonly value: string | number | boolean | null;
      readonly share: number;
    };

export type FaultEffect =
  | WayFault
  | ContentFault
  /** Something in between sends the request again: `copies` more executions, each this long after the one before. */
  | {
      readonly kind: 'duplicate-execution';
      readonly copies: number;
      readonly gapMs: Span;
      /** Whose answer the client gets. */
      readonly answer: 'first' | 'last';
    }
  /** The answer, whatever it is, leaves this much later; real ms. */
  | { readonly kind: 'delay'; readonly delayMs: Span }
  /** The `Date` header and /time are off by this; what the venue judges requests by is not. */
  | { readonly kind: 'clock-skew'; readonly offsetMs: number };

export type FaultKind = FaultEffect['kind'];

/** Uniform between two numbers of ms, both inclusive; drawn each time. */
export type Span = readonly [low: number, high: number];

/** Which requests a rule looks at; what is left out may be anything. */
export interface FaultPlace {
  readonly method?: string | undefined;
  /** Any of these; `*` stands for any characters. */
  readonly paths?: readonly string[] | undefined;
  /** Name of the account whose key the request carries. */
  readonly account?: string | undefined;
  /** GET and HEAD are reads. Default all. */
  readonly calls?: 'read' | 'write' | 'all' | undefined;
}

/** When a rule strikes among the requests at its place; all that is given must hold. Nothing given: always. */
export interface FaultWhen {
  /** Of striking, 0 to 1. */
  readonly probability?: number | undefined;
  /** The n-th requests at the place, from 1. */
  readonly index?: readonly number[] | undefined;
  /** Each n-th of them. */
  readonly every?: number | undefined;
  /** From the first to the last of these, both inclusive. */
  readonly requests?: readonly [first: number, last: number] | undefined;
  /** Venue ms since the plan began: from (inclusive) to until (exclusive). */
  readonly window?: FaultWindow | undefined;
  /** Most strikes. */
  readonly limit?: number | undefined;
}

export interface FaultWindow {
  readonly fromMs: number;
  /** Infinity: for good. */
  readonly untilMs: number;
  /** The window comes again after this long, counted from its beginning. */
  readonly repeatMs?: number | undefined;
}

export interface FaultRule {
  /** Unique in its plan; also names the rule's own stream of random numbers. */
  readonly name: string;
  readonly place: FaultPlace;
  readonly when: FaultWhen;
  readonly effect: FaultEffect;
  /** Of the details (which rows, how long) of each strike; for strikes that are played again. Default: the plan's. */
  readonly seed?: string | undefined;
}

/** A whole plan. Of two rules that contradict each other at one request, the first one counts. */
export interface FaultPlanTerms {
  readonly seed: string | number;
  readonly rules: readonly FaultRule[];
}
