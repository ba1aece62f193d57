import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentFault } from '../../../src/model/fault-rule.js';
import {
  alteredResult,
  type Json,
  type JsonRecord,
  withoutRows,
} from '../../../src/venue/faults/row-faults.js';

const alter = (result: Json, fault: ContentFault, seed = 'seed') => alteredResult(result, [{ fault, seed }]);
const SHUFFLE: ContentFault = { kind: 'reordered-rows', order: 'shuffle' };
const REVERSE: ContentFault = { kind: 'reordered-rows', order: 'reverse' };
const twice = (share: number): ContentFault => ({ kind: 'duplicated-rows', share });

const rows = (count: number): readonly JsonRecord[] => Array.from({ length: count }, (_, id) => ({ id }));
const list = fc.uniqueArray(fc.record({ id: fc.nat(), price: fc.double({ noNaN: true }) }), {
  selector: ({ id }) => id,
  maxLength: 40,
});
const ids = (result: Json) => (result as readonly JsonRecord[]).map(({ id }) => id as number);

describe('reordered rows', () => {
  test('are the same rows', () => {
    fc.assert(
      fc.property(list, fc.string(), (given, seed) => {
        const shuffled = alter(given, SHUFFLE, seed) as readonly JsonRecord[];
        expect(shuffled.toSorted((a, b) => (a['id'] as number) - (b['id'] as number))).toEqual(
          given.toSorted((a, b) => a.id - b.id),
        );
      }),
    );
  });

  test('stand in each order equally often', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 6_000; seed++) {
      const order = ids(alter(rows(3), SHUFFLE, String(seed))).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    // Six orders, 1 000 each: five standard deviations are 144.
    expect([...counts.keys()].toSorted()).toEqual(['012', '021', '102', '120', '201', '210']);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(145);
  });

  test('may be just reversed, also inside a record, but not inside a row', () => {
    expect(ids(alter(rows(4), REVERSE))).toEqual([3, 2, 1, 0]);
    const nested = {
      orders: [
        { id: 1, fills: [{ id: 5 }, { id: 6 }] },
        { id: 2, fills: [] },
      ],
      names: ['a', 'b'],
    };
    expect(alter(nested, REVERSE)).toEqual({
      orders: [
        { id: 2, fills: [] },
        { id: 1, fills: [{ id: 5 }, { id: 6 }] },
      ],
      names: ['a', 'b'],
    });
  });
});

describe('duplicated rows', () => {
  test('stand behind themselves, at least one of them, and nothing is lost', () => {
    fc.assert(
      fc.property(list, fc.double({ min: 0, max: 1, noNaN: true }), fc.string(), (given, share, seed) => {
        const doubled = ids(alter(given, twice(share), seed));
        expect([...new Set(doubled)]).toEqual(given.map(({ id }) => id));
        expect(doubled.length - given.length).toBeGreaterThanOrEqual(Math.min(1, given.length));
        expect(doubled.length).toBeLessThanOrEqual(2 * given.length);
      }),
    );
  });

  test('are one row with a share of 0 and all with a share of 1', () => {
    expect(alter(rows(10), twice(0))).toHaveLength(11);
    expect(alter(rows(10), twice(1))).toHaveLength(20);
  });

  test('follow their share', () => {
    const extra = ids(alter(rows(10_000), twice(0.3))).length - 10_000;
    expect(Math.abs(extra - 3_000)).toBeLessThan(4 * Math.sqrt(10_000 * 0.3 * 0.7) + 1);
  });
});

describe('an altered field', () => {
  const order = { order: { id: '7', status: 'ACTIVE', fills: [{ status: 'x', price: 1 }] } };

  test('is another wherever it stands, and the rest is not', () => {
    expect(alter(order, { kind: 'unknown-status', status: 'ODD', share: 1 })).toEqual({
      order: { id: '7', status: 'ODD', fills: [{ status: 'ODD', price: 1 }] },
    });
    expect(alter(order, { kind: 'altered-field', field: 'price', value: null, share: 1 })).toEqual({
      order: { id: '7', status: 'ACTIVE', fills: [{ status: 'x', price: null }] },
    });
  });

  test('is another in a share of its places only', () => {
    const trades = rows(1_000).map((row) => ({ ...row, price: 5 }));
    const bad = alter(trades, { kind: 'altered-field', field: 'price', value: 0, share: 0.1 });
    const count = (bad as readonly JsonRecord[]).filter(({ price }) => price === 0).length;
    expect(Math.abs(count - 100)).toBeLessThan(4 * Math.sqrt(1_000 * 0.1 * 0.9));
  });

  test('may have a name that means something to JavaScript', () => {
    const odd = JSON.parse('{"__proto__":{"status":"A"},"constructor":1}') as Json;
    const altered = alter(odd, { kind: 'unknown-status', status: 'B', share: 1 });
    expect(JSON.stringify(altered)).toBe('{"__proto__":{"status":"B"},"constructor":1}');
  });
});

test('the same seed alters the same rows, another seed others', () => {
  expect(alter(rows(30), SHUFFLE, 'a')).toEqual(alter(rows(30), SHUFFLE, 'a'));
  expect(alter(rows(30), SHUFFLE, 'a')).not.toEqual(alter(rows(30), SHUFFLE, 'b'));
});

test('hidden rows are left out of every list at any depth, and nothing else is', () => {
  const result = {
    a: [
      { id: 1, fills: [{ id: 2 }, { id: 3 }] },
      { id: 3, fills: [] },
    ],
    id: 3,
    names: ['3'],
  };
  expect(withoutRows(result, ({ id }) => id === 3)).toEqual({
    a: [{ id: 1, fills: [{ id: 2 }] }],
    id: 3,
    names: ['3'],
  });
});
