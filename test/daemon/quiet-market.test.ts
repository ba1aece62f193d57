import { describe, expect, it } from 'vitest';
import { type Breach, SentinelJudge } from '../../src/daemon/sentinel/judge.js';
import { MarketFeed } from '../../src/market-data/market-feed.js';
import { SILENT } from '../../src/ports/log.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { daemonOf } from './daemon-desk.js';
import { SessionDouble } from './session-double.js';

const ORIGIN = 1_700_000_000_000;
const BOUNDS = { hung: 20_000, dead: 15_000, ending: 90_000, blind: 60_000 };

/** A daemon whose pair has an order at the venue, whose tape has one trade and is polled each second. */
async function trading() {
  const session = new SessionDouble(BTC, { warmUp: true });
  session.open = ['17'];
  const { daemon, events, start, time } = daemonOf([session]);
  const venue = new FakeVenueApi(time, BTC, ORIGIN);
  venue.print({ id: '1', time: ORIGIN - 1_000, price: 100, quantity: 1, isBuyerMaker: false });
  const feed = new MarketFeed({
    api: venue,
    market: BTC,
    profile: { maxLimit: 10, contiguousIds: true, visibilityLagMs: 0, followClock: true },
    every: { trades: 1_000 },
    timers: time.timers,
    clock: time.clock,
    log: SILENT,
  });
  session.feed = feed;
  await start();
  feed.events$.subscribe((event) => session.hears(event));
  await time.advance(5_000);
  const judge = new SentinelJudge({ bounds: BOUNDS, everyMs: 1_000 });
  const ages: (number | undefined)[] = [];
  const breaches: Breach[] = [];
  const look = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await time.advance(1_000);
      const status = daemon.status();
      ages.push(status.pairs[0]?.pollAgeMs);
      breaches.push(...[judge.see({ kind: 'answer', process: 'a', status }, time.now) ?? []].flat());
    }
  };
  const reach = () => events.filter(({ kind }) => kind === 'venue');
  return { time, venue, feed, daemon, ages, breaches, look, reach };
}

describe('a daemon whose market is quiet', () => {
  it.each<readonly [string, (venue: FakeVenueApi, isSpoilt: boolean) => void]>([
    [
      'does not tell its time',
      (venue, isSpoilt) => {
        venue.fault = (kind) => (isSpoilt && kind === 'time' ? 'fail' : undefined);
      },
    ],
    [
      'has set its clock back',
      (venue, isSpoilt) => {
        venue.clockFrozenAt = isSpoilt ? ORIGIN - 60_000 : undefined;
      },
    ],
  ])('hears its venue while polls are answered, though no bar closes: the venue %s', async (_, spoil) => {
    const { venue, feed, daemon, ages, breaches, look, reach } = await trading();
    spoil(venue, true);
    const { polls } = feed.stats;
    await look(65);
    expect(feed.stats.polls).toBe(polls + 65);
    expect(Math.max(...ages.map((age) => age ?? Number.POSITIVE_INFINITY))).toBeLessThan(2_000);
    expect(reach()).toEqual([]);
    expect(breaches).toEqual([]);
    // What it does not hear is the time.
    expect(daemon.status().problems).toContainEqual(
      expect.stringMatching(/^USD_BTC_PERP: bars and timers stand still: .*, for 6\d s$/),
    );
    spoil(venue, false);
    await look(61);
    expect(daemon.status().problems).toEqual([]);
  });

  it('is blind while no poll of the trades is answered, whatever else is', async () => {
    const { venue, daemon, ages, breaches, look, reach } = await trading();
    venue.fault = (kind) => (kind === 'trades' ? 'fail' : undefined);
    await look(65);
    expect(ages.at(-1)).toBe(65_000);
    expect(reach()).toMatchObject([{ reachable: false }]);
    expect(daemon.status().problems).toEqual(['USD_BTC_PERP: no poll was answered for 65 s']);
    expect(breaches[0]).toMatchObject({ kind: 'blind' });
    venue.fault = () => undefined;
    // The pause after so many failures is longer than the interval.
    await look(35);
    expect(ages.at(-1)).toBeLessThan(2_000);
    expect(reach()).toMatchObject([{ reachable: false }, { reachable: true }]);
  });
});
