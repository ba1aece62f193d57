import type { SessionObserver } from '../../session/session-core.js';

/** Combines two observers into one that calls both, in this order. */
export function bothObserve(first: SessionObserver, second: SessionObserver | undefined): SessionObserver {
  if (second === undefined) return first;
  return {
    input(...words) {
      first.input?.(...words);
      second.input?.(...words);
    },
    decision(...words) {
      first.decision?.(...words);
      second.decision?.(...words);
    },
    baseline(words) {
      first.baseline?.(words);
      second.baseline?.(words);
    },
  };
}
