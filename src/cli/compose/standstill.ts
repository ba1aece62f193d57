/** What keeps a pair from trading on, at the end of a session: nobody but a person ends it. */
import type { Books } from '../../execution/books.js';
import type { Lots } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { type Position, positionLots } from '../../model/position.js';
import type { PrivateVenueApi } from '../../ports/venue-api.js';

export interface Standstill {
  /** What nobody can explain. */
  readonly quarantine: string | undefined;
  /** The level of a latched halt, and why. */
  readonly halt: string | undefined;
  /** What the venue says is held where that differs from own fills; `undefined` too when it was not asked or does not say. */
  readonly venueLots: Lots | undefined;
}

/** `undefined` while nobody has to look. Without what is explained own fills need not add up: then the venue is asked. */
export async function standstillOf(
  api: Pick<PrivateVenueApi, 'position'>,
  books: Pick<Books, 'quarantine' | 'halt' | 'haltReason'>,
  market: Market,
  { lots }: Position,
): Promise<Standstill | undefined> {
  const { halt, haltReason = 'no reason is known' } = books;
  const quarantine = books.quarantine(market.pair);
  if (quarantine === undefined && halt === undefined) return undefined;
  const held = quarantine === undefined ? undefined : await heldAt(api, market);
  return {
    quarantine,
    halt: halt === undefined ? undefined : `${halt} (${haltReason})`,
    venueLots: held === lots ? undefined : held,
  };
}

async function heldAt(api: Pick<PrivateVenueApi, 'position'>, market: Market): Promise<Lots | undefined> {
  try {
    return positionLots(market, await api.position(market.pair));
  } catch {
    return undefined;
  }
}
