import type { FaultEffect, FaultRule, FaultWindow, Span } from '../../model/fault-rule.js';
import { type Random, seededRandom } from '../../model/random.js';
import { placeTest } from './fault-place.js';
import type { FaultRequest } from './fault-request.js';

/** A rule's decision to strike a request, with nothing left to chance. */
export interface Strike {
  /** Number of the request among those at the rule's place, from 1. */
  readonly match: number;
  /** The effect with every span drawn, and windows turned into spans. */
  readonly effect: FaultEffect;
  /** Seed of the details that depend on the answer, such as which rows it changes. */
  readonly seed: string;
}

/**
 * One rule with what it has seen. Each rule draws from its own random stream, so that rules do not influence each
 * other.
 */
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

  /**
   * Decides whether the rule strikes this request; `undefined`: it does not. Counts each request at the rule's place. A
   * rule with a probability draws one number for each of them, whether or not it could strike, so that its draws stay
   * in step.
   */
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

  /**
   * Notes the outcome of a strike: it took effect, or an earlier rule overruled it. Only the former counts towards the
   * limit.
   */
  settle(isApplied: boolean): void {
    if (isApplied) this.#struck += 1;
    else this.#overruled += 1;
  }
}

/** A point in a window: ms since the window began, and ms until it ends. */
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

/** The effect without chance: spans are drawn, and what depends on the window is written out. */
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
