import { describe, expect, it } from 'vitest';
import type { Card } from './card.js';
import { CARDS } from './cards/index.js';
import type { Door } from './door.js';
import { clientDoor } from './doors/client.js';
import { inProcessDoor } from './doors/in-process.js';
import { rawHttpDoor } from './doors/raw-http.js';
import { runCard } from './run-card.js';

/**
 * What our client cannot send, because it builds every request itself: bytes and headers by hand, and orders that are
 * none. Each is skipped with the client's own reason; a card that is not in here must not be skipped.
 */
const NOT_FOR_OUR_CLIENT: readonly Card['id'][] = [
  // Bytes by hand.
  ...idsFrom(1, 9),
  ...idsFrom(21, 34),
  'TC-080',
  'TC-081',
  'TC-107',
  'TC-208',
  'TC-231',
  'TC-236',
  'TC-240',
  'TC-437',
  'TC-618',
  // Orders that are none, and an id that is none.
  'TC-050',
  ...idsFrom(52, 59),
  'TC-062',
  ...idsFrom(64, 69),
  'TC-071',
  'TC-072',
  'TC-227',
  'TC-704',
];

interface Way {
  readonly name: string;
  /** A fresh venue behind it. */
  readonly open: () => Promise<Door>;
  readonly cannot: readonly Card['id'][];
}

const WAYS: readonly Way[] = [
  { name: 'in process', open: async () => inProcessDoor(), cannot: [] },
  { name: 'through our client', open: clientDoor, cannot: NOT_FOR_OUR_CLIENT },
  { name: 'as raw HTTP', open: rawHttpDoor, cannot: [] },
];

describe.each(WAYS.map((way) => [way.name, way] as const))('the contract, %s', (_name, { open, cannot }) => {
  for (const card of CARDS) {
    it(`${card.id} ${card.claim}`, async ({ skip }) => {
      const door = await open();
      try {
        const verdict = await runCard(card, door);
        if (verdict.kind === 'fail') throw verdict.error;
        const reason = verdict.kind === 'skip' ? verdict.reason : undefined;
        expect(reason !== undefined, reason ?? 'it can be done here').toBe(cannot.includes(card.id));
        if (reason !== undefined) skip(reason);
      } finally {
        await door.close();
      }
    });
  }
});

function idsFrom(first: number, last: number): readonly Card['id'][] {
  return Array.from(
    { length: last - first + 1 },
    (_, n): Card['id'] => `TC-${String(first + n).padStart(3, '0')}`,
  );
}
