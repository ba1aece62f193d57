/**
 * Parameters of a strategy, declared once: parsed, defaulted, bounded, typed, and listed by the command line.
 */
import { dividesDay } from '../model/bar.js';
import { Decimal as EngineDecimal, type DecimalSource, parseDecimal, plain } from '../model/decimal.js';
import { parseDuration } from '../model/duration.js';
import { UsageError } from '../model/errors.js';
import { isRecord, receivedText } from './mistake.js';
import { Decimal } from './strategy-decimal.js';

export interface ParamSpec<T> {
  readonly kind: 'integer' | 'number' | 'decimal' | 'boolean' | 'choice' | 'bar-interval';
  /** The default as a person would write it. */
  readonly defaultText: string;
  /** What a value must be, in words. */
  readonly expected: string;
  /** Undefined when the text is not what it must be. */
  parse(text: string): T | undefined;
}

export type ParamSpecs = Readonly<Record<string, ParamSpec<unknown>>>;

export type ParamValues<P extends ParamSpecs> = {
  readonly [K in keyof P]: P[K] extends ParamSpec<infer T> ? T : never;
};

interface Bounds<T> {
  readonly default: T;
  /** Inclusive. */
  readonly min?: T;
  /** Inclusive. */
  readonly max?: T;
}

/** A whole number. */
export function integer({ default: fallback, min, max }: Bounds<number>): ParamSpec<number> {
  return bounded('integer', 'a whole number', fallback, min, max, (text) => {
    const value = parseDecimal(text);
    return value?.isInteger() === true ? value.toNumber() : undefined;
  });
}

/** A measurement: threshold, factor, fraction. */
export function number({ default: fallback, min, max }: Bounds<number>): ParamSpec<number> {
  return bounded('number', 'a number', fallback, min, max, (text) => parseDecimal(text)?.toNumber());
}

/** An exact decimal: a quantity in base units, an amount of money. */
export function decimal({ default: fallback, min, max }: Bounds<DecimalSource>): ParamSpec<Decimal> {
  checkDefault('decimal', 'a decimal', fallback, parseDecimal(fallback) !== undefined);
  const low = min === undefined ? undefined : new EngineDecimal(min);
  const high = max === undefined ? undefined : new EngineDecimal(max);
  return {
    kind: 'decimal',
    defaultText: plain(new EngineDecimal(fallback)),
    expected: `a decimal${rangeText(low && plain(low), high && plain(high))}`,
    parse(text) {
      const value = parseDecimal(text);
      if (value === undefined || low?.gt(value) === true || high?.lt(value) === true) return undefined;
      return new Decimal(value);
    },
  };
}

export function boolean({ default: fallback }: { readonly default: boolean }): ParamSpec<boolean> {
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
  checkDefault(
    'choice',
    `one of ${options.of.join(', ')}`,
    options.default,
    options.of.includes(options.default),
  );
  return {
    kind: 'choice',
    defaultText: options.default,
    expected: `one of ${options.of.join(', ')}`,
    parse: (text) => options.of.find((word) => word === text),
  };
}

/** An interval of bars, `1s` to `1d`; its value is in ms. Declaring one is what makes `onBar` and `bars$` run. */
export function barInterval({ default: fallback }: { readonly default: string }): ParamSpec<number> {
  checkDefault('barInterval', 'a text', fallback, typeof fallback === 'string');
  return {
    kind: 'bar-interval',
    defaultText: fallback,
    expected: 'a bar interval from 1s to 1d that divides a day, like 1s, 5m or 1h',
    parse(text) {
      const ms = parseDuration(text);
      return ms !== undefined && ms >= 1_000 && dividesDay(ms) ? ms : undefined;
    },
  };
}

/**
 * The values of a strategy's parameters: what is given, else the defaults.
 *
 * @throws UsageError naming the parameter, what it must be and what was received.
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

/** As a person would have written it; what is no scalar becomes its JSON, which no parameter accepts. */
function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  // No exponents: texts have none.
  if (typeof source === 'number' && Number.isFinite(source)) return plain(new EngineDecimal(source));
  return source instanceof EngineDecimal ? plain(source) : (JSON.stringify(source) ?? 'undefined');
}

function bounded(
  kind: 'integer' | 'number',
  what: string,
  fallback: number,
  min: number | undefined,
  max: number | undefined,
  read: (text: string) => number | undefined,
): ParamSpec<number> {
  checkDefault(kind, 'a number', fallback, typeof fallback === 'number');
  return {
    kind,
    defaultText: textOf(fallback),
    expected: `${what}${rangeText(min === undefined ? min : textOf(min), max === undefined ? max : textOf(max))}`,
    parse(text) {
      const value = read(text);
      if (value === undefined || (min !== undefined && value < min) || (max !== undefined && value > max))
        return undefined;
      return value;
    },
  };
}

/** @throws UsageError unless each is one that was declared here: strategies are written without types, too. */
export function checkParams(strategy: string, specs: ParamSpecs): void {
  for (const [name, spec] of Object.entries(specs as Readonly<Record<string, unknown>>)) {
    if (isRecord(spec) && 'parse' in spec && typeof spec.parse === 'function') continue;
    const made = 'made by integer, number, decimal, boolean, choice or barInterval';
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY',
      `${strategy}.${name} must be ${made}, received ${receivedText(spec)}`,
    );
  }
}

function checkDefault(maker: string, must: string, fallback: unknown, isOne: boolean): void {
  if (isOne) return;
  throw new UsageError(
    'TICKWRIGHT_E_STRATEGY',
    `the default of ${maker}({ … }) must be ${must}, received ${receivedText(fallback)}`,
  );
}

function rangeText(min: string | undefined, max: string | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  if (max !== undefined) return ` of at most ${max}`;
  return '';
}
