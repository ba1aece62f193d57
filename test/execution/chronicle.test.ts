import { describe, expect, test } from 'vitest';
import { Books } from '../../src/execution/books.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../src/execution/chronicle.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { type BotJournal, type Durability, JournalFailed } from '../../src/ports/bot-journal.js';
import { checkpointOf, prepOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';

function desk() {
  const written: [JournalRecord['kind'], Durability][] = [];
  const heard: JournalRecord['kind'][] = [];
  const disk: { failure: JournalFailed | undefined } = { failure: undefined };
  const journal: BotJournal = {
    append: ({ kind }, durability) => {
      if (disk.failure !== undefined) throw disk.failure;
      written.push([kind, durability]);
    },
    get failure() {
      return disk.failure;
    },
  };
  const chronicle = new Chronicle(journal, new Books(), ({ kind }) => heard.push(kind));
  return { chronicle, written, heard, fail: () => (disk.failure = new JournalFailed('the disk is full')) };
}

describe('a chronicle', () => {
  test('writes what is vowed durably and knows it then', () => {
    const { chronicle, written, heard } = desk();
    chronicle.vow(prepOf('a'));
    chronicle.note(checkpointOf(3));
    chronicle.note(checkpointOf(4), 'lazy');
    expect(written).toEqual([
      ['prep', 'durable'],
      ['checkpoint', 'soon'],
      ['checkpoint', 'lazy'],
    ]);
    expect(heard).toEqual(['prep', 'checkpoint', 'checkpoint']);
    expect(chronicle.books.position(BTC.pair)).toBe(4);
    expect(chronicle.failure).toBeUndefined();
  });

  test('knows nothing of a vow that cannot be written, and throws', () => {
    const { chronicle, fail, heard } = desk();
    fail();
    expect(() => chronicle.vow(prepOf('a'))).toThrow(JournalFailed);
    expect(chronicle.books.intent('a')).toBeUndefined();
    expect(heard).toEqual([]);
    expect(chronicle.failure).toBe('the disk is full');
  });

  test('knows what has happened also when it cannot be written', () => {
    const { chronicle, fail, heard } = desk();
    fail();
    chronicle.note(checkpointOf(3), 'durable');
    expect(chronicle.books.position(BTC.pair)).toBe(3);
    expect(heard).toEqual(['checkpoint']);
  });

  test('knows a record before anybody hears of it', () => {
    const seen: (number | undefined)[] = [];
    const chronicle: Chronicle = new Chronicle(NO_BOT_JOURNAL, new Books(), () => {
      seen.push(chronicle.books.position(BTC.pair));
    });
    chronicle.note(checkpointOf(3));
    expect(seen).toEqual([3]);
  });
});
