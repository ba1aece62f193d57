import { describe, expect, it } from 'vitest';
import { cautious, isDefiniteRefusal, tickwright, VENUE_PROFILES } from '../../src/client/profile.js';
import { REFUSALS, refusalText } from '../../src/venue/core/refusals.js';
import { Refused } from '../../src/venue/http/envelope.js';

describe('the profile of our own venue', () => {
  it('knows each of its refusals as definite', () => {
    for (const rule of Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]) {
      expect([rule, isDefiniteRefusal(tickwright, refusalText(rule, 'price 1 of 2'))]).toEqual([rule, true]);
    }
    expect(isDefiniteRefusal(tickwright, Refused.staleTimestamp().msg)).toBe(true);
    expect(isDefiniteRefusal(tickwright, Refused.throttled(0.043).msg)).toBe(true);
  });

  it.each([
    '',
    'The request is invalid',
    'Internal error',
    'malformedness',
    'upstream: insufficient balance',
    'bad gateway',
  ])('takes %j for no proof of anything', (message) => {
    expect(isDefiniteRefusal(tickwright, message)).toBe(false);
  });
});

describe('the cautious profile', () => {
  it('takes no message for proof', () => {
    for (const message of Object.values(REFUSALS)) expect(isDefiniteRefusal(cautious, message)).toBe(false);
  });
});

describe('profiles', () => {
  it('are found by name', () => {
    expect([...VENUE_PROFILES.keys()]).toEqual(['tickwright', 'cautious']);
    expect(VENUE_PROFILES.get('tickwright')?.maxLimit).toBe(1_000);
  });
});
