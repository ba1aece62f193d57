/** Decoded records as JSON: money and quantities as plain decimal text, times as ms, what the venue does not say absent. */
import { decimalText } from './decimal-text.js';

/** Counts and times: everything else that is a number is an amount, a price or a rate. */
const PLAIN_NUMBERS =
  /(^time|Time|Ms)$|^(trades|confirmations|icebergs|precision|\w*Precision|verificationLevel)$/;

/** The record's own names. The object as it came, `wire`, is left out. */
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
