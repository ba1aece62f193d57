import { describe, expect, it } from 'vitest';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { runHistory } from './histories.js';

const HISTORIES = 1_000;
const STEPS = 120;
/** Each of them must happen in the histories, or they prove nothing about it. */
const MUST_HAPPEN = [
  'fill',
  'slice',
  'take-over',
  'deleverage',
  'untriggered order',
  'active order',
  'canceled order',
  'completed order',
  'leverage done',
  'fund done',
  'draw done',
  'close accepted',
  'deposit',
  'withdrawal',
  'withdrawal paid',
  'withdrawal dropped',
  'refused: insufficient balance',
];

describe('the laws of money', () => {
  it(`hold after every step of ${HISTORIES} random histories`, { timeout: 300_000 }, () => {
    const seen: Record<string, number> = {};
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const report = runHistory(VenueCore, seed, STEPS);
      expect(report.broken, `history ${seed}`).toBeUndefined();
      for (const [what, times] of Object.entries(report.seen)) seen[what] = (seen[what] ?? 0) + times;
    }
    for (const what of MUST_HAPPEN) expect(seen[what] ?? 0, what).toBeGreaterThan(10);
  });
});
