/** What a run would only find out at its end: whether `--fail-if` names figures that a result has. */
import { runAccountBacktest } from '../../backtest/account-backtest.js';
import { type BacktestOptions, runBacktest } from '../../backtest/backtest.js';
import { type FailIf, resultLookup } from '../../backtest/fail-if.js';
import type { Recording } from '../../storage/recording.js';
import { defineStrategy } from '../../strategy/definition.js';
import { bindStrategy, type BoundStrategy } from '../../strategy/instance.js';
import { barInterval } from '../../strategy/params.js';

/** What a run was asked for, which the idle one was not: these are looked for in its own result only. */
const OF_THE_RUN = /^(strategies\.\w+\.)?(params|options)\./;

/** Reads the bars that are recorded, where they are. */
function idle(barMs: number | undefined): BoundStrategy {
  const params = barMs === undefined ? {} : { bars: barInterval({ default: `${barMs}ms` }) };
  return bindStrategy(defineStrategy({ name: 'idle', params, create: () => ({}) }), {});
}

/**
 * Judges the result of a strategy that does nothing on a recording that holds nothing, which has the same keys.
 *
 * @throws UsageError for a key that no result of these models has
 */
export async function checkFailIfKeys(
  failIf: FailIf,
  recording: Recording,
  { fill, capital }: Pick<BacktestOptions, 'fill' | 'capital'>,
): Promise<void> {
  const { result } = await runBacktest({
    strategy: idle(recording.barMs),
    strategyHash: '',
    recording: withoutRows(recording),
    capital,
    ...(fill === undefined ? {} : { fill }),
    engineVersion: '',
  });
  check(failIf, result);
}

/** The same for several strategies on one account. */
export async function checkAccountFailIfKeys(
  failIf: FailIf,
  {
    parts,
    options: { capital, fill },
  }: {
    readonly parts: readonly { readonly recording: Recording }[];
    readonly options: Pick<BacktestOptions, 'fill' | 'capital'>;
  },
): Promise<void> {
  const { result } = await runAccountBacktest({
    parts: parts.map(({ recording }) => ({
      strategy: idle(undefined),
      strategyHash: '',
      recording: withoutRows(recording),
    })),
    capital,
    ...(fill === undefined ? {} : { fill }),
    engineVersion: '',
  });
  check(failIf, result);
}

function check(failIf: FailIf, result: Parameters<typeof resultLookup>[0]): void {
  const lookup = resultLookup(result, { trials: 1, comparedTrials: 0, deflatedSharpe: null });
  failIf.check((key) => (OF_THE_RUN.test(key) ? null : lookup(key)));
}

function withoutRows(recording: Recording): Recording {
  return { ...recording, chunks: none, bars: none, facts: none, gaps: [] };
}

async function* none(): AsyncGenerator<never, void, undefined> {
  // Nothing was recorded.
}
