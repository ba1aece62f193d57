import type { FillModelName } from '../../venue/tape/fill-model.js';
import type { AssetAmount, Settings as ParamSettings } from '../option-values.js';

/** The flags of `backtest`. */
export interface BacktestOptions {
  readonly data?: readonly string[] | undefined;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly set?: ParamSettings | undefined;
  readonly fill: FillModelName | 'all';
  readonly latency?: number | undefined;
  readonly jitter?: number | undefined;
  readonly poll?: string | undefined;
  readonly slippage?: number | undefined;
  readonly capital?: readonly AssetAmount[] | undefined;
  readonly seed: number;
  readonly trades?: string | undefined;
  readonly roundTrips?: string | undefined;
  readonly failIf?: string | undefined;
  readonly report?: string | undefined;
  readonly save?: boolean | undefined;
  readonly openHoldout?: true | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}
