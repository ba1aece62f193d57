import { received } from './received.js';

/*
 * What an indicator was given is looked at where it is no finite number: a missing one is passed over, or makes the value
 * NaN, but what is no number at all would do so at every bar, and the strategy would never trade.
 */

/** @throws TypeError for what is no number: a bar, for example. */
export function checkValue(value: unknown): void {
  if (typeof value === 'number') return;
  const hint =
    typeof value === 'object' && value !== null && 'close' in value ? ' (bar.close, for example)' : '';
  throw new TypeError(`an indicator of values must be given a number${hint}, received ${textOf(value)}`);
}

/** @throws TypeError for what has no numbers of these names: a price instead of a bar, for example. */
export function checkFields(of: 'bar' | 'trade', given: unknown, names: readonly string[]): void {
  const fields: unknown = given ?? {};
  for (const name of names) {
    if (typeof (fields as Readonly<Record<string, unknown>>)[name] === 'number') continue;
    const all = `${names.slice(0, -1).join(', ')} and ${String(names.at(-1))}`;
    throw new TypeError(`an indicator of ${of}s must be given ${all}, numbers, received ${textOf(given)}`);
  }
}

const LONGEST = 120;

function textOf(value: unknown): string {
  const text = received(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
