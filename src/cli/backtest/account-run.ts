/**
 * A backtest of several strategies on one account, from the request to the result; used for new and for repeated runs.
 */
import { resolve } from 'node:path';
import { runAccountBacktest } from '../../backtest/account-backtest.js';
import type { AccountResult } from '../../backtest/account-result.js';
import type { ReadData } from '../../backtest/run-data.js';
import type { AccountRecipe } from '../../backtest/registry.js';
import type { AccountSeries } from '../../backtest/series.js';
import type { SharedAccount } from '../../backtest/shared-account.js';
import { type Limits, NO_LIMITS } from '../../gate/limits.js';
import { UsageError } from '../../model/errors.js';
import type { Recording } from '../../storage/recording/recording.js';
import type { Machine } from '../machine.js';
import { inferredOf } from './backtest-run.js';
import { packageVersion } from '../package.js';
import type { LoadedStrategy } from '../strategy/strategy.js';

export interface AccountRequest {
  readonly parts: readonly {
    readonly strategy: LoadedStrategy;
    readonly recording: Recording;
    /** The limits that are set, in lots of the market. */
    readonly limits: Readonly<Record<string, unknown>>;
  }[];
  readonly paths: readonly string[];
  /** The stretch as requested, ms; `undefined`: not bounded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly options: AccountRecipe['options'];
  /** Called after each chunk, with the number of trades so far and the account of the headline model. */
  readonly onProgress?: (trades: number, account: SharedAccount) => void;
}

export interface FinishedAccountRun {
  readonly recipe: AccountRecipe;
  readonly result: AccountResult;
  /** See `Trial`. */
  readonly headlineId: string;
  readonly series: AccountSeries;
}

/** @throws UsageError for recordings that one account cannot trade together, and when nothing was recorded */
export async function finishAccountRun(
  machine: Machine,
  request: AccountRequest,
): Promise<FinishedAccountRun> {
  const { parts, paths, from, to, options, onProgress } = request;
  const { capital, fill, latencyMs, jitterMs, slippageTicks, seed } = options;
  checkTogether(parts.map(({ recording }) => recording));
  const engine = await packageVersion(machine.files);
  const { result, headlineId, series, read } = await runAccountBacktest({
    parts: parts.map(({ strategy, recording, limits }) => ({
      strategy: strategy.bound,
      fresh: () => strategy.fresh(),
      strategyHash: strategy.sha256,
      recording,
      limits: { ...NO_LIMITS, ...(limits as Partial<Limits>) },
      explain: (error) => strategy.explain(error),
    })),
    capital,
    fill,
    seed: String(seed),
    engineVersion: engine,
    ...(latencyMs === null ? {} : { latencyMs }),
    ...(jitterMs === null ? {} : { jitterMs }),
    ...(slippageTicks === null ? {} : { slippageTicks }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const { runId, strategies } = result;
  for (const { pair, trades } of Object.values(strategies)) {
    if (trades > 0 || result.ruinedAt !== undefined) continue;
    throw refused(
      `the recording of ${pair} must hold trades in the stretch that is asked for, received none (${paths.join(', ')})`,
    );
  }
  return {
    result,
    headlineId,
    series,
    recipe: {
      schemaVersion: 1,
      runId,
      engine,
      strategies: parts.map(({ strategy, recording, limits }, at) => ({
        file: resolve(strategy.file),
        sha256: strategy.sha256,
        params: strategy.params,
        pair: recording.pair,
        limits,
        last: lastOf(read[at]),
        lastFact: read[at]?.lastFact ?? null,
        ...inferredOf(recording),
        hash: strategies[recording.pair]?.data.hash ?? '',
      })),
      data: {
        paths: paths.map((path) => resolve(path)),
        from: from ?? null,
        to: to ?? null,
        hash: result.data.hash,
      },
      options,
    },
  };
}

/** Time of the last trade, ms; `null` if the account was ruined before the pair had a trade. */
function lastOf(read: Pick<ReadData, 'to'> | undefined): number | null {
  return read === undefined || Number.isNaN(read.to) ? null : read.to;
}

/**
 * Demands recordings of trades, of different markets in one quote asset: no account is implemented for anything else.
 */
function checkTogether(recordings: readonly Recording[]): void {
  const bars = recordings.find(({ kind }) => kind === 'bars');
  if (bars !== undefined) {
    throw refused(`strategies on one account must run over trades, received bars of ${bars.pair}`);
  }
  const [first] = recordings;
  const other = recordings.find(({ market }) => market.quote !== first?.market.quote);
  if (first !== undefined && other !== undefined) {
    throw refused(
      `strategies on one account must be on pairs of one quote asset, received ` +
        `${first.pair} in ${first.market.quote} and ${other.pair} in ${other.market.quote}`,
    );
  }
}

function refused(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_RECORDING', message);
}
