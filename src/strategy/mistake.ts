import { StrategyError, UsageError } from '../model/errors.js';

/** The error for a strategy whose code asked for something that cannot be meant. */
export function mistake(must: string, value: unknown, received = receivedText(value)): StrategyError {
  return new StrategyError('TICKWRIGHT_E_WANT', `${must}, received ${received}`);
}

/** The error for a strategy that is not built correctly, which shows before it handles any event. */
export function malformed(must: string, value: unknown, received = receivedText(value)): UsageError {
  return new UsageError('TICKWRIGHT_E_STRATEGY', `${must}, received ${received}`);
}

const MOST_TEXT = 80;

/** A value as error messages print it. */
export function receivedText(value: unknown): string {
  if (typeof value === 'function') return `the function ${value.name || 'without a name'}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (!isRecord(value)) return String(value);
  // JSON of a promise would be {}, and its result would come too late for the message.
  if ('then' in value && typeof value.then === 'function') return 'a promise';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // The value contains itself, or a bigint.
  }
  return text === undefined || text.length > MOST_TEXT
    ? `an object with ${Object.keys(value).join(', ')}`
    : text;
}

export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
