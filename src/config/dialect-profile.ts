import type { UsageError } from '../model/errors.js';
import { closest } from './closest.js';
import { configError } from './config-problem.js';
import { isProfileName, PROFILE_NAMES, type ProfileName } from './profile-name.js';
import type { Environment } from './substitute.js';
import { type Path, pathText, readYaml } from './yaml-document.js';

/** A file that describes the dialect of a venue: one of the profiles that ship, and what is different. */
export interface ProfileFile {
  /** As messages name it. */
  readonly shown: string;
  readonly base: ProfileName;
  /** Everything but `base`, as it is written; the client knows what may stand there. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** A complaint with its place in the file; `at`: whether the key or its value is wrong. */
  errorAt(path: Path, message: string, at: 'key' | 'value'): UsageError;
}

export interface ProfileSource {
  readonly text: string;
  /** How messages name the file. */
  readonly shown: string;
  readonly environment: Environment;
}

/** @throws UsageError as `file:line:col path: expected …, received …` with the line and a caret. */
export function parseProfile({ text, shown, environment }: ProfileSource): ProfileFile {
  const document = readYaml(text, { environment, isText: () => false });
  if (document.value === undefined || document.problems.length > 0) {
    throw configError(shown, text, document.problems);
  }
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const received = value === null ? 'nothing' : 'something else';
    throw errorAt([], `expected a map with the key base, received ${received}`, 'value');
  }
  const { base, ...overrides } = value as Readonly<Record<string, unknown>>;
  if (typeof base !== 'string' || !isProfileName(base)) {
    const meant = typeof base === 'string' ? closest(base, PROFILE_NAMES) : undefined;
    const received = base === undefined ? 'nothing' : JSON.stringify(base);
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    throw errorAt(
      ['base'],
      `expected one of ${PROFILE_NAMES.join(', ')}, received ${received}${hint}`,
      'value',
    );
  }
  return { shown, base, overrides, errorAt };

  function errorAt(path: Path, message: string, at: 'key' | 'value'): UsageError {
    const place = document.placeOf(path);
    const [start, end] = (at === 'key' ? place.key : undefined) ?? place.value;
    return configError(shown, text, [{ start, end, path: pathText(path), message }]);
  }
}
