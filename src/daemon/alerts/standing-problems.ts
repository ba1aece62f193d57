import type { Alert } from './alert.js';
import { type Look, type Problem, problemsOf } from './problems-of-look.js';

/** `about`: the receiver that the alert is about; it need not get the alert. */
export interface StandingAlert {
  readonly alert: Alert;
  readonly about: string | undefined;
}

interface Seen {
  readonly problem: Problem;
  readonly looks: number;
}

/** Problems that persist and send no event: found by looking once a minute. */
export class StandingProblems {
  #seen: ReadonlyMap<string, Seen> = new Map();

  look(look: Look): readonly StandingAlert[] {
    const { status, time } = look;
    const problems = problemsOf(look);
    const before = this.#seen;
    // For a pair that does not run it is unknown whether its problems are over, so their ends are not told.
    const silent = new Set(
      status.pairs
        .filter(({ running, failure }) => !running || failure !== undefined)
        .map(({ pair }) => pair),
    );
    const kept = [...before.values()].filter(
      ({ problem: { pair, key, looks }, looks: seen }) =>
        pair !== undefined && silent.has(pair) && seen >= looks && !problems.some((each) => each.key === key),
    );
    this.#seen = new Map([
      ...kept.map((each) => [each.problem.key, each] as const),
      ...problems.map((problem) => [problem.key, seenNow(problem, before.get(problem.key))] as const),
    ]);
    const begun = [...this.#seen.values()].filter(
      ({ problem, looks }) => looks === problem.looks && before.get(problem.key)?.looks !== looks,
    );
    const ended = [...before.values()].filter(
      ({ problem, looks }) => looks >= problem.looks && !this.#seen.has(problem.key),
    );
    return [
      ...begun.map(({ problem }) => standingAlert(problem, 'begin', time)),
      ...ended.map(({ problem }) => standingAlert(problem, 'end', time)),
    ];
  }
}

/** While hidden, a problem is not counted: one that was told stays told, any other starts counting anew. */
function seenNow(problem: Problem, before: Seen | undefined): Seen {
  const looks = before?.looks ?? 0;
  if (problem.isHidden !== true) return { problem, looks: looks + 1 };
  return { problem, looks: looks >= problem.looks ? looks : 0 };
}

function standingAlert(problem: Problem, phase: 'begin' | 'end', time: number): StandingAlert {
  return { alert: alertOf(problem, phase, time), about: problem.about };
}

function alertOf(
  { key, severity, begins, ends, lines }: Problem,
  phase: 'begin' | 'end',
  time: number,
): Alert {
  const isBegin = phase === 'begin';
  return {
    kind: 'problem',
    severity,
    key,
    phase,
    title: isBegin ? begins : ends,
    lines: isBegin ? lines : [],
    time,
  };
}
