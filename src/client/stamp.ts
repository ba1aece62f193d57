import type { Field } from './form-body.js';
import type { VenueProfile } from './profile.js';

/** When a request may be executed: venue ms at which it was made, and how old it may get. */
export interface Stamp {
  readonly timestamp: number;
  readonly recvWindowMs: number;
}

export function stampFields({ orderFields }: VenueProfile, stamp: Stamp): readonly Field[] {
  return [
    [orderFields.timestamp, String(stamp.timestamp)],
    [orderFields.recvWindow, String(stamp.recvWindowMs)],
  ];
}
