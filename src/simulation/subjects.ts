import { UsageError } from '../model/errors.js';
import { BASELINES } from './baselines/index.js';
import { RUNNER, RUNNER_WITH_STOPS } from './runner-subject.js';
import type { Subject } from './subject.js';

/** All programs that a simulation can run, by name. */
export const SUBJECTS: ReadonlyMap<string, Subject> = new Map(
  [RUNNER, RUNNER_WITH_STOPS, ...BASELINES].map((subject) => [subject.name, subject]),
);

/** @throws UsageError when there is no program of this name. */
export function subjectNamed(name: string): Subject {
  const subject = SUBJECTS.get(name);
  if (subject !== undefined) return subject;
  throw new UsageError(
    'TICKWRIGHT_E_SUBJECT',
    `a subject must be one of ${[...SUBJECTS.keys()].join(', ')}, received ${name}`,
  );
}
