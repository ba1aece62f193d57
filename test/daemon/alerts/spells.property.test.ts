import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/daemon/alerts/alert.js';
import { Repeats } from '../../../src/daemon/alerts/repeats.js';
import { VirtualTime } from '../../support/virtual-time.js';

const WINDOW_MS = 600_000;
const HOUR_MS = 3_600_000;

/** What a cause did, and what was told of it. */
async function told(changes: readonly { readonly afterMs: number; readonly stands: boolean }[]) {
  const time = new VirtualTime();
  const words: { readonly at: number; readonly phase: Alert['phase'] }[] = [];
  const repeats = new Repeats({
    timers: time.timers,
    windowMs: WINDOW_MS,
    pass: ({ phase }) => words.push({ at: time.now, phase }),
  });
  /** Moments at which it stood though the last word was that it is over, or that it never was. */
  const lies: number[] = [];
  let stood = false;
  const look = () => {
    if (stood && words.at(-1)?.phase !== 'begin') lies.push(time.now);
  };
  for (const { afterMs, stands } of changes) {
    await time.advance(afterMs);
    look();
    stood = stands;
    const phase = stands ? 'begin' : 'end';
    repeats.take({
      kind: 'venue',
      severity: 'critical',
      key: 'venue',
      phase,
      title: phase,
      lines: [],
      time: 0,
    });
    look();
  }
  await time.advance(WINDOW_MS);
  return { words, lies, stood };
}

/** The most in any stretch of so many ms. */
function most(times: readonly number[], ms: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));
}

const change = fc.record({
  afterMs: fc.oneof(fc.nat(5_000), fc.nat(2 * WINDOW_MS), fc.constantFrom(WINDOW_MS - 1, WINDOW_MS)),
  stands: fc.boolean(),
});

describe('a state that changes however it likes', () => {
  it('never stands while the last word is that it is over, and is as it was last told once it is quiet', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
        const { words, lies, stood } = await told(changes);
        expect(lies).toEqual([]);
        expect(words.at(-1)?.phase ?? 'end').toBe(stood ? 'begin' : 'end');
      }),
    );
  });

  it('is told three times in its window at the most, and what was told is not told again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
        const { words } = await told(changes);
        const times = words.map(({ at }) => at);
        expect(most(times, WINDOW_MS)).toBeLessThanOrEqual(3);
        for (const [index, { phase }] of words.entries()) {
          expect(phase).toBe(index % 2 === 0 ? 'begin' : 'end');
        }
      }),
    );
  });
});

it.each([
  ['every second', 1_000, 4],
  ['every minute', 60_000, 3],
  ['just when its end was told', WINDOW_MS + 1, 13],
])('a state that flaps for hours, %s, is told so often an hour', async (_, quietMs, perHour) => {
  const rounds = Math.ceil((6 * HOUR_MS) / (quietMs + 1_000));
  const changes = Array.from({ length: Math.min(rounds, 1_000) }, () => [
    { afterMs: quietMs, stands: true },
    { afterMs: 1_000, stands: false },
  ]).flat();
  const { words, lies } = await told(changes);
  expect(lies).toEqual([]);
  expect(
    most(
      words.map(({ at }) => at),
      HOUR_MS,
    ),
  ).toBeLessThanOrEqual(perHour);
});
