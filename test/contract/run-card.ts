import { CannotDo } from './cannot-do.js';
import type { Card } from './card.js';
import { Desk } from './desk.js';
import type { Door } from './door.js';

export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'fail'; readonly error: unknown }
  | { readonly kind: 'skip'; readonly reason: string };

/** One card through one door, which stays open. */
export async function runCard(card: Card, door: Door): Promise<Verdict> {
  for (const need of card.needs) {
    const reason = door.lacks(need);
    if (reason !== undefined) return { kind: 'skip', reason };
  }
  try {
    await card.run(new Desk(door));
    return { kind: 'pass' };
  } catch (error) {
    return error instanceof CannotDo ? { kind: 'skip', reason: error.message } : { kind: 'fail', error };
  }
}
