/** What keeps a pair from trading on at the end of a session until a person ends it. */
import type { Books } from '../../execution/books.js';
import type { Lots } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { type Position, positionLots } from '../../model/position.js';
import type { PrivateVenueApi } from '../../ports/venue-api.js';
import { BY_DISK } from '../../runner/open-chronicle.js';

export interface Standstill {
  /** Why the pair is quarantined: something that cannot be explained. */
  readonly quarantine: string | undefined;
  /** The level of the halt, and its reason. */
  readonly halt: string | undefined;
  /** What ends the halts; all of these are needed. `room`: free disk space for the journal; `resume`: the command. */
  readonly haltEnds: readonly ('room' | 'resume')[];
  /**
   * The venue's position where it differs from the sum of own fills; also `undefined` when the venue was not asked, or
   * did not answer.
   */
  readonly venueLots: Lots | undefined;
}

/** `undefined` while no person is needed. Sends no request, because an orderly end has no time for one. */
export function standstillOf(
  books: Pick<Books, 'quarantine' | 'halt' | 'haltReason' | 'halts'>,
  pair: string,
): Standstill | undefined {
  const { halt, haltReason = 'no reason is known', halts } = books;
  const quarantine = books.quarantine(pair);
  if (quarantine === undefined && halt === undefined) return undefined;
  return {
    quarantine,
    halt: halt === undefined ? undefined : `${halt} (${haltReason})`,
    haltEnds: [...new Set(halts.map(({ by }) => (by === BY_DISK ? 'room' : 'resume')))],
    venueLots: undefined,
  };
}

/** Adds the venue's position: in a quarantine own fills may not add up to it. */
export async function withVenueLots(
  standstill: Standstill,
  api: Pick<PrivateVenueApi, 'position'>,
  market: Market,
  { lots }: Position,
): Promise<Standstill> {
  if (standstill.quarantine === undefined) return standstill;
  const held = await heldAt(api, market);
  return { ...standstill, venueLots: held === lots ? undefined : held };
}

async function heldAt(api: Pick<PrivateVenueApi, 'position'>, market: Market): Promise<Lots | undefined> {
  try {
    return positionLots(market, await api.position(market.pair));
  } catch {
    return undefined;
  }
}
