import { describe, expect, it } from 'vitest';
import { tickwright } from '../../src/client/profile.js';
import { Stamper } from '../../src/client/stamper.js';
import type { VenueClockEstimate } from '../../src/client/venue-clock.js';

const NOW = 1_723_075_200_000;
const WINDOW = tickwright.recvWindowMs;

/** An estimate of the venue's clock that is `errorMs` wrong at most, and `heldMs` behind what it told a moment ago. */
function estimate({ errorMs = 2.5, heldMs = 0, rate = 1 }): VenueClockEstimate {
  return {
    now: () => NOW + heldMs,
    reached: () => NOW,
    earliest: () => NOW - errorMs,
    glance: () => ({ now: NOW, reached: NOW }),
    answered: () => NOW,
    errorMs: () => errorMs,
    rate: () => rate,
    steadyRate: () => rate,
    sync: () => Promise.resolve(),
  };
}
const stampOf = (clock: VenueClockEstimate) => new Stamper(tickwright, clock).stamp();

describe('the stamp of a request', () => {
  it('is the earliest moment that it can be', () => {
    expect(stampOf(estimate({}))).toEqual({ timestamp: NOW - 3, recvWindowMs: WINDOW });
  });

  it.each([
    2_400, 9_000,
  ])('is not ahead of the venue while the clock stands still %d ms ahead, at what it told', (heldMs) => {
    expect(stampOf(estimate({ heldMs })).timestamp).toBe(NOW - 3);
  });

  it('is at most a receive window old', () => {
    expect(stampOf(estimate({ errorMs: 60_000 })).timestamp).toBe(NOW - WINDOW);
  });

  it('has a window as long by our own clock, where the venue’s runs faster', () => {
    expect(stampOf(estimate({ rate: 60 })).recvWindowMs).toBe(60 * WINDOW);
  });
});
