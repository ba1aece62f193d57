/** Checks at the start whether `--fail-if` names figures of a result, and percentages of fractions alone; a run would only find out at its end. */
import { runAccountBacktest } from '../../backtest/account-backtest.js';
import { type BacktestOptions, runBacktest } from '../../backtest/backtest.js';
import { type FailIf, PROTECTION_KEYS, resultLookup } from '../../backtest/fail-if.js';
import { unitOf } from '../../backtest/result-units.js';
import { closest } from '../../config/closest.js';
import { type Limits, NO_LIMITS } from '../../gate/limits.js';
import { UsageError } from '../../model/errors.js';
import type { Recording } from '../../storage/recording/recording.js';
import { defineStrategy } from '../../strategy/definition.js';
import { bindStrategy, type BoundStrategy } from '../../strategy/instance.js';
import { barInterval } from '../../strategy/params.js';
import type { AccountRequest } from './account-run.js';

/**
 * Keys that depend on the run's own parameters, those of an account's strategies behind the path of the strategy. The
 * idle run does not have them, so they are checked in the result only.
 */
const OF_THE_RUN = /^(params|options)\./;

/** A strategy that does nothing. On a recording of bars it reads them. */
function idle(barMs: number | undefined): BoundStrategy {
  const params = barMs === undefined ? {} : { bars: barInterval({ default: `${barMs}ms` }) };
  return bindStrategy(defineStrategy({ name: 'idle', params, create: () => ({}) }), {});
}

/**
 * Checks the keys with the result of an idle strategy on an empty recording, which has the same keys.
 *
 * @throws UsageError for a key that no result of these models has, and for a percentage of what is no fraction
 */
export async function checkFailIfKeys(
  failIf: FailIf,
  recording: Recording,
  {
    fill,
    capital,
    limits = {},
  }: Pick<BacktestOptions, 'fill' | 'capital'> & { readonly limits?: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { result } = await runBacktest({
    strategy: idle(recording.barMs),
    strategyHash: '',
    recording: withoutRows(recording),
    capital,
    ...(fill === undefined ? {} : { fill }),
    limits: { ...NO_LIMITS, ...(limits as Partial<Limits>) },
    engineVersion: '',
  });
  check(failIf, result);
}

/** Like `checkFailIfKeys`, for several strategies on one account. */
export async function checkAccountFailIfKeys(
  failIf: FailIf,
  {
    parts,
    options: { capital, fill },
  }: {
    readonly parts: readonly Pick<AccountRequest['parts'][number], 'recording' | 'limits'>[];
    readonly options: Pick<BacktestOptions, 'fill' | 'capital'>;
  },
): Promise<void> {
  const { result } = await runAccountBacktest({
    parts: parts.map(({ recording, limits }) => ({
      strategy: idle(undefined),
      strategyHash: '',
      recording: withoutRows(recording),
      limits: { ...NO_LIMITS, ...(limits as Partial<Limits>) },
    })),
    capital,
    ...(fill === undefined ? {} : { fill }),
    engineVersion: '',
  });
  check(failIf, result, Object.keys(result.strategies));
}

/** Figures that are known only after the run, when its trial is counted. */
const OF_THE_TRIALS = { trials: 1, comparedTrials: 0, overlappingTrials: 0, deflatedSharpe: null };
/** The most keys that a hint suggests. */
const MOST_HINTS = 3;

/** `pairs`: the pairs of an account's strategies. */
function check(
  failIf: FailIf,
  result: Parameters<typeof resultLookup>[0],
  pairs: readonly string[] = [],
): void {
  const lookup = resultLookup(result, OF_THE_TRIALS);
  const paths = ['', ...pairs.map(pathOf)];
  const keys = [
    ...Object.keys(OF_THE_TRIALS),
    'pnl',
    ...leavesOf(result),
    ...leavesOf(result.metrics),
    // An idle strategy wants no stop.
    ...paths.flatMap((path) => PROTECTION_KEYS.map((key) => path + key)),
  ].filter((key) => lookup(key) !== undefined);
  failIf.check((key) => {
    if (paths.some((path) => key.startsWith(path) && OF_THE_RUN.test(key.slice(path.length)))) return null;
    const value = lookup(key);
    if (value !== undefined) return value;
    throw new UsageError(
      'TICKWRIGHT_E_FAIL_IF',
      `--fail-if must name keys of the result that hold a number or a text, received ${key}${hintOf(key, keys, pairs)}`,
    );
  });
  // Without this, `pnl < 5%` would look at 0.05 of the quote asset, and pass.
  for (const key of failIf.shares) {
    const unit = unitOf(key);
    if (unit === undefined || unit === 'fraction') continue;
    throw new UsageError(
      'TICKWRIGHT_E_FAIL_IF',
      `--fail-if must compare a percentage with a fraction, received ${key}, whose unit is ${unit} (docs/result.md)`,
    );
  }
}

function hintOf(key: string, keys: readonly string[], pairs: readonly string[]): string {
  const isOfNone = !pairs.some((pair) => `${key}.`.startsWith(pathOf(pair)));
  if (key.split('.')[0] === 'strategies' && pairs.length > 0 && isOfNone) {
    return ` (strategies are named by their pair: ${pairs.join(', ')})`;
  }
  const below = keys.filter((each) => each.startsWith(`${key}.`)).slice(0, MOST_HINTS);
  const nearest = closest(key, keys);
  const meant = below.length > 0 ? below : nearest === undefined ? [] : [nearest];
  return meant.length === 0 ? '' : ` (did you mean ${meant.join(' or ')}?)`;
}

/** What the keys of one strategy in the result of an account begin with. */
function pathOf(pair: string): string {
  return `strategies.${pair}.`;
}

/** Paths of all values in a document that are not objects. */
function leavesOf(document: object, path = ''): readonly string[] {
  return Object.entries(document).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value, `${path}${name}.`)
      : [`${path}${name}`],
  );
}

function withoutRows(recording: Recording): Recording {
  return { ...recording, chunks: none, bars: none, facts: none, gaps: [] };
}

async function* none(): AsyncGenerator<never, void, undefined> {
  // Nothing was recorded.
}
