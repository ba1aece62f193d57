import type { OrderRecord } from '../model/venue-records.js';
import { decodeOrder } from './decode-orders.js';
import type { VenueProfile } from './profile.js';
import { listOf, recordOf } from './wire.js';

/** The order record of a result, under the profile's keys or bare. @throws DecodeError when there is none. */
export function orderIn(profile: VenueProfile, result: unknown): OrderRecord {
  const outer = recordOf(result, 'the result');
  const key = profile.orderNesting.find((name) => Object.hasOwn(outer, name));
  return decodeOrder(key === undefined ? outer : outer[key]);
}

/** The order records of a bulk result: an array, bare or under the profile's keys; each member nested or not. */
export function ordersIn(profile: VenueProfile, result: unknown): readonly OrderRecord[] {
  return listIn(profile, result).map((member) => orderIn(profile, member));
}

function listIn({ bulkNesting }: VenueProfile, result: unknown): readonly unknown[] {
  // This interface wraps many results in an array of one object.
  const outer = Array.isArray(result) && result.length === 1 ? (result[0] as unknown) : result;
  if (typeof outer === 'object' && outer !== null && !Array.isArray(outer)) {
    const wire = recordOf(outer, 'the result');
    const key = bulkNesting.find((name) => Object.hasOwn(wire, name));
    if (key !== undefined) return listOf(wire[key], `the result's ${key}`);
  }
  return listOf(result, 'the result');
}
