/** Decoded records as JSON: amounts as plain decimal text, times as ms, without what the venue does not state. */
import { decimalText } from './decimal-text.js';

/** Names of counts and times. All other numbers are amounts, prices or rates. */
const PLAIN_NUMBERS =
  /(^time|Time|Ms)$|^(trades|confirmations|icebergs|precision|\w*Precision|verificationLevel)$/;

/** Uses the field names of the record. Leaves out `wire`, the object as the venue sent it. */
export function recordJson(record: object): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name === 'wire' || value === undefined) continue;
    document[name] = valueJson(name, value);
  }
  return document;
}

function valueJson(name: string, value: unknown): unknown {
  if (typeof value === 'number') return PLAIN_NUMBERS.test(name) ? value : decimalText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => valueJson(name, item));
  if (value instanceof Map) {
    return Object.fromEntries(
      [...value].map(([key, item]: [unknown, unknown]) => [String(key), valueJson('', item)]),
    );
  }
  return typeof value === 'object' && value !== null ? recordJson(value) : value;
}
