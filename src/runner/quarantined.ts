import { TickwrightError } from '../model/errors.js';
import type { OpenOrderText } from './session-gateway.js';

/** The pair is quarantined: a person has to explain it before its session can begin. */
export class Quarantined extends TickwrightError {
  readonly pair: string;
  readonly reason: string;
  /** Own orders of earlier sessions that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];

  constructor(pair: string, reason: string, leftOpen: readonly OpenOrderText[]) {
    super('TICKWRIGHT_E_QUARANTINED', `${pair} needs an operator: ${reason}`);
    this.pair = pair;
    this.reason = reason;
    this.leftOpen = leftOpen;
  }
}
