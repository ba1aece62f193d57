import { TickwrightError } from '../model/errors.js';
import type { RestingStop } from './resting-stop.js';
import type { OpenOrderText } from './session-gateway.js';
import { bareText } from './stop/bare-position.js';

/** What an end before the begin has done to the orders of earlier sessions. */
export interface LeftAtStart {
  /** Own orders of earlier sessions that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];
  /** Stops of earlier sessions that were kept for the next one. */
  readonly keptStops?: readonly RestingStop[];
  /** Ids of stops that were canceled although the position that they guarded is left. */
  readonly canceledStops?: readonly string[];
}

/** A session was stopped before its position was known: it never began. */
export class StartAbandoned extends TickwrightError {
  readonly leftOpen: readonly OpenOrderText[];
  readonly keptStops: readonly RestingStop[];
  readonly canceledStops: readonly string[];

  constructor(pair: string, { leftOpen, keptStops = [], canceledStops = [] }: LeftAtStart) {
    super('TICKWRIGHT_E_START_ABANDONED', `${pair} was stopped before its session began`);
    this.leftOpen = leftOpen;
    this.keptStops = keptStops;
    this.canceledStops = canceledStops;
  }

  /** The position that is left without its stop, in words; '' where there is none. */
  get bareText(): string {
    return this.canceledStops.length === 0 ? '' : bareText(this.canceledStops);
  }
}
