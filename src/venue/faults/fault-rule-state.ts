import type { FaultEffect, FaultRule, FaultWindow, Span } from '../../model/fault-rule.js';
import { type Random, seededRandom } from '../../model/random.js';
import { placeTest } from './fault-place.js';
import type { FaultRequest } from './fault-request.js';

/** A rule that strikes a request, in full detail: nothing about it is left to chance any more. */
export interface Strike {
  /** Which of the requests at the rule's place this is, from 1. */
  readonly match: number;
  /** With every span drawn, and windows turned into spans. */
  readonly effect: FaultEffect;
  /** For the details that depend on the answer: which rows. */
  readonly seed: string;
}

/** One rule and what it has seen. It draws from a stream of its own, so that rules do not disturb each other. */
export class FaultRuleState {
  readonly rule: FaultRule;
  readonly isAtPlace: (request: FaultRequest) => boolean;
  readonly #random: Random;
  readonly #planSeed: string;
  readonly #startTime: number;
  #matched = 0;
  #struck = 0;
  #overruled = 0;

  constructor(rule: FaultRule, planSeed: string | number, startTime: number) {
    this.rule = rule;
    this.isAtPlace = placeTest(rule.place);
    this.#random = seededRandom(planSeed).fork(rule.name);
    this.#planSeed = String(planSeed);
    this.#startTime = startTime;
  }

  get counts() {
    return { matched: this.#matched, struck: this.#struck, overruled: this.#overruled };
  }

  /** Whether the rule strikes this request. Each request at its place is counted, and draws one number if any does. */
  consider(request: FaultRequest): Strike | undefined {
    if (!this.isAtPlace(request)) return undefined;
    const { when, name } = this.rule;
    const match = ++this.#matched;
    const isDrawn = when.probability === undefined || this.#random.next() < when.probability;
    const window = windowAt(when.window, request.time - this.#startTime);
    const strikes =
      isDrawn &&
      window !== undefined &&
      (when.limit === undefined || this.#struck < when.limit) &&
      (when.index === undefined || when.index.includes(match)) &&
      (when.every === undefined || match % when.every === 0) &&
      (when.requests === undefined || (match >= when.requests[0] && match <= when.requests[1]));
    if (!strikes) return undefined;
    const seed = this.rule.seed ?? `${this.#planSeed}/${name}/${match}`;
    return { match, effect: settled(this.rule.effect, window, seededRandom(seed).fork('span')), seed };
  }

  /** What became of a strike: it happened, or an earlier rule left nothing for it to do. Only the former has a limit. */
  settle(isApplied: boolean): void {
    if (isApplied) this.#struck += 1;
    else this.#overruled += 1;
  }
}

/** A window as seen from inside: ms since it began and until it ends. */
interface Inside {
  readonly sinceMs: number;
  readonly leftMs: number;
}

function windowAt(window: FaultWindow | undefined, elapsed: number): Inside | undefined {
  if (window === undefined) return { sinceMs: elapsed, leftMs: Number.POSITIVE_INFINITY };
  const { fromMs, untilMs, repeatMs } = window;
  const since = elapsed - fromMs;
  if (since < 0) return undefined;
  const sinceMs = repeatMs === undefined ? since : since % repeatMs;
  const leftMs = untilMs - fromMs - sinceMs;
  return leftMs > 0 ? { sinceMs, leftMs } : undefined;
}

/** The effect without its chances: spans drawn, and what depends on the window written out. */
function settled(effect: FaultEffect, window: Inside, random: Random): FaultEffect {
  switch (effect.kind) {
    case 'late-execution':
    case 'late-visibility':
    case 'delay':
      return { ...effect, delayMs: drawn(effect.delayMs, random) };
    case 'duplicate-execution':
      return { ...effect, gapMs: drawn(effect.gapMs, random) };
    case 'stale-read': {
      const { ageMs = exactly(window.sinceMs) } = effect;
      return { ...effect, ageMs: drawn(ageMs, random) };
    }
    case 'freeze':
      if (effect.thaw === 'drop' || window.leftMs === Number.POSITIVE_INFINITY)
        return { kind: 'lost-request' };
      return { kind: 'late-execution', delayMs: exactly(window.leftMs), answer: 'own', msg: '' };
    case 'outage':
      switch (effect.answer) {
        case 'none':
          return { kind: 'lost-request' };
        case 'reset':
          return { kind: 'reset', executed: false };
        case 'gateway-page':
          return { kind: 'gateway-page', executed: false, status: 502, location: undefined };
        case 'unavailable':
          return { kind: 'unavailable', executed: false, msg: effect.msg };
      }
    default:
      return effect;
  }
}

function drawn([low, high]: Span, random: Random): Span {
  return exactly(low === high ? low : random.integer(low, high));
}

function exactly(ms: number): Span {
  return [ms, ms];
}
