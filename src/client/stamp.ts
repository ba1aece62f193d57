import type { Field } from './form-body.js';
import type { VenueProfile } from './profile.js';

/** The time bound of a request: venue ms at which it was made, and how old it may be when the venue executes it, ms. */
export interface Stamp {
  readonly timestamp: number;
  readonly recvWindowMs: number;
}

export function stampFields(profile: VenueProfile, stamp: Stamp): readonly Field[] {
  const fields: Field[] = [];
  addStamp(fields, profile, stamp);
  return fields;
}

/** Appends the stamp to `fields`. */
export function addStamp(
  fields: Field[],
  { orderFields: { timestamp, recvWindow } }: VenueProfile,
  stamp: Stamp,
): void {
  fields.push([timestamp, String(stamp.timestamp)], [recvWindow, String(stamp.recvWindowMs)]);
}
