import type { ObjectiveName } from '../../backtest/search/objective.js';
import type { FillModelName } from '../../venue/tape/fill-model.js';
import type { Output } from '../output/output-file.js';
import type { AssetAmount, Settings } from '../option-values.js';

export type Method = 'grid' | 'sobol' | 'tpe';

export interface OptimizeCommandOptions {
  readonly data?: readonly string[] | undefined;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly space?: Settings | undefined;
  readonly set?: Settings | undefined;
  readonly method?: Method | undefined;
  readonly budget: number;
  readonly objective?: ObjectiveName | undefined;
  readonly walkForward: number;
  /** Share of the recording's time, as a fraction. */
  readonly holdout?: number | undefined;
  readonly keepSealed?: true | undefined;
  readonly openHoldout?: true | undefined;
  readonly workers?: number | undefined;
  readonly fill: FillModelName;
  readonly latency?: number | undefined;
  readonly jitter?: number | undefined;
  readonly slippage?: number | undefined;
  readonly capital?: readonly AssetAmount[] | undefined;
  readonly seed: number;
  readonly trials?: string | undefined;
  readonly report?: string | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

/** The requested output files, each with its flag. */
export function outputs({ trials, report }: OptimizeCommandOptions): readonly Output[] {
  return Object.entries({ '--trials': trials, '--report': report }).flatMap(([flag, path]): Output[] =>
    path === undefined ? [] : [[flag, path]],
  );
}
