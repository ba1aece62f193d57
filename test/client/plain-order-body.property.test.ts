import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderBody } from '../../src/client/order-body.js';
import { saysPlainly } from '../../src/client/plain-order-body.js';
import { cautious, tickwright, type VenueProfile } from '../../src/client/profile.js';
import { verifyOrderBody } from '../../src/client/verify-order-body.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { PlaceRequest } from '../../src/ports/venue-api.js';
import { MARKET } from './fixtures.js';

const STAMP = { timestamp: 1_723_075_200_123, recvWindowMs: 5_000 };

const terms = fc
  .record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    ticks: fc.option(fc.integer({ min: 1, max: 9_000_000 }), { nil: undefined }),
    lots: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 90_000 })),
    timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
    postOnly: fc.boolean(),
    reduceOnly: fc.boolean(),
  })
  .map(({ ticks, lots, postOnly, ...rest }): OrderTerms => {
    const isLimit = ticks !== undefined;
    const type = isLimit ? 'limit' : 'market';
    return { ...rest, type, ticks: ticks as Ticks, lots: lots as Lots, postOnly: postOnly && isLimit };
  });
const tag = fc.option(fc.constantFrom('s1-42', 'x'), { nil: undefined });
const profile = fc.constantFrom(tickwright, cautious);

function isVerified(of: VenueProfile, request: PlaceRequest, body: string): boolean {
  try {
    verifyOrderBody(of, MARKET, request, body);
    return true;
  } catch {
    return false;
  }
}

describe('the short look at the body of an order', () => {
  it('is enough for every order without options', () => {
    fc.assert(
      fc.property(profile, terms, tag, (of, asked, named) => {
        const request = { terms: asked, tag: named };
        expect(saysPlainly(of, MARKET, request, orderBody(of, MARKET, request, STAMP))).toBe(true);
      }),
    );
  });

  it('leaves whatever needs more to the long one', () => {
    const request = {
      terms: { side: 'buy', type: 'market', ticks: undefined, lots: 5 as Lots } as OrderTerms,
    };
    const asked = { ...request.terms, timeInForce: 'GTC' as const, postOnly: false, reduceOnly: false };
    for (const special of [
      { terms: asked, options: { hidden: true } },
      { terms: asked, tag: 'a b' },
      { terms: asked, tag: 'a%b' },
    ]) {
      expect(saysPlainly(tickwright, MARKET, special, orderBody(tickwright, MARKET, special, STAMP))).toBe(
        false,
      );
    }
  });

  it('never takes what the long one refuses, whichever character, field or term is another', () => {
    const edit = fc.oneof(
      fc.record({
        at: fc.nat(),
        drop: fc.nat({ max: 2 }),
        put: fc.constantFrom(
          '',
          '0',
          '1',
          '9',
          '.',
          '-',
          '+',
          '%',
          '&',
          '=',
          'e',
          'BUY',
          '&qty=1',
          '&x=',
          '00',
        ),
      }),
      fc.record({ swap: terms }),
      fc.record({ field: fc.nat(), twice: fc.boolean() }),
    );
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(profile, terms, tag, fc.array(edit, { maxLength: 2 }), (of, asked, named, edits) => {
        let body = orderBody(of, MARKET, { terms: asked, tag: named }, STAMP);
        let wanted = asked;
        for (const each of edits) {
          if ('swap' in each) wanted = each.swap;
          else if ('at' in each) {
            const at = each.at % (body.length + 1);
            body = body.slice(0, at) + each.put + body.slice(at + each.drop);
          } else {
            const fields = body.split('&');
            const at = each.field % fields.length;
            const field = fields[at] as string;
            if (each.twice) fields.push(field);
            else fields.splice(at, 1);
            body = fields.join('&');
          }
        }
        const request = { terms: wanted, tag: named };
        const isVerifiedLong = isVerified(of, request, body);
        if (saysPlainly(of, MARKET, request, body)) {
          seen.taken++;
          expect(isVerifiedLong).toBe(true);
        } else if (!isVerifiedLong) seen.refused++;
      }),
      { numRuns: 5_000 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(500);
  });
});
