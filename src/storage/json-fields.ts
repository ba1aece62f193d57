import { parseDecimal } from '../model/decimal.js';
import { UsageError } from '../model/errors.js';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** A double as JSON. JSON has no NaN, no infinities and loses the sign of −0, and hashes see all of them: text. */
export function encodeNumber(value: number): JsonValue {
  return Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : Object.is(value, -0)
      ? '-0'
      : String(value);
}

/** Reads the fields of an object that came from JSON, and says what is wrong with which one. */
export class Fields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #what: string;

  /** @throws UsageError when the value is no object; `what` names it. */
  constructor(value: unknown, what: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw malformed(what, 'an object', value);
    }
    this.#object = value as Readonly<Record<string, unknown>>;
    this.#what = what;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  value(name: string): unknown {
    return this.has(name) ? this.#object[name] : undefined;
  }

  object(name: string): Fields {
    return new Fields(this.value(name), `${this.#what}.${name}`);
  }

  array(name: string): readonly unknown[] {
    const value = this.value(name);
    return Array.isArray(value) ? value : this.#fail(name, 'a list');
  }

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : this.#fail(name, 'a text');
  }

  flag(name: string): boolean {
    const value = this.value(name);
    return typeof value === 'boolean' ? value : this.#fail(name, 'true or false');
  }

  number(name: string): number {
    const value = this.value(name);
    if (typeof value === 'number') return value;
    if (value === '-0' || value === 'NaN' || value === 'Infinity' || value === '-Infinity')
      return Number(value);
    return this.#fail(name, 'a number');
  }

  optionalNumber(name: string): number | undefined {
    return this.has(name) ? this.number(name) : undefined;
  }

  integer(name: string): number {
    const value = this.number(name);
    return Number.isSafeInteger(value) ? value : this.#fail(name, 'a whole number');
  }

  bigint(name: string): bigint {
    const value = this.value(name);
    if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
    return this.#fail(name, 'a whole number as text');
  }

  /** A plain decimal, as text or as a number. */
  decimal(name: string): string | number {
    const value = this.value(name);
    const isDecimal =
      (typeof value === 'string' || typeof value === 'number') && parseDecimal(value) !== undefined;
    return isDecimal ? value : this.#fail(name, 'a plain decimal');
  }

  oneOf<const T extends string>(name: string, words: readonly T[]): T {
    const value = this.value(name);
    return words.find((word) => word === value) ?? this.#fail(name, `one of ${words.join(', ')}`);
  }

  #fail(name: string, expected: string): never {
    throw malformed(`${this.#what}.${name}`, expected, this.value(name));
  }
}

function malformed(what: string, expected: string, value: unknown): UsageError {
  const received = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing').slice(0, 80);
  return new UsageError('TICKWRIGHT_E_JSON', `${what} must be ${expected}, received ${received}`);
}
