import { StrategyError, UsageError } from '../model/errors.js';

/** A strategy's code says what cannot be meant. */
export function mistake(must: string, value: unknown, received = receivedText(value)): StrategyError {
  return new StrategyError('TICKWRIGHT_E_WANT', `${must}, received ${received}`);
}

/** A strategy is not made as one is, which shows before it sees anything. */
export function malformed(must: string, value: unknown, received = receivedText(value)): UsageError {
  return new UsageError('TICKWRIGHT_E_STRATEGY', `${must}, received ${received}`);
}

const MOST_TEXT = 80;

/** As messages show what they received. */
export function receivedText(value: unknown): string {
  if (typeof value === 'function') return `the function ${value.name || 'without a name'}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isRecord(value)) return String(value);
  // Its text would be {}, and what it will come to is too late.
  if ('then' in value && typeof value.then === 'function') return 'a promise';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // It has itself in it, or a bigint.
  }
  return text === undefined || text.length > MOST_TEXT
    ? `an object with ${Object.keys(value).join(', ')}`
    : text;
}

export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
