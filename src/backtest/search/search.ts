import type { Sampler } from './sampler.js';
import type { Space, Texts } from './space.js';

/** So many points are asked for at a time, however many threads there are: what is proposed depends on nothing else. */
const GENERATION = 8;
/** Of a sampler that learns nothing: none of many threads is ever without work for long. */
const BLIND_GENERATION = 512;
/** So many times in a row nothing new was proposed: there is no more. */
const MOST_REPEATS = 64;

export interface SearchOptions<Outcome> {
  readonly space: Space;
  readonly sampler: Sampler;
  /** How many different points are tried at most. */
  readonly budget: number;
  /** Several at once; each settles by itself. */
  readonly attempt: (texts: Texts, number: number) => Promise<Outcome>;
  /** Higher is better; `undefined` where there is no figure. */
  readonly scoreOf: (outcome: Outcome) => number | undefined;
}

export interface Tried<Outcome> {
  /** From 1, in the order in which they were proposed. */
  readonly number: number;
  readonly texts: Texts;
  readonly outcome: Outcome;
}

/**
 * Tries points of a space until the budget is spent or there is no other. The same sampler gives the same trials in the
 * same order, however many run at once and whichever of them is over first.
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
