import type { Fill } from './fill.js';
import type { Lots } from './grid.js';
import type { OrderTerms } from './order.js';
import type { PairState } from './pair-state.js';

/** Identifies one intent over all sessions of a bot: `<session>-<intentId>`. Sent as the tag to venues that echo one. */
export type IntentKey = string;

/** How far the kill switch goes (`reliability.md` c.3). */
export type HaltLevel = 'pause' | 'cancel' | 'flatten' | 'stop';

/**
 * A record of the journal (`reliability.md` c.9). Together the records tell, after any crash, what was sent, what became
 * of it and what is held. `time` is venue ms and `wall` is ms of our own clock; both are for people, and the order of
 * records is their order in the file.
 */
export type JournalRecord =
  /** A session of the bot begins. */
  | {
      readonly kind: 'start';
      readonly session: string;
      readonly wall: number;
      readonly engine: string;
      /** sha-256 by name: strategy, config, profile. */
      readonly hashes: Readonly<Record<string, string>>;
    }
  /**
   * Digits after the point of the pair's ticks and lots in all records that follow; they never decrease. Where they grow,
   * a record with those of before precedes. Journals of earlier versions have no such record.
   */
  | { readonly kind: 'grid'; readonly pair: string; readonly price: number; readonly quantity: number }
  /** An order is about to be sent, once. The record is on the disk before the first byte of the request leaves. */
  | {
      readonly kind: 'prep';
      readonly intent: IntentKey;
      readonly pair: string;
      readonly terms: OrderTerms;
      readonly tag: string | undefined;
      readonly sentAt: number;
      /**
       * Last venue ms at which the venue accepts the request by its receive window; absent where the venue tells no time.
       */
      readonly validUntil: number | undefined;
      readonly wall: number;
      readonly bodySha256: string;
      /** Own position on which the decision was based. */
      readonly position: Lots;
    }
  /** What the answer to the request proves. */
  | {
      readonly kind: 'out';
      readonly intent: IntentKey;
      readonly outcome: 'accepted';
      readonly orderId: string;
    }
  | {
      readonly kind: 'out';
      readonly intent: IntentKey;
      readonly outcome: 'refused' | 'not-sent' | 'in-doubt';
      readonly reason: string;
    }
  /**
   * Evidence binds an order at the venue to an intent. `own`: it is the intent's order · `late`: the intent was given up
   * as not placed, and its order showed up later · `surplus`: a further order beyond the one that the intent asked for.
   */
  | {
      readonly kind: 'adopt';
      readonly intent: IntentKey;
      readonly orderId: string;
      readonly as: 'own' | 'late' | 'surplus';
      readonly evidence: string;
    }
  /**
   * A verdict on an intent in doubt. After `not-placed` the intent is watched further, in case its order shows up late;
   * `disputed` needs an operator.
   */
  | {
      readonly kind: 'verdict';
      readonly intent: IntentKey;
      readonly verdict: 'refused' | 'not-placed' | 'disputed';
      readonly time: number;
      readonly evidence: string;
    }
  /** Final filled quantity of an order that was ever in the venue's book. */
  | {
      readonly kind: 'end';
      readonly intent: IntentKey;
      readonly orderId: string;
      readonly status: 'filled' | 'canceled';
      readonly filled: Lots;
      readonly time: number;
    }
  /** Each fill of the account on a pair, once. Without an intent, the fill belongs to no order of ours. */
  | {
      readonly kind: 'fill';
      readonly pair: string;
      readonly fill: Fill;
      readonly intent: IntentKey | undefined;
      readonly liquidation: boolean;
    }
  | {
      readonly kind: 'cancel';
      readonly intent: IntentKey;
      readonly orderId: string;
      readonly why: string;
    }
  /**
   * The position from which fills are counted on: found at the first start, or asserted by an operator, who is named in
   * `by`.
   */
  | {
      readonly kind: 'checkpoint';
      readonly pair: string;
      readonly position: Lots;
      /**
       * The position includes all fills before this venue ms, and of the fills at this very ms only those in `fillIds`.
       */
      readonly time: number;
      readonly fillIds: readonly string[];
      readonly by: string;
      readonly reason: string;
    }
  /** Our books and the venue's agreed: every fill up to this venue ms is booked. Written when fills come. */
  | { readonly kind: 'cut'; readonly pair: string; readonly position: Lots; readonly time: number }
  | {
      readonly kind: 'state';
      readonly pair: string;
      readonly state: PairState;
      readonly reason: string;
      readonly time: number;
    }
  | {
      readonly kind: 'halt';
      readonly level: HaltLevel;
      readonly reason: string;
      readonly by: string;
      readonly wall: number;
    }
  | { readonly kind: 'resume'; readonly reason: string; readonly by: string; readonly wall: number }
  /**
   * Equity from which the losses of a UTC day are counted; decimal text in the quote asset. `tripped`: the daily limit
   * was reached.
   */
  | {
      readonly kind: 'baseline';
      readonly day: string;
      readonly equity: string;
      readonly tripped: boolean;
      /** What limits remember beyond a day; absent where no such limit is set. */
      readonly memory?: RiskMemory | undefined;
      /**
       * The transfers that `equity` and the highest equity include; absent where they are not known, as in journals of
       * earlier versions.
       */
      readonly transfers?: TransferMark | undefined;
      readonly wall: number;
    }
  /** A refusal, kept for the command `why`. */
  | {
      readonly kind: 'refusal';
      readonly pair: string;
      readonly intent: IntentKey | undefined;
      readonly rule: string;
      readonly asked: string;
      readonly bound: string;
      readonly reason: string;
      readonly time: number;
    }
  | { readonly kind: 'note'; readonly text: string; readonly wall: number };

/**
 * The memory of limits that span days. `peak`: highest equity; `fell`: the fall from it reached its bound. `losses`:
 * losing round trips in a row. `open`: what the open round trip has settled so far. Money is decimal text in the quote
 * asset.
 */
export interface RiskMemory {
  readonly peak?: string | undefined;
  readonly fell: boolean;
  readonly losses: number;
  /** End of the pause after losing round trips, venue ms. */
  readonly pausedUntil: number;
  /** Absent: nothing was settled. */
  readonly open?: string | undefined;
}

/**
 * Which deposits and withdrawals of the quote asset a cash includes: those before `until` (venue ms of their detection or
 * submission) but for the ones in `open`, and of those at `until` the ones in `last`. Names are `deposit 7` and
 * `withdrawal 3`.
 */
export interface TransferMark {
  readonly until: number;
  readonly last: readonly string[];
  readonly open: readonly string[];
}

export type JournalKind = JournalRecord['kind'];
