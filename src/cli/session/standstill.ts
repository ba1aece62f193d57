/** What keeps a pair from trading on, at the end of a session: nobody but a person ends it. */
import type { Books } from '../../execution/books.js';
import type { Lots } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { type Position, positionLots } from '../../model/position.js';
import type { PrivateVenueApi } from '../../ports/venue-api.js';
import { BY_DISK } from '../../runner/open-chronicle.js';

export interface Standstill {
  /** What nobody can explain. */
  readonly quarantine: string | undefined;
  /** The level of a halt, and why. */
  readonly halt: string | undefined;
  /** Ways out of the halts, all of which are needed: `room` on the disk of the journal, `resume` for what is latched. */
  readonly haltEnds: readonly ('room' | 'resume')[];
  /** What the venue says is held where that differs from own fills; `undefined` too when it was not asked or does not say. */
  readonly venueLots: Lots | undefined;
}

/** `undefined` while nobody has to look. Asks nobody: an orderly end has no time for it. */
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

/** With what the venue says is held: where something is not explained, own fills need not add up. */
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
