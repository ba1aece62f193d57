/**
 * Reads single fields of a query or body. Each reader returns a value, `undefined` if absent, or a refusal naming the
 * field.
 */
import { refusalText } from '../core/refusals.js';
import { readWhole } from './decimal-text.js';
import { Refused } from './envelope.js';
import type { Form } from './form.js';

/** The most characters of a received value that a refusal repeats. */
const SHOWN = 40;

export function malformed(field: string, must: string, received?: string): Refused {
  const got = received === undefined ? 'nothing' : JSON.stringify(received.slice(0, SHOWN));
  return Refused.because(refusalText('malformed', `${field} must be ${must}, received ${got}`));
}

/** A field that may be given once at most. */
export function text(fields: Form, name: string): string | undefined | Refused {
  const values = fields.all(name);
  if (values.length > 1) return malformed(name, 'given once', values.join(', '));
  return values[0];
}

export function requiredText(fields: Form, name: string, must: string): string | Refused {
  const value = text(fields, name);
  if (value === undefined || value === '') return malformed(name, must, value);
  return value;
}

export function whole(fields: Form, name: string, must: string, min: number): number | undefined | Refused {
  const value = text(fields, name);
  if (value === undefined || value instanceof Refused) return value;
  const count = readWhole(value);
  return count === undefined || count < min ? malformed(name, must, value) : count;
}

export function flag(fields: Form, name: string): boolean | Refused {
  const value = text(fields, name);
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  return value instanceof Refused ? value : malformed(name, 'true or false', value);
}

export function oneOf<T extends string>(
  fields: Form,
  name: string,
  choices: readonly T[],
): T | undefined | Refused {
  const value = text(fields, name);
  if (value === undefined || value instanceof Refused) return value;
  return choices.find((choice) => choice === value) ?? malformed(name, choices.join(' or '), value);
}
