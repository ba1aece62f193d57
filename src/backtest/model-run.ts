import type { Position } from '../model/position.js';
import type { SessionCore } from '../session/session-core.js';
import type { FillModelName } from '../venue/tape/fill-model.js';
import type { AccountWatch } from './account-watch.js';

/** A session over a recording, as its result sees it. */
export interface BacktestSession {
  readonly core: SessionCore;
  readonly watch: AccountWatch;
  /** Times of the first and the last print; NaN before the first. */
  readonly from: number;
  readonly to: number;
  /** The position, with the funding that was received for it. */
  readonly position: Position;
  /** The prices at which the venue valued open positions. */
  readonly mark: 'recorded' | 'last' | 'mixed';
  /** The source of the street's volume ahead of our resting orders. */
  readonly queueAhead: 'recorded' | 'estimated';
}

/** The run of a strategy under one fill model. */
export interface ModelRun {
  readonly model: FillModelName;
  readonly session: BacktestSession;
}
