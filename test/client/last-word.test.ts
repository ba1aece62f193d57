/** The last word before an order leaves: about the very bytes, once, and never past a refusal. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tickwright } from '../../src/client/profile.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { LastWord } from '../../src/ports/venue-api.js';
import { answering, clientDesk } from './client-desk.js';
import { envelope, MARKET, WIRE_ORDER } from './fixtures.js';
import { scriptedVenue } from './scripted-transport.js';

const TERMS: OrderTerms = {
  side: 'buy',
  type: 'limit',
  ticks: 610_005 as Ticks,
  lots: 250 as Lots,
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
};
const PLACED = { body: envelope({ order: { ...WIRE_ORDER, qty_filled: 0, qty_remaining: 0.25 } }) };

const place = async (lastWord: LastWord, terms = TERMS) => {
  const venue = scriptedVenue(() => PLACED);
  const outcome = await venue.time.until(venue.client.place(MARKET, terms, 'tag', undefined, lastWord));
  return { outcome, ...venue };
};

describe('the last word', () => {
  it('hears the hash of the body that is then sent, before the transport hears of it', async () => {
    const heard: string[] = [];
    const venue = scriptedVenue(() => {
      heard.push('sent');
      return PLACED;
    });
    const outcome = await venue.time.until(
      venue.client.place(MARKET, TERMS, 'tag', undefined, ({ bodySha256 }) => {
        heard.push(bodySha256);
        return undefined;
      }),
    );
    expect(outcome.kind).toBe('accepted');
    const body = venue.requests[0]?.body ?? '';
    expect(body).toContain('oco=tag');
    expect(heard).toEqual([createHash('sha256').update(body).digest('hex'), 'sent']);
  });

  it('keeps the order here when it gives a reason', async () => {
    const { outcome, requests } = await place(() => 'the pair is not synced');
    expect(outcome).toEqual({ kind: 'not-sent', reason: 'the pair is not synced' });
    expect(requests).toEqual([]);
  });

  it('keeps the order here when it fails, and says so in the log', async () => {
    const { outcome, requests, lines } = await place(() => {
      throw new Error('the disk is full');
    });
    expect(outcome).toEqual({ kind: 'not-sent', reason: 'the last word failed: the disk is full' });
    expect(requests).toEqual([]);
    expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
  });

  it('is not asked about a body that cannot be made', async () => {
    let asked = 0;
    const { outcome } = await place(
      () => {
        asked++;
        return undefined;
      },
      { ...TERMS, ticks: undefined },
    );
    expect(outcome.kind).toBe('not-sent');
    expect(asked).toBe(0);
  });

  it('is not asked when the request budget has no room in time', async () => {
    // Three at once and one more each 2.5 s, which is longer than an order waits. GET /time is the first of the three.
    const slow = { ...tickwright, clock: 'system', budget: { perSecond: 0.4, burst: 3 } } as const;
    const venue = scriptedVenue(() => PLACED, slow);
    let asked = 0;
    const one = () =>
      venue.time.until(
        venue.client.place(MARKET, TERMS, 'tag', undefined, () => {
          asked++;
          return undefined;
        }),
      );
    const outcomes = [await one(), await one(), await one()];
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'not-sent']);
    expect(outcomes[2]).toMatchObject({ reason: expect.stringContaining('request budget') as string });
    expect(asked).toBe(2);
  });

  describe('when the connection has to be made first', () => {
    const { clientOf, venueThat } = clientDesk();

    /** Words in their order; after the last of them the request may leave. */
    const placeWith = async (...words: readonly (string | undefined)[]) => {
      const venue = await venueThat(answering(PLACED.body));
      let asked = 0;
      const lastWord: LastWord = () => words[asked++];
      const outcome = await clientOf(venue.url).place(MARKET, TERMS, 'tag', undefined, lastWord);
      return { outcome, asked, posts: venue.posts().length };
    };

    it('is asked again when it is there, and a reason of then keeps the order here', async () => {
      expect(await placeWith(undefined, 'halted meanwhile')).toEqual({
        outcome: { kind: 'not-sent', reason: 'halted meanwhile' },
        asked: 2,
        posts: 0,
      });
    });

    it('lets the order leave once when there is none', async () => {
      expect(await placeWith()).toMatchObject({ outcome: { kind: 'accepted' }, asked: 2, posts: 1 });
    });
  });
});
