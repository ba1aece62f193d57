import { expect, it } from 'vitest';
import { tortureJournal } from '../support/journal-torture.js';

const KIB = 1_024;

it('a journal of 1 MiB that is cut anywhere or has any bit turned never yields a record that nobody wrote', async () => {
  const counts = await tortureJournal({
    seed: 4,
    bytes: KIB * KIB,
    cutEndBytes: 64 * KIB,
    flips: 20_000,
    reopenEvery: 4_000,
  });
  expect(counts).toMatchObject({
    falseRecords: 0,
    lostRecords: 0,
    falseAlarms: 0,
    unnoticed: 0,
    flips: 20_000,
  });
  expect(counts.journalBytes).toBeGreaterThanOrEqual(KIB * KIB);
  expect(counts.cuts).toBeGreaterThan(64 * KIB + 2 * counts.records);
  expect(counts.refused + counts.cutAsTorn).toBe(counts.flips);
  expect(counts.cutAsTorn).toBeGreaterThan(100);
  expect(counts.reopened).toBeGreaterThan(20);
});
