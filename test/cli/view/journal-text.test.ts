/** Lines of a journal: when something was, and since when nothing was. */
import { describe, expect, it } from 'vitest';
import { entryText } from '../../../src/cli/view/journal-text.js';
import type { Lots } from '../../../src/model/grid.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { checkpointOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';

const line = (record: JournalRecord) => entryText({ sequence: 4, record });
const cut = (time: number): JournalRecord => ({ kind: 'cut', pair: BTC.pair, position: 0 as Lots, time });

describe('a line of a journal', () => {
  it('has the time of the newest fill that what it says counts from', () => {
    const time = Date.UTC(2026, 10, 27, 14, 2);
    expect(line(cut(time))).toBe(
      '#4       2026-11-27T14:02:00.000Z  cut         USD_BTC_PERP agrees with the venue: position 0, every fill to 2026-11-27T14:02:00.000Z',
    );
    expect(line(checkpointOf(7, time))).toMatch(/^#4 {7}2026-11-27T14:02:00\.000Z {2}checkpoint /);
  });

  it('has none where there was no fill yet', () => {
    expect(line(cut(0))).toMatch(/^#4 {33}cut .*: position 0, no fill yet$/);
    expect(line(checkpointOf(7))).toMatch(/^#4 {33}checkpoint /);
  });
});
