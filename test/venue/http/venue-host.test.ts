import { describe, expect, it } from 'vitest';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { VenueHost } from '../../../src/venue/http/venue-host.js';
import type { MarketDriver } from '../../../src/venue/market-driver.js';
import { BTC } from '../../support/markets.js';

const START = 1_723_100_000_000;

/** A market with something to do each venue ms, and a machine that takes so many of our own ms for it. */
function venue({ stepMs, speed }: { readonly stepMs: number; readonly speed: number }) {
  const own = { ms: 0 };
  let at = START;
  const driver: MarketDriver = {
    advanceTo(now) {
      for (; at <= now; at++) own.ms += stepMs;
    },
    get nextTime() {
      return at;
    },
  };
  let told = 0;
  const clock = { wall: () => START, monotonic: () => own.ms };
  const core = new VenueCore({ markets: [{ market: BTC }] });
  const host = new VenueHost({
    core,
    drivers: [driver],
    clock,
    origin: START,
    speed,
    onBehind: () => told++,
  });
  return { own, host, told: () => told };
}

describe('a market that cannot keep up with its speed', () => {
  it('answers soon all the same, goes as fast as it can, and says so once', () => {
    const { own, host, told } = venue({ stepMs: 2, speed: 10_000 });
    let before = START;
    for (let i = 0; i < 5; i++) {
      own.ms += 50;
      const from = own.ms;
      const now = host.catchUp();
      expect(own.ms - from).toBeLessThan(400);
      // Time never falls, and goes on from where the market is.
      expect(now).toBeGreaterThan(before);
      expect(host.clock.now() - now).toBeLessThan(10);
      before = now;
    }
    expect(told()).toBe(1);
    // Half a venue ms for each of ours, not ten thousand.
    expect(before - START).toBeLessThan(own.ms);
  });

  it('is none that has much to catch up with, as long as it can be done', () => {
    const { own, host, told } = venue({ stepMs: 0.0005, speed: 60 });
    own.ms += 5_000;
    expect(host.catchUp()).toBe(START + 300_000);
    expect(told()).toBe(0);
  });
});
