import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lots } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { decodeJournalRecord } from '../../src/storage/journal/journal-decoder.js';
import { encodeJournalRecord } from '../../src/storage/journal/journal-encoder.js';
import { orderRecord } from '../support/journals.js';
import { anyJournalRecord } from './arbitrary-journal-record.js';

const note = '{"kind":"note","text":"a","wall":1}';

describe('a record in the journal', () => {
  it('comes back as it was, on one line', () => {
    fc.assert(
      fc.property(anyJournalRecord, (record) => {
        const text = encodeJournalRecord(record);
        expect(text).not.toContain('\n');
        expect(decodeJournalRecord(text)).toStrictEqual(record);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has money as decimal text and no field for what is undefined', () => {
    const fill = orderRecord(11);
    expect(JSON.parse(encodeJournalRecord({ ...fill, intent: undefined } as JournalRecord))).toEqual({
      kind: 'fill',
      pair: 'USD_BTC_PERP',
      fill: {
        id: '5000011',
        orderId: '0191f2c4-7a10-7c3e-9d00-000000000001',
        time: 1_723_161_256_729,
        side: 'sell',
        lots: 5,
        ticks: 600_001,
        liquidity: 'maker',
        fee: '-12',
      },
      liquidation: false,
    });
  });

  it.each([
    Number.NaN,
    0.5,
    2 ** 53,
    Number.POSITIVE_INFINITY,
  ])('is not written with a quantity of %d', (filled) => {
    const end = { ...orderRecord(7), filled: filled as Lots } as JournalRecord;
    expect(() => encodeJournalRecord(end)).toThrow(`end.filled must be a whole number, received ${filled}`);
  });

  it.each([
    ['no json', 'record must be JSON, received no json'],
    ['[]', 'record must be an object'],
    [
      '{"kind":"funding","pair":"X"}',
      'received "funding"; a newer version of tickwright may have written it',
    ],
    ['{"kind":"note","text":7,"wall":1}', 'record.text must be a text, received 7'],
    ['{"kind":"note","text":"a"}', 'record.wall must be a number, received nothing'],
    ['{"kind":"note","text":"a","wall":1,"by":"b"}', 'must hold the fields that are known'],
    ['{"kind":"note","wall":1,"text":"a"}', 'must hold the fields that are known'],
    ['{"kind":"note","text":"a","wall":1.0}', 'must hold the fields that are known'],
    [
      '{"kind":"out","intent":"a-1","outcome":"maybe","reason":"x"}',
      'record.outcome must be one of accepted',
    ],
    [
      '{"kind":"checkpoint","pair":"X","position":0,"time":1,"fillIds":["a",2],"by":"b","reason":"c"}',
      'fillIds[1]',
    ],
  ])('that says %s is refused, and what is wrong is named', (text, said) => {
    expect(() => decodeJournalRecord(text)).toThrow(said);
  });

  it('is not taken with one character more', () => {
    expect(decodeJournalRecord(note)).toEqual({ kind: 'note', text: 'a', wall: 1 });
    expect(() => decodeJournalRecord(`${note} `)).toThrow('must hold the fields that are known');
  });
});
