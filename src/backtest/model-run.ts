import type { FillModelName } from '../venue/tape/fill-model.js';
import type { TapeSession } from './tape-session.js';

/** What became of a strategy under one fill model. */
export interface ModelRun {
  readonly model: FillModelName;
  readonly session: TapeSession;
}
