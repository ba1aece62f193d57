import type { FillModelName } from '../../venue/tape/fill-model.js';
import type { AssetAmount, Settings as ParamSettings } from '../option-values.js';

/** The flags that `backtest` and `optimize` share: what is run, on what, and how its orders are filled. */
export interface RecordedRunOptions {
  readonly data?: readonly string[] | undefined;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly set?: ParamSettings | undefined;
  readonly latency?: number | undefined;
  readonly jitter?: number | undefined;
  readonly slippage?: number | undefined;
  readonly capital?: readonly AssetAmount[] | undefined;
  readonly seed: number;
  readonly report?: string | undefined;
  readonly openHoldout?: true | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

/** The flags of `backtest`. */
export interface BacktestOptions extends RecordedRunOptions {
  readonly fill: FillModelName | 'all';
  readonly poll?: string | undefined;
  readonly trades?: string | undefined;
  readonly roundTrips?: string | undefined;
  readonly failIf?: string | undefined;
  readonly save?: boolean | undefined;
}
