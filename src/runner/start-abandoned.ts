import { TickwrightError } from '../model/errors.js';
import type { RestingStop } from './resting-stop.js';
import type { OpenOrderText } from './session-gateway.js';

/** A session was stopped before its position was known: it never began. */
export class StartAbandoned extends TickwrightError {
  /** Own orders of earlier sessions that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];
  /** Stops of earlier sessions that were kept for the next one. */
  readonly keptStops: readonly RestingStop[];

  constructor(pair: string, leftOpen: readonly OpenOrderText[], keptStops: readonly RestingStop[] = []) {
    super('TICKWRIGHT_E_START_ABANDONED', `${pair} was stopped before its session began`);
    this.leftOpen = leftOpen;
    this.keptStops = keptStops;
  }
}
