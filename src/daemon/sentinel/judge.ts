/** What a sentinel makes of what it sees (`product.md` C15): looks in, breaches out. */
import { counted } from '../../model/counted.js';
import type { DaemonStatus, PairStatus } from '../daemon-api.js';
import { longestSilence } from '../silence.js';

/** One look at a daemon. `process`: a name that no other process ever has. */
export type Sight =
  /** Nobody runs, and whoever ran has ended in order. */
  | { readonly kind: 'absent' }
  /** It did not end in order, and nobody took its place. */
  | { readonly kind: 'dead'; readonly process: string }
  /** It runs and does not answer. */
  | { readonly kind: 'silent'; readonly process: string }
  | { readonly kind: 'answer'; readonly process: string; readonly status: DaemonStatus };

/** How long each may last, ms. */
export interface SentinelBounds {
  /** Its engine says nothing. */
  readonly hung: number;
  /** Its process ended without order, and none took its place. */
  readonly dead: number;
  /** It is ending, and does not get there. */
  readonly ending: number;
  /** It has orders at the venue and no news from there; four times as long as between two polls at least. */
  readonly blind: number;
}

export interface Breach {
  readonly kind: 'hung' | 'dead' | 'blind' | 'lagging';
  /** The name of the process that it is about: it is acted on once. */
  readonly process: string;
  readonly words: string;
}

/** Loop lag of a daemon that cannot react to its market any more: 99 of 100 timers are later than this, ms. */
const LAG_MS = 5_000;
/** What one that was stopped for a while says first is not what it will say soon. */
const SURE_MS = 3_000;
/** A sentinel that did not look for this long was stopped itself, and so may have been the daemon. */
const GAP_LOOKS = 5;

/** Times are monotonic ms. */
export class SentinelJudge {
  readonly #bounds: SentinelBounds;
  readonly #everyMs: number;
  /** What is seen of a process without a break, since when. */
  #spell: { readonly of: string; readonly since: number } | undefined;
  /** Since when it does nothing but wait for its next look. */
  #lookedAt: number | undefined;
  #isWell = false;

  constructor({ bounds, everyMs }: { readonly bounds: SentinelBounds; readonly everyMs: number }) {
    this.#bounds = bounds;
    this.#everyMs = everyMs;
  }

  /** The newest look found nothing wrong, not even for a moment. */
  get isWell(): boolean {
    return this.#isWell;
  }

  /** It was busy until now with what it had found, and did not sleep. */
  worked(now: number): void {
    this.#lookedAt = now;
  }

  /** To be told of each look; what is to be acted on, if anything. */
  see(sight: Sight, now: number): Breach | undefined {
    const slept = this.#lookedAt !== undefined && now - this.#lookedAt > GAP_LOOKS * this.#everyMs;
    this.#lookedAt = now;
    if (slept) this.#spell = undefined;
    const trouble = this.#troubleIn(sight);
    this.#isWell = trouble === undefined;
    if (trouble === undefined) {
      this.#spell = undefined;
      return undefined;
    }
    const { kind, process, boundMs, words } = trouble;
    const of = `${kind} ${process}`;
    if (this.#spell?.of !== of) this.#spell = { of, since: now };
    const forMs = now - this.#spell.since;
    if (forMs < boundMs) return undefined;
    return { kind, process, words: `${words} for ${Math.round(forMs / 1_000)} s` };
  }

  #troubleIn(sight: Sight): (Breach & { readonly boundMs: number }) | undefined {
    const { hung, dead, ending, blind } = this.#bounds;
    if (sight.kind === 'absent') return undefined;
    const { process } = sight;
    switch (sight.kind) {
      case 'dead':
        return {
          kind: 'dead',
          process,
          boundMs: dead,
          words: 'it ended without order, and nobody started it again',
        };
      case 'silent':
        return { kind: 'hung', process, boundMs: hung, words: 'it runs and does not answer' };
      case 'answer': {
        const { state, pairs, loopLag, uptimeMs } = sight.status;
        if (state === 'hung')
          return { kind: 'hung', process, boundMs: hung, words: 'its engine does not answer' };
        // One that is ending does what it can, and is judged by what it leaves.
        if (state === 'stopping')
          return { kind: 'hung', process, boundMs: ending, words: 'it does not come to its end' };
        const unseeing = pairs.find(
          ({ pollMs, pollAgeMs = uptimeMs, ...pair }) =>
            workingAt(pair) > 0 && pollAgeMs > longestSilence(blind, pollMs),
        );
        if (unseeing !== undefined) {
          const { pair, pollAgeMs = uptimeMs } = unseeing;
          const words = `its newest news of ${pair}, where it has ${counted(workingAt(unseeing), 'order')}, are ${Math.round(pollAgeMs / 1_000)} s old`;
          return { kind: 'blind', process, boundMs: SURE_MS, words };
        }
        if (loopLag.p99Ms > LAG_MS) {
          return {
            kind: 'lagging',
            process,
            boundMs: hung,
            words: `its timers are ${Math.round(loopLag.p99Ms)} ms late`,
          };
        }
        return undefined;
      }
    }
  }
}

/** Orders of its session: one that has not begun, and says what its journal has, is not blind but waits. */
function workingAt({ source, orders = [], doubt = 0 }: Partial<PairStatus>): number {
  return source === 'journal' ? 0 : orders.length + doubt;
}
