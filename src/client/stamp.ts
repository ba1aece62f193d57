import type { Field } from './form-body.js';
import type { VenueProfile } from './profile.js';

/** When a request may be executed: venue ms at which it was made, and how old it may get. */
export interface Stamp {
  readonly timestamp: number;
  readonly recvWindowMs: number;
}

export function stampFields(profile: VenueProfile, stamp: Stamp): readonly Field[] {
  const fields: Field[] = [];
  addStamp(fields, profile, stamp);
  return fields;
}

/** The same at the end of what is there. */
export function addStamp(
  fields: Field[],
  { orderFields: { timestamp, recvWindow } }: VenueProfile,
  stamp: Stamp,
): void {
  fields.push([timestamp, String(stamp.timestamp)], [recvWindow, String(stamp.recvWindowMs)]);
}
