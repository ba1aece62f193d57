import { CARDS } from '../contract/cards/index.js';
import type { Card } from '../contract/card.js';

/** Ids in the order of the suite; three and more that follow each other as a range. */
export function cardList(cards: readonly Card[]): string {
  const wanted = new Set(cards);
  const runs: Card['id'][][] = [];
  for (const card of CARDS) {
    if (!wanted.has(card)) continue;
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last !== undefined && numberOf(card.id) === numberOf(last) + 1) run?.push(card.id);
    else runs.push([card.id]);
  }
  return runs.map((run) => (run.length < 3 ? run.join(', ') : `${run[0]} to ${run.at(-1)}`)).join(', ');
}

function numberOf(id: Card['id']): number {
  return Number(id.slice('TC-'.length));
}
