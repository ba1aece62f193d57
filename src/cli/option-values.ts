/** Parses values of the command line. Invalid ones are reported by commander, with exit code 2. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { parseWarmUp, WARM_UP_EXPECTED } from '../config/warm-up.js';
import { parseDuration } from '../model/duration.js';

/** The shortest interval at which an option lets a request be repeated, ms. */
export const FASTEST_POLL_MS = 50;

const PLAIN_NUMBER = /^\d+(\.\d+)?$/;
const SETTING = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;

/** Parses a duration like `500ms`, `30s`, `5m` or `2h` into ms. */
export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration like 500ms, 30s, 5m or 2h.');
  return ms;
}

/** Parses `--warm-up`, like `warmUp` of a strategy in the configuration. */
export function warmUp(text: string): number {
  const ms = parseWarmUp(text);
  if (ms === undefined) throw new InvalidArgumentError(`It must be ${WARM_UP_EXPECTED}.`);
  return ms;
}

/** A parser of durations of at least `leastMs` and at most `most.ms`; `why` explains the latter. */
export function durationFrom(
  leastMs: number,
  most?: { readonly ms: number; readonly why: string },
): (text: string) => number {
  return (text) => {
    const ms = duration(text);
    if (ms < leastMs) throw new InvalidArgumentError(`It must be at least ${leastMs}ms.`);
    if (most !== undefined && ms > most.ms) {
      throw new InvalidArgumentError(`It must be at most ${most.ms / 1_000}s: ${most.why}.`);
    }
    return ms;
  };
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** Parses a plain number above 0. */
export function positiveNumber(text: string): number {
  const value = PLAIN_NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

const MOST_SPEED = 1_000_000;

/** Parses the speed of a venue's clock relative to ours. */
export function speed(text: string): number {
  const value = positiveNumber(text);
  if (value > MOST_SPEED) throw new InvalidArgumentError(`It must be at most ${MOST_SPEED}.`);
  return value;
}

/** Checks a plain decimal of at least 0, and returns it as written. */
export function plainDecimal(text: string): string {
  if (!PLAIN_NUMBER.test(text)) throw new InvalidArgumentError('It must be a plain decimal like 0.05.');
  return text;
}

/** Checks a plain decimal above 0, and returns it as written. */
export function amountAboveZero(text: string): string {
  if (!PLAIN_NUMBER.test(text) || !/[1-9]/.test(text)) {
    throw new InvalidArgumentError('It must be a plain decimal above 0, like 0.05.');
  }
  return text;
}

export type Settings = Readonly<Record<string, string>>;

/** Collects options `--set name=value`. */
export function setting(text: string, before: Settings | undefined): Settings {
  const match = SETTING.exec(text);
  if (match === null) {
    throw new InvalidArgumentError(
      'It must be name=value; other arguments go before --set, or after the next option.',
    );
  }
  const name = match[1] as string;
  if (before !== undefined && Object.hasOwn(before, name)) throw twice(name, `${name}=${before[name]}`, text);
  return { ...before, [name]: match[2] as string };
}

/** The error for two values of one name, of which only the user knows which is meant. */
function twice(name: string, first: string, second: string): InvalidArgumentError {
  return new InvalidArgumentError(`It must name ${name} once, received ${first} and ${second}.`);
}

/** An amount of an asset, e.g. `USD=100000`. */
export interface AssetAmount {
  readonly asset: string;
  /** Plain decimal text. */
  readonly amount: string;
}

function assetAmount(text: string): AssetAmount {
  const [asset = '', amount = '', ...rest] = text.split('=');
  if (!/^[A-Z0-9]{2,16}$/.test(asset) || !PLAIN_NUMBER.test(amount) || rest.length > 0) {
    throw new InvalidArgumentError('It must be an asset and an amount like USD=100000.');
  }
  return { asset, amount };
}

export function assetAmounts(
  text: string,
  before: readonly AssetAmount[] | undefined,
): readonly AssetAmount[] {
  const given = assetAmount(text);
  const { asset } = given;
  const other = before?.find((each) => each.asset === asset);
  if (other !== undefined) throw twice(asset, `${asset}=${other.amount}`, text);
  return [...(before ?? []), given];
}

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

export function credentials(
  text: string,
  before: readonly Credentials[] | undefined,
): readonly Credentials[] {
  const match = /^([\x21-\x39\x3b-\x7e]+):([\x21-\x7e]+)$/.exec(text);
  // The text contains a secret, and commander would print it with an InvalidArgumentError.
  if (match === null) return [...(before ?? []), { key: '', secret: '' }];
  return [...(before ?? []), { key: match[1] as string, secret: match[2] as string }];
}

/** Collects the values of an option that may be given several times, or with several values. */
export function several(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
