import { isDefiniteRefusal, type VenueProfile } from '../../client/profile.js';
import type { OrderRecord } from '../../model/venue-records.js';
import { type Clock, sleep, type Timers } from '../../ports/clock.js';
import { type VenueApi, VenueError } from '../../ports/venue-api.js';
import { keyRefusalOf } from '../report-error.js';

export interface CancelProofOptions {
  readonly api: Pick<VenueApi, 'order' | 'orders'>;
  readonly profile: Pick<VenueProfile, 'definiteRefusals' | 'maxLimit' | 'visibilityLagMs'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timers: Timers;
  /** Also nothing may be left in the venue's list of working orders. */
  readonly list?: CanceledList | undefined;
}

export interface CanceledList {
  /** Of this pair only; `undefined`: of all. */
  readonly pair?: string | undefined;
  /** The venue answered that it canceled all of them. Otherwise an order that a list does not show yet may be left. */
  readonly isAnswered: boolean;
}

/** What reads have proven of orders that were to be canceled. */
export interface CancelProof {
  /** The newest records, in the order of the ids. */
  readonly found: readonly OrderRecord[];
  /** Ids that the venue does not know. */
  readonly unknown: readonly string[];
  /** Ids of orders that are open, or about which nothing is known. */
  readonly open: readonly string[];
  /** Why the newest read failed; `undefined` if nothing is open for want of a read. */
  readonly unread: string | undefined;
}

/** How often, and for how long at least, orders are read until the venue shows them as done; ms. */
const LOOK_EVERY_MS = 250;
const LOOK_FOR_MS = 2_000;

/**
 * Reads orders until each is done, since only a read after the cancel proves one; a read that fails proves nothing.
 *
 * @throws VenueError when the venue refuses the key.
 */
export async function proveCanceled(
  ids: readonly string[],
  options: CancelProofOptions,
): Promise<CancelProof> {
  const { profile, clock, timers, list } = options;
  const sentAt = clock.monotonic();
  const deadline = sentAt + Math.max(LOOK_FOR_MS, 2 * profile.visibilityLagMs);
  const showsAllFrom = list?.isAnswered === false ? sentAt + profile.visibilityLagMs : sentAt;
  const found = new Map<string, OrderRecord>();
  const unknown = new Set<string>();
  let left: readonly string[] = ids;
  for (;;) {
    const isLate = () => clock.monotonic() >= deadline;
    let unread: string | undefined;
    for (const id of left) {
      const order = await told(options.api.order(id));
      if (order instanceof VenueError) {
        if (order.kind === 'refused' && isDefiniteRefusal(profile, order.message)) unknown.add(id);
        else unread = order.message;
      } else found.set(id, order);
      if (unread !== undefined && isLate()) break;
    }
    left = left.filter((id) => !unknown.has(id) && isOpen(found.get(id)));
    const listedAt = clock.monotonic();
    const mayList = left.length === 0 || isLate();
    const listed = list === undefined || !mayList ? [] : await told(working(options, list));
    if (listed instanceof VenueError) unread = listed.message;
    const isProven = left.length === 0 && unread === undefined && listedAt >= showsAllFrom;
    if ((isProven && isEmpty(listed)) || isLate()) {
      const open = [...new Set([...left, ...(listed instanceof VenueError ? [] : listed)])];
      return { found: ids.flatMap((id) => found.get(id) ?? []), unknown: [...unknown], open, unread };
    }
    await sleep(timers, LOOK_EVERY_MS);
  }
}

function isEmpty(listed: readonly string[] | VenueError): boolean {
  return !(listed instanceof VenueError) && listed.length === 0;
}

/** What a read gives, or why the venue did not give it. A refusal of the key says nothing about orders, and stays an error. */
async function told<T>(read: Promise<T>): Promise<T | VenueError> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof VenueError && keyRefusalOf(error) === undefined) return error;
    throw error;
  }
}

/** Ids of the working orders that the venue lists. */
export async function working(
  { api, profile }: Pick<CancelProofOptions, 'api' | 'profile'>,
  { pair }: Pick<CanceledList, 'pair'>,
): Promise<readonly string[]> {
  const query = { limit: profile.maxLimit, ...(pair === undefined ? {} : { pair }) };
  return (await api.orders('active', query)).map(({ id }) => id);
}

/** An order of which nothing is known counts as open. */
function isOpen(order: OrderRecord | undefined): boolean {
  return order === undefined || (order.status !== 'CANCELLED' && order.status !== 'COMPLETED');
}
