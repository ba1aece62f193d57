import { UsageError } from '../../model/errors.js';

/** The error for an invalid line of a data file; `where` is `file:line`. */
export function lineError(where: string, expected: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_DATA', `${where} must have ${expected}, received ${received}`);
}

/** A value as text for a message, at most 120 characters. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing').slice(0, 120);
}
