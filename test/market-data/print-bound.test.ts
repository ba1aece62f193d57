import { describe, expect, it } from 'vitest';
import { printBound } from '../../src/market-data/print-bound.js';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** What is thought of the venue's clock, and what it says when it is asked. */
function boundOf({ followed, tells }: { followed: boolean; tells: number | undefined }) {
  let now = 1_000;
  let asked = 0;
  const ask = () => {
    asked++;
    now = tells ?? now;
    return Promise.resolve(tells !== undefined);
  };
  return { bound: printBound({ now: () => now }, { followed, ask }), asked: () => asked };
}

it('is a day away where the venue was asked just before, and has a clock of its own pace', async () => {
  const bound = printBound({ now: () => 1_000 }, { followed: true, ask: undefined });
  expect(await bound(1_000 + MINUTE)).toBe(1_000 + MINUTE);
  expect(await bound(9 * DAY)).toBe(1_000 + DAY);
});

describe.each([false, true])('the last moment of a print, where the clock is followed: %s', (followed) => {
  it('is a minute from now, and nobody asks while no print is later', async () => {
    const { bound, asked } = boundOf({ followed, tells: undefined });
    expect(await bound(1_000 + MINUTE)).toBe(1_000 + MINUTE);
    expect(asked()).toBe(0);
  });

  it('is believed of the venue, whose clock may be days from what was thought', async () => {
    const { bound, asked } = boundOf({ followed, tells: 3 * DAY });
    expect(await bound(3 * DAY)).toBeGreaterThanOrEqual(3 * DAY);
    expect(asked()).toBe(1);
  });

  it('is a day away where the venue does not tell its time', async () => {
    const { bound } = boundOf({ followed, tells: undefined });
    expect(await bound(9 * DAY)).toBe(1_000 + DAY);
  });
});
