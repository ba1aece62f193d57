import type { Fill } from './fill.js';
import type { Lots } from './grid.js';
import type { OrderTerms } from './order.js';
import type { PairState } from './pair-state.js';

/** One intent over all lives of a bot: `<session>-<intentId>`. It is also the tag, where the venue echoes one. */
export type IntentKey = string;

/** How much of the kill switch is on (`reliability.md` c.3). */
export type HaltLevel = 'pause' | 'cancel' | 'flatten' | 'stop';

/**
 * What a journal holds (`reliability.md` c.9): all that is needed to know, after any crash, what was sent, what became
 * of it and what is held. Times are venue ms, `wall` is our own clock's ms; both for people, neither for ordering.
 */
export type JournalRecord =
  /** A life of the bot begins. */
  | {
      readonly kind: 'start';
      readonly session: string;
      readonly wall: number;
      readonly engine: string;
      /** sha-256 by name: strategy, config, profile. */
      readonly hashes: Readonly<Record<string, string>>;
    }
  /**
   * What a tick and a lot of the pair are from here on, as digits after the point; never fewer than before. Journals of
   * earlier versions have none.
   */
  | { readonly kind: 'grid'; readonly pair: string; readonly price: number; readonly quantity: number }
  /** An order is about to be sent, once; durable before its first byte leaves. */
  | {
      readonly kind: 'prep';
      readonly intent: IntentKey;
      readonly pair: string;
      readonly terms: OrderTerms;
      readonly tag: string | undefined;
      readonly sentAt: number;
      /** The last venue ms at which a venue that keeps to the receive window takes it; absent where it says no time. */
      readonly validUntil: number | undefined;
      readonly wall: number;
      readonly bodySha256: string;
      /** Own position that the order was decided on. */
      readonly position: Lots;
    }
  /** What the answer to the one request proved. */
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
   * An order at the venue is bound to an intent by evidence. `own`: the intent's order · `late`: it was given up as not
   * placed and showed up all the same · `surplus`: one more than the intent asked for.
   */
  | {
      readonly kind: 'adopt';
      readonly intent: IntentKey;
      readonly orderId: string;
      readonly as: 'own' | 'late' | 'surplus';
      readonly evidence: string;
    }
  /** An intent in doubt is judged. `not-placed` leaves a tombstone that is watched; `disputed` needs an operator. */
  | {
      readonly kind: 'verdict';
      readonly intent: IntentKey;
      readonly verdict: 'refused' | 'not-placed' | 'disputed';
      readonly time: number;
      readonly evidence: string;
    }
  /** The final quantity of an order id that ever entered the books. */
  | {
      readonly kind: 'end';
      readonly intent: IntentKey;
      readonly orderId: string;
      readonly status: 'filled' | 'canceled';
      readonly filled: Lots;
      readonly time: number;
    }
  /** Each fill of the account on a pair, once. Without an intent it is of no order of ours. */
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
  /** The position from which fills are counted on: what a first start finds, or what an operator vouches for by name. */
  | {
      readonly kind: 'checkpoint';
      readonly pair: string;
      readonly position: Lots;
      /** Fills up to this venue ms are in it, and of those at the same ms the ones named. */
      readonly time: number;
      readonly fillIds: readonly string[];
      readonly by: string;
      readonly reason: string;
    }
  /** Books and venue agreed: every fill up to this venue ms is booked. Written as fills come. */
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
  /** Equity that the losses of a UTC day count from; decimal text in the quote asset. `tripped`: they reached their bound. */
  | {
      readonly kind: 'baseline';
      readonly day: string;
      readonly equity: string;
      readonly tripped: boolean;
      /** What limits remember beyond a day; absent where no limit does. */
      readonly memory?: RiskMemory | undefined;
      readonly wall: number;
    }
  /** Said no to, for `why`. */
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
 * Highest equity and whether its fall reached the bound; losing round trips in a row, their pause, and what the open one
 * has settled. Money is decimal text in the quote asset.
 */
export interface RiskMemory {
  readonly peak?: string | undefined;
  readonly fell: boolean;
  readonly losses: number;
  /** Venue ms. */
  readonly pausedUntil: number;
  /** Absent: nothing. */
  readonly open?: string | undefined;
}

export type JournalKind = JournalRecord['kind'];
