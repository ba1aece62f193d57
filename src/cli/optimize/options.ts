import type { ObjectiveName } from '../../backtest/search/objective.js';
import type { FillModelName } from '../../venue/tape/fill-model.js';
import type { Output } from '../output/output-file.js';
import type { RecordedRunOptions } from '../backtest/backtest-options.js';
import type { Settings } from '../option-values.js';

export type Method = 'grid' | 'sobol' | 'tpe';

/** The flags of `optimize`. */
export interface OptimizeCommandOptions extends RecordedRunOptions {
  readonly space?: Settings | undefined;
  readonly method?: Method | undefined;
  readonly budget: number;
  readonly objective?: ObjectiveName | undefined;
  readonly walkForward: number;
  /** Share of the recording's time, as a fraction. */
  readonly holdout?: number | undefined;
  readonly keepSealed?: true | undefined;
  readonly workers?: number | undefined;
  readonly fill: FillModelName;
  readonly trials?: string | undefined;
}

/** The requested output files, each with its flag. */
export function outputs({ trials, report }: OptimizeCommandOptions): readonly Output[] {
  return Object.entries({ '--trials': trials, '--report': report }).flatMap(([flag, path]): Output[] =>
    path === undefined ? [] : [[flag, path]],
  );
}
