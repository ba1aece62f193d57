import type { WireRecord } from '../model/venue-records.js';

/**
 * Guards for what comes from outside: tolerant in shape, strict in value. JSON numbers may be infinite (`1e999`), ids
 * that arrive as numbers may have lost digits, keys may be `__proto__`: only own fields are read, by fixed names, and
 * what is keyed by outside names goes into Maps.
 */

/** An answer lacks a required value or holds a wrong one. The message quotes a few characters of it at most. */
export class DecodeError extends Error {
  constructor(what: string, must: string, received: unknown) {
    super(`${what} must be ${must}, received ${shown(received)}`);
    this.name = 'DecodeError';
  }
}

/** An object, or the one object of an array. */
export function recordOf(value: unknown, what: string): WireRecord {
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  if (typeof only !== 'object' || only === null || Array.isArray(only)) {
    throw new DecodeError(what, 'an object', value);
  }
  return only as WireRecord;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new DecodeError(what, 'an array', value);
  return value as readonly unknown[];
}

/** Entries of an object keyed by names from outside (pairs, assets). */
export function entriesOf(value: unknown, what: string): readonly (readonly [string, unknown])[] {
  return Object.entries(recordOf(value, what));
}

/** The value under the first of the spellings that is present and not null; `undefined`: there is none. */
export function field(record: WireRecord, ...names: readonly string[]): unknown {
  for (const name of names) {
    if (Object.hasOwn(record, name)) {
      const value = record[name];
      if (value !== null && value !== undefined) return value;
    }
  }
  return undefined;
}

/** The object under the field's name; `undefined` when there is none or it is something else. */
export function factRecord(record: WireRecord, ...names: readonly string[]): WireRecord | undefined {
  const value = field(record, ...names);
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  return typeof only === 'object' && only !== null && !Array.isArray(only) ? (only as WireRecord) : undefined;
}

/**
 * A number that only people read, under the first of its spellings. Anything else is `undefined` here and stays in
 * `wire`: an order must not become unreadable because of such a figure.
 */
export function factNumber(record: WireRecord, ...names: readonly string[]): number | undefined {
  const value = field(record, ...names);
  const number = typeof value === 'string' && NUMERIC_TEXT.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The same for a text, made printable; an empty one is none. */
export function factText(record: WireRecord, ...names: readonly string[]): string | undefined {
  const value = field(record, ...names);
  return typeof value === 'string' && value !== '' ? untrusted(value, LONGEST_FACT) : undefined;
}

export function factFlag(record: WireRecord, ...names: readonly string[]): boolean | undefined {
  const value = field(record, ...names);
  return typeof value === 'boolean' ? value : undefined;
}

const NUMERIC_TEXT = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A number, or one from its decimal text, however odd; NaN for anything else. */
export function printedNumber(value: unknown): number {
  const number = typeof value === 'string' && NUMERIC_TEXT.test(value) ? Number(value) : value;
  return typeof number === 'number' ? number : Number.NaN;
}

/** A finite number, or its decimal text. */
export function numberOf(value: unknown, what: string): number {
  const number = typeof value === 'string' && NUMERIC_TEXT.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new DecodeError(what, 'a finite number', value);
  }
  return number;
}

export function positiveOf(value: unknown, what: string): number {
  const number = numberOf(value, what);
  if (number <= 0) throw new DecodeError(what, 'above 0', value);
  return number;
}

export function notNegativeOf(value: unknown, what: string): number {
  const number = numberOf(value, what);
  if (number < 0) throw new DecodeError(what, 'at least 0', value);
  return number;
}

/** `undefined` for an absent value or null; anything else must be a number. */
export function optionalNumberOf(value: unknown, what: string): number | undefined {
  return value === undefined || value === null ? undefined : numberOf(value, what);
}

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new DecodeError(what, 'a text', value);
  return value;
}

/** Free text of the venue for people, made harmless; `undefined` for none. */
export function messageOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? untrusted(value) : undefined;
}

/** An id as text. A number is accepted only up to 2^53 − 1, where no digit was lost. */
export function idOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
  throw new DecodeError(what, 'an id (a text, or a whole number below 2^53)', value);
}

export function booleanOf(value: unknown, what: string, otherwise?: boolean): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined && otherwise !== undefined) return otherwise;
  throw new DecodeError(what, 'true or false', value);
}

const LONGEST_SHOWN = 200;
const LONGEST_FACT = 4_000;
// Line breaks, terminal sequences and text-direction marks would forge lines of a log.
// oxlint-disable-next-line no-control-regex -- because control characters are what it looks for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text from outside, fit to be printed: control characters escaped, length bounded. */
export function untrusted(text: string, longest = LONGEST_SHOWN): string {
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return short.replace(UNPRINTABLE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return untrusted(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
