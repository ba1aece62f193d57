import type { Sampler } from './sampler.js';
import type { Space, Texts } from './space.js';

/**
 * Number of points that are requested at a time. Independent of the number of threads, so that the proposals are as
 * well.
 */
const GENERATION = 8;
/** The same for a sampler that does not learn: large enough that threads are rarely idle. */
const BLIND_GENERATION = 512;
/** After this many generations without a new point, the space counts as exhausted. */
const MOST_REPEATS = 64;

export interface SearchOptions<Outcome> {
  readonly space: Space;
  readonly sampler: Sampler;
  /** The most different points that are tried. */
  readonly budget: number;
  /** Runs a trial. Several run at the same time. */
  readonly attempt: (texts: Texts, number: number) => Promise<Outcome>;
  /** The score of a trial, higher is better; `undefined` if it has none. */
  readonly scoreOf: (outcome: Outcome) => number | undefined;
}

export interface Tried<Outcome> {
  /** Counts from 1, in the order of the proposals. */
  readonly number: number;
  readonly texts: Texts;
  readonly outcome: Outcome;
}

/**
 * Tries points of a space until the budget is spent or no new points are proposed. The same sampler gives the same
 * trials in the same order, however many run at once and whichever ends first.
 */
export async function search<Outcome>(options: SearchOptions<Outcome>): Promise<readonly Tried<Outcome>[]> {
  const { space, sampler, budget, attempt, scoreOf } = options;
  const generation = sampler.learns ? GENERATION : BLIND_GENERATION;
  const tried = new Map<string, Tried<Outcome>>();
  for (let repeats = 0; tried.size < budget && repeats < MOST_REPEATS; repeats++) {
    const points = sampler.ask(Math.min(generation, budget - tried.size));
    if (points.length === 0) break;
    const begun = new Map<string, Promise<Tried<Outcome>>>();
    const proposed = points.map((point) => ({ point, texts: space.texts(point) }));
    for (const { texts } of proposed) {
      const key = keyOf(texts);
      if (tried.has(key) || begun.has(key)) continue;
      const number = tried.size + begun.size + 1;
      begun.set(
        key,
        attempt(texts, number).then((outcome) => ({ number, texts, outcome })),
      );
    }
    const fresh = await Promise.all(begun.values());
    for (const each of fresh) tried.set(keyOf(each.texts), each);
    for (const { point, texts } of proposed) {
      const { outcome } = tried.get(keyOf(texts)) as Tried<Outcome>;
      sampler.tell(point, scoreOf(outcome) ?? Number.NEGATIVE_INFINITY);
    }
    if (fresh.length > 0) repeats = -1;
  }
  return [...tried.values()];
}

function keyOf(texts: Texts): string {
  return JSON.stringify(Object.values(texts));
}
