import { TickwrightError } from '../model/errors.js';
import { type RestingStop, restingStopText } from './resting-stop.js';
import type { LeftAtStart } from './start-abandoned.js';

/** The pair is quarantined: a person has to explain it before its session can begin. */
export class Quarantined extends TickwrightError {
  readonly pair: string;
  readonly reason: string;
  readonly leftOpen: LeftAtStart['leftOpen'];
  readonly keptStops: readonly RestingStop[];

  constructor(pair: string, reason: string, { leftOpen, keptStops = [] }: LeftAtStart) {
    super('TICKWRIGHT_E_QUARANTINED', `${pair} needs an operator: ${reason}`);
    this.pair = pair;
    this.reason = reason;
    this.leftOpen = leftOpen;
    this.keptStops = keptStops;
  }

  /** What stays at the venue until a person has looked, in words; '' for nothing. */
  get keptText(): string {
    return this.keptStops.length === 0
      ? ''
      : `kept at the venue: ${this.keptStops.map(restingStopText).join(', ')}`;
  }
}
