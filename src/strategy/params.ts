/** Parameters of a strategy. One declaration gives parsing, defaults, bounds, types and the list on the command line. */
import { dividesDay } from '../model/bar.js';
import { Decimal as EngineDecimal, type DecimalSource, parseDecimal, plain } from '../model/decimal.js';
import { parseDuration } from '../model/duration.js';
import { UsageError } from '../model/errors.js';
import { isRecord, receivedText } from './mistake.js';
import { checkBounds, checkDefault, optionsOf } from './param-declaration.js';
import { Decimal } from './strategy-decimal.js';

export interface ParamSpec<T> {
  readonly kind: 'integer' | 'number' | 'decimal' | 'boolean' | 'choice' | 'bar-interval';
  /** The default as a person would write it. */
  readonly defaultText: string;
  /** Completes the sentence "the parameter must be …". */
  readonly expected: string;
  /** The value; `undefined` when the text is not valid. */
  parse(text: string): T | undefined;
}

export type ParamSpecs = Readonly<Record<string, ParamSpec<unknown>>>;

export type ParamValues<P extends ParamSpecs> = {
  readonly [K in keyof P]: P[K] extends ParamSpec<infer T> ? T : never;
};

const BOUND_KEYS = ['default', 'min', 'max'] as const;

interface Bounds<T> {
  readonly default: T;
  /** Inclusive. */
  readonly min?: T;
  /** Inclusive. */
  readonly max?: T;
}

/** A whole number. */
export function integer(options: Bounds<number>): ParamSpec<number> {
  return bounded('integer', 'a whole number', options, (text) => {
    const value = parseDecimal(text);
    const number = value?.isInteger() === true ? value.toNumber() : Number.NaN;
    return Number.isSafeInteger(number) ? number : undefined;
  });
}

/** A measurement: threshold, factor, fraction. */
export function number(options: Bounds<number>): ParamSpec<number> {
  return bounded('number', 'a number', options, (text) => parseDecimal(text)?.toNumber());
}

/** An exact decimal: a quantity in base units, an amount of money. */
export function decimal(options: Bounds<DecimalSource>): ParamSpec<Decimal> {
  const { default: fallback, min, max } = optionsOf('decimal', options, BOUND_KEYS);
  checkDefault('decimal', 'a decimal', fallback, parseDecimal(fallback) !== undefined);
  checkBounds('decimal', options, {
    must: 'a decimal',
    isOne: (bound) => parseDecimal(bound) !== undefined,
    isAbove: (a, b) => new EngineDecimal(a).gt(b),
  });
  const low = min === undefined ? undefined : new EngineDecimal(min);
  const high = max === undefined ? undefined : new EngineDecimal(max);
  return withDefault('decimal', fallback, {
    kind: 'decimal',
    defaultText: plain(new EngineDecimal(fallback)),
    expected: `a decimal${rangeText(low && plain(low), high && plain(high))}`,
    parse(text) {
      const value = parseDecimal(text);
      if (value === undefined || low?.gt(value) === true || high?.lt(value) === true) return undefined;
      return new Decimal(value);
    },
  });
}

export function boolean(options: { readonly default: boolean }): ParamSpec<boolean> {
  const { default: fallback } = optionsOf('boolean', options, ['default']);
  checkDefault('boolean', 'true or false', fallback, typeof fallback === 'boolean');
  return {
    kind: 'boolean',
    defaultText: String(fallback),
    expected: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  };
}

/** One of a few words. */
export function choice<const T extends string>(options: {
  readonly default: NoInfer<T>;
  readonly of: readonly T[];
}): ParamSpec<T> {
  const { default: fallback } = optionsOf('choice', options, ['default', 'of']);
  const { of } = options;
  const given: unknown = of;
  const isWord = (word: unknown) => typeof word === 'string';
  if (!Array.isArray(given) || given.length === 0 || !given.every(isWord)) {
    const must = "the words of choice({ … }) must be a list of texts, of: ['a', 'b']";
    throw new UsageError('TICKWRIGHT_E_STRATEGY', `${must}, received ${receivedText(of)}`);
  }
  checkDefault('choice', `one of ${of.join(', ')}`, fallback, of.includes(fallback));
  return {
    kind: 'choice',
    defaultText: fallback,
    expected: `one of ${of.join(', ')}`,
    parse: (text) => of.find((word) => word === text),
  };
}

/** A bar interval from `1s` to `1d`; the value is in ms. `onBar` and `bars$` run only if a strategy declares one. */
export function barInterval(options: { readonly default: string }): ParamSpec<number> {
  const { default: fallback } = optionsOf('barInterval', options, ['default']);
  checkDefault('barInterval', 'a text', fallback, typeof fallback === 'string');
  return withDefault('barInterval', fallback, {
    kind: 'bar-interval',
    defaultText: fallback,
    expected: 'a bar interval from 1s to 1d that divides a day, like 1s, 5m or 1h',
    parse(text) {
      const ms = parseDuration(text);
      return ms !== undefined && ms >= 1_000 && dividesDay(ms) ? ms : undefined;
    },
  });
}

/**
 * The values of a strategy's parameters: the given ones, and defaults for the rest.
 *
 * @throws UsageError that names the parameter, what it must be and what was received.
 */
export function parseParams<P extends ParamSpecs>(
  strategy: string,
  specs: P,
  given: Readonly<Record<string, unknown>>,
): ParamValues<P> {
  const names = Object.keys(specs);
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) {
      throw new UsageError(
        'TICKWRIGHT_E_PARAM_UNKNOWN',
        names.length === 0
          ? `${strategy}.${name}: ${strategy} has no parameters`
          : `${strategy}.${name} must be one of ${names.join(', ')}`,
        { facts: { strategy, param: name } },
      );
    }
  }
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const spec = specs[name] as ParamSpec<unknown>;
    const source = Object.hasOwn(given, name) ? given[name] : undefined;
    const text = source === undefined ? spec.defaultText : textOf(source);
    const value = spec.parse(text);
    if (value === undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_PARAM',
        `${strategy}.${name} must be ${spec.expected}, received ${JSON.stringify(text)}`,
        { facts: { strategy, param: name } },
      );
    }
    values[name] = value;
  }
  return Object.freeze(values) as ParamValues<P>;
}

/** The value as a person would have written it. A value that is not a scalar becomes JSON, which no parameter accepts. */
function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  // Plain notation, because `parse` accepts no exponents.
  if (typeof source === 'number' && Number.isFinite(source)) return plain(new EngineDecimal(source));
  if (source instanceof EngineDecimal) return plain(source);
  if (typeof source === 'boolean' || typeof source === 'bigint') return String(source);
  return receivedText(source);
}

function bounded(
  kind: 'integer' | 'number',
  what: string,
  options: Bounds<number>,
  read: (text: string) => number | undefined,
): ParamSpec<number> {
  const { default: fallback, min, max } = optionsOf(kind, options, BOUND_KEYS);
  checkDefault(kind, 'a number', fallback, typeof fallback === 'number');
  checkBounds(kind, options, {
    must: 'a finite number',
    isOne: Number.isFinite,
    isAbove: (a, b) => a > b,
  });
  return withDefault(kind, fallback, {
    kind,
    defaultText: textOf(fallback),
    expected: `${what}${rangeText(min === undefined ? min : textOf(min), max === undefined ? max : textOf(max))}`,
    parse(text) {
      const value = read(text);
      if (value === undefined || (min !== undefined && value < min) || (max !== undefined && value > max))
        return undefined;
      return value;
    },
  });
}

/** @throws UsageError when the default itself violates the parameter's own bounds. */
function withDefault<T>(maker: string, fallback: unknown, spec: ParamSpec<T>): ParamSpec<T> {
  checkDefault(maker, spec.expected, fallback, spec.parse(spec.defaultText) !== undefined);
  return spec;
}

/**
 * @throws UsageError unless each parameter was made by a function of this module. Strategies may be written without
 * types.
 */
export function checkParams(strategy: string, specs: ParamSpecs): void {
  const given: unknown = specs;
  if (!isRecord(given) || Array.isArray(given)) {
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY',
      `the params of ${strategy} must be an object like { fast: integer({ default: 10 }) }, received ${receivedText(given)}`,
    );
  }
  for (const [name, spec] of Object.entries(specs as Readonly<Record<string, unknown>>)) {
    if (isRecord(spec) && 'parse' in spec && typeof spec.parse === 'function') continue;
    const made = 'made by integer, number, decimal, boolean, choice or barInterval';
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY',
      `${strategy}.${name} must be ${made}, received ${receivedText(spec)}`,
    );
  }
}

function rangeText(min: string | undefined, max: string | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  if (max !== undefined) return ` of at most ${max}`;
  return '';
}
