import { expect, test } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import { DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { madeUpVenue, START } from './made-up-venue.js';

test('a made-up market keeps the index that somebody gives it, and has its own again when it is taken back', () => {
  const { core, driver } = madeUpVenue({ prices: 'index' });
  const after = (seconds: number) => {
    driver.advanceTo(START + seconds * 1_000);
    core.advance(START + seconds * 1_000);
    return core.market(DEFAULT_PAIR).prices?.index as number;
  };
  const own = after(5);
  const given = (own - 100_000) as Ticks;
  core.setIndex(DEFAULT_PAIR, given, START + 5_000);
  expect(after(7)).toBe(given);
  expect(after(60)).toBe(given);
  core.setIndex(DEFAULT_PAIR, undefined, START + 60_000);
  expect(Math.abs(after(62) - driver.fairPrice * 10)).toBeLessThan(1_000);
});
