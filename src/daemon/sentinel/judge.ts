/** Judges what a sentinel sees (`product.md` C15): takes looks and returns breaches. */
import { counted } from '../../model/counted.js';
import type { DaemonStatus, PairStatus } from '../daemon-api.js';
import { longestSilence } from '../silence.js';

/** One look at a daemon. `process` is a name of the process that is never used twice. */
export type Sight =
  /** No process runs, and the last one ended in order. */
  | { readonly kind: 'absent' }
  /** The process did not end in order, and no other took its place. */
  | { readonly kind: 'dead'; readonly process: string }
  /** The process runs and does not answer. */
  | {
      readonly kind: 'silent';
      readonly process: string;
      /** It never answered, and has not written that it is ready: it may be loading a large configuration. */
      readonly isStarting?: boolean;
    }
  | { readonly kind: 'answer'; readonly process: string; readonly status: DaemonStatus };

/** How long each state may last before it is a breach, ms. */
export interface SentinelBounds {
  /** The engine does not answer. */
  readonly hung: number;
  /** The process ended without order, and no other took its place. */
  readonly dead: number;
  /** It is ending, and does not get there; or it loads its configuration and does not answer yet. */
  readonly ending: number;
  /** The daemon has orders at the venue and hears nothing from there. At least four of its poll intervals are allowed. */
  readonly blind: number;
}

export interface Breach {
  readonly kind: 'hung' | 'dead' | 'blind' | 'lagging';
  /** The name of the process, so that each process is acted on once. */
  readonly process: string;
  readonly words: string;
}

/** Loop lag above which a daemon cannot react to its market: 1 of 100 timers is later than this, ms. */
const LAG_MS = 5_000;
/** How long a bad answer must last, ms: the first answers of a process that was stopped for a while soon change. */
const SURE_MS = 3_000;
/** A sentinel that missed this many looks was itself stopped, and the daemon may have been stopped with it. */
const GAP_LOOKS = 5;

/** Times are monotonic ms. */
export class SentinelJudge {
  readonly #bounds: SentinelBounds;
  readonly #everyMs: number;
  /** The trouble that every look has shown without a break, and since when. */
  #spell: { readonly of: string; readonly since: number } | undefined;
  /** When the sentinel last finished a look or an action; since then it only waits for the next look. */
  #lookedAt: number | undefined;
  #isWell = false;

  constructor({ bounds, everyMs }: { readonly bounds: SentinelBounds; readonly everyMs: number }) {
    this.#bounds = bounds;
    this.#everyMs = everyMs;
  }

  /** The newest look found no trouble at all, not even one that is still too young to be a breach. */
  get isWell(): boolean {
    return this.#isWell;
  }

  /** The sentinel was busy with an action until `now`: the time since the last look was not sleep. */
  worked(now: number): void {
    this.#lookedAt = now;
  }

  /** Takes one look. Returns the breach to act on, if any. */
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
        return sight.isStarting === true
          ? { kind: 'hung', process, boundMs: Math.max(hung, ending), words: 'it starts and does not answer' }
          : { kind: 'hung', process, boundMs: hung, words: 'it runs and does not answer' };
      case 'answer': {
        const { state, pairs, loopLag, uptimeMs } = sight.status;
        if (state === 'hung')
          return { kind: 'hung', process, boundMs: hung, words: 'its engine does not answer' };
        // A daemon that is ending does what it can; only the time that this takes is judged.
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

/**
 * Orders of a running session. Before a session has begun, the orders are the journal's: the pair waits, and is not
 * blind.
 */
function workingAt({ source, orders = [], doubt = 0 }: Partial<PairStatus>): number {
  return source === 'journal' ? 0 : orders.length + doubt;
}
