import { TickwrightError } from '../model/errors.js';
import type { OpenOrderText } from './session-gateway.js';

/** A session was stopped before its position was known: it never began. */
export class StartAbandoned extends TickwrightError {
  /** Own orders of earlier sessions that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];

  constructor(pair: string, leftOpen: readonly OpenOrderText[]) {
    super('TICKWRIGHT_E_START_ABANDONED', `${pair} was stopped before its session began`);
    this.leftOpen = leftOpen;
  }
}
