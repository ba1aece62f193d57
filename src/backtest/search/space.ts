/** The space of a search: some parameters of a strategy, each with a range or a list of values. */
import { Decimal, parseDecimal, plain } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { ParamSpec, ParamSpecs } from '../../strategy/params.js';
import { type Axis, levelOf, type Point } from './sampler.js';

/** A parameter that a search chooses. */
export interface Dimension extends Axis {
  readonly name: string;
  /** The value at a coordinate in [0, 1), as a person would write it. */
  text(coordinate: number): string;
}

/** Values as text, by parameter name. */
export type Texts = Readonly<Record<string, string>>;

export interface Space {
  readonly dimensions: readonly Dimension[];
  /** Number of points; `undefined` if a range has no step. */
  readonly size: number | undefined;
  readonly texts: (point: Point) => Texts;
}

const RANGE = /^([^.:,]+(?:\.\d+)?)\.\.([^:,]+?)(?::([^:,]+))?$/;
/** Significant digits of values from a range without a step, relative to its width. */
const DIGITS = 6;
const MOST_LEVELS = 1_000_000;

/**
 * Parses a space of `name=from..to[:step]` and `name=value,value,…`. Every value of the space is valid for its
 * parameter.
 *
 * @throws UsageError naming the parameter, what it must be and what was received
 */
export function spaceOf(strategy: string, specs: ParamSpecs, given: Texts): Space {
  const names = Object.keys(specs);
  const entries = Object.entries(given);
  if (entries.length === 0) {
    throw usage(
      names.length === 0
        ? `a search must have parameters to choose, received ${strategy}, which has none`
        : `--space must name what to choose, like ${example(specs)}, received nothing (parameters of ${strategy}: ${names.join(', ')})`,
    );
  }
  const dimensions = entries.map(([name, text]) => {
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (spec === undefined) {
      throw usage(
        `--space must name parameters of ${strategy} (${names.join(', ') || 'it has none'}), received ${name}`,
      );
    }
    return dimensionOf(name, spec, text);
  });
  return {
    dimensions,
    size: dimensions.reduce<number | undefined>(
      (size, { levels }) => (size === undefined || levels === undefined ? undefined : size * levels),
      1,
    ),
    texts: (point) =>
      Object.fromEntries(dimensions.map((each, at) => [each.name, each.text(point[at] as number)])),
  };
}

function dimensionOf(name: string, spec: ParamSpec<unknown>, text: string): Dimension {
  const match = RANGE.exec(text);
  return match === null
    ? listOf(name, spec, valuesIn(spec, text))
    : rangeOf(name, spec, { text, from: match[1] as string, to: match[2] as string, step: match[3] });
}

/** The values of a list. A choice may contain commas itself, so each is as long as the parameter takes it. */
function valuesIn(spec: ParamSpec<unknown>, text: string): readonly string[] {
  const pieces = text.split(',');
  if (spec.kind !== 'choice') return pieces.map((piece) => piece.trim());
  const values: string[] = [];
  for (let from = 0; from < pieces.length; ) {
    let to = pieces.length;
    while (to > from + 1 && spec.parse(joined(from, to)) === undefined) to--;
    values.push(joined(from, to));
    from = to;
  }
  return values;

  function joined(from: number, to: number): string {
    return pieces.slice(from, to).join(',').trim();
  }
}

function listOf(name: string, spec: ParamSpec<unknown>, values: readonly string[]): Dimension {
  for (const value of values) demandValue(name, spec, value);
  const twice = values.find((value, at) => values.indexOf(value) !== at);
  if (twice !== undefined) throw usage(`--space ${name} must list each value once, received ${twice} twice`);
  demandDifferent(name, spec, values);
  return levelsOf(name, values, isAscending(spec, values));
}

interface GivenRange {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly step: string | undefined;
}

function rangeOf(name: string, spec: ParamSpec<unknown>, { text, ...given }: GivenRange): Dimension {
  if (spec.kind !== 'integer' && spec.kind !== 'number' && spec.kind !== 'decimal') {
    throw usage(
      `--space ${name} must be a list like ${name}=${spec.defaultText},… (it is ${spec.expected}), received ${text}`,
    );
  }
  const [from, to] = [parseDecimal(given.from), parseDecimal(given.to)];
  if (from === undefined || to === undefined || !from.lt(to)) {
    throw usage(`--space ${name} must be a range like 5..50 or 5..50:5, from less to more, received ${text}`);
  }
  for (const end of [from, to]) demandValue(name, spec, plain(end));
  if (given.step === undefined && spec.kind === 'decimal') {
    throw usage(
      `--space ${name} must have a step, since it is an exact decimal: ${name}=${text}:${plain(to.minus(from).div(10))}, received ${text}`,
    );
  }
  if (given.step === undefined && spec.kind === 'number') {
    const width = to.minus(from);
    const places = Math.max(0, DIGITS - 1 - Math.floor(Math.log10(width.toNumber())));
    return {
      name,
      levels: undefined,
      isOrdered: true,
      text: (coordinate) => {
        const value = from.plus(width.times(coordinate)).toDecimalPlaces(places);
        return plain(Decimal.min(to, Decimal.max(from, value)));
      },
    };
  }
  const step = parseDecimal(given.step ?? '1');
  if (step === undefined || !step.gt(0) || (spec.kind === 'integer' && !step.isInteger())) {
    const what = spec.kind === 'integer' ? 'a whole number above 0' : 'a number above 0';
    throw usage(`the step of --space ${name} must be ${what}, received ${text}`);
  }
  const levels = to.minus(from).div(step).floor().toNumber() + 1;
  if (levels > MOST_LEVELS) {
    throw usage(`--space ${name} must have at most ${MOST_LEVELS} values, received ${levels} (${text})`);
  }
  const values = (level: number) => plain(from.plus(step.times(level)));
  demandValue(name, spec, values(levels - 1));
  return { name, levels, isOrdered: true, text: (coordinate) => values(levelOf(coordinate, levels)) };
}

function levelsOf(name: string, values: readonly string[], isOrdered: boolean): Dimension {
  const levels = values.length;
  return { name, levels, isOrdered, text: (coordinate) => values[levelOf(coordinate, levels)] as string };
}

/** Whether neighbouring values are similar. Words are not, nor are numbers that are not in ascending order. */
function isAscending(spec: ParamSpec<unknown>, values: readonly string[]): boolean {
  if (spec.kind === 'choice' || spec.kind === 'boolean') return false;
  const numbers = values.map((value) => Number(spec.parse(value)));
  return numbers.every((number, at) => at === 0 || (numbers[at - 1] as number) < number);
}

function demandValue(name: string, spec: ParamSpec<unknown>, value: string): void {
  if (spec.parse(value) !== undefined) return;
  throw usage(
    `--space ${name} must give values that are ${spec.expected}, received ${JSON.stringify(value)}`,
  );
}

/** Refuses values that are the same, like `60s` and `1m`: one point would count, and be ranked, as two trials. */
function demandDifferent(name: string, spec: ParamSpec<unknown>, values: readonly string[]): void {
  const known = new Map<string, string>();
  for (const text of values) {
    const value = String(spec.parse(text));
    const same = known.get(value);
    if (same !== undefined) {
      throw usage(
        `--space ${name} must list each value once, received ${same} and ${text}, which are the same`,
      );
    }
    known.set(value, text);
  }
}

/** An example of a valid `--space`. */
function example(specs: ParamSpecs): string {
  const ranged = Object.entries(specs).find(([, { kind }]) => kind === 'integer' || kind === 'number');
  if (ranged === undefined) {
    const [name, spec] = Object.entries(specs)[0] as [string, ParamSpec<unknown>];
    return `${name}=${spec.defaultText},…`;
  }
  const [name, { defaultText }] = ranged;
  const middle = new Decimal(defaultText);
  return `${name}=${plain(middle)}..${plain(middle.abs().plus(1).times(4))}`;
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_SPACE', message);
}
