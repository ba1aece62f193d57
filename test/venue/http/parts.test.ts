import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.js';
import { gridOfDecimals } from '../../../src/model/grid.js';
import { plainDecimal, readSteps, readWhole } from '../../../src/venue/http/decimal-text.js';
import { Form, UnreadableKey } from '../../../src/venue/http/form.js';
import { httpDate } from '../../../src/venue/http/http-date.js';
import { moneyOnWire, rounded } from '../../../src/venue/http/wire-number.js';
import { splitTarget } from '../../../src/venue/http/wire.js';
import { VenueClock } from '../../../src/venue/venue-clock.js';
import { VirtualTime } from './virtual-time.js';

describe('reading decimals', () => {
  test.each([
    ['61800.1', 1, 618_001],
    ['0061800.10', 1, 618_001],
    ['61800.', 1, 618_000],
    ['0', 3, 0],
    ['0.034', 3, 34],
    ['0.30000000000000004', 1, 3],
    ['0.034500000000000003', 4, 345],
    ['123456789012.345', 3, 123_456_789_012_345],
  ])('%s on a grid of %i digits is %i steps', (text, decimals, steps) => {
    expect(readSteps(gridOfDecimals(decimals), text)).toBe(steps);
  });

  test.each([
    '0.05',
    '61800.15',
    '0.0000001',
    '1.99999999999999',
    '0.00000000000000000001',
  ])('%s lies between two steps of tenths', (text) => {
    const steps = readSteps(gridOfDecimals(1), text);
    expect(Number.isInteger(steps)).toBe(false);
    expect(steps).toBeCloseTo(Number(text) * 10, 9);
  });

  test.each([
    '',
    '.',
    '.5',
    '-1',
    '+1',
    '1e3',
    '1,5',
    '0x1',
    ' 1',
    '1 ',
    '1.2.3',
    'NaN',
    '9'.repeat(17),
    '9'.repeat(40),
    '١',
  ])('%j is nothing readable', (text) => {
    expect(readSteps(gridOfDecimals(1), text)).toBeUndefined();
  });

  test('every decimal of at most 15 digits is read exactly as Decimal reads it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999_999 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 4 }),
        (digits, places, decimals) => {
          const text = new Decimal(digits).div(new Decimal(10).pow(places)).toFixed(places);
          const exact = new Decimal(text).times(10 ** decimals);
          const read = readSteps(gridOfDecimals(decimals), text) ?? Number.NaN;
          expect(Number.isInteger(read)).toBe(exact.isInteger());
          expect(read).toBeCloseTo(exact.toNumber(), 3);
          if (exact.isInteger()) expect(read).toBe(exact.toNumber());
        },
      ),
    );
  });
});

test('a whole number is one that a double holds exactly', () => {
  expect(['0', '007', '1700000000000', '9007199254740991'].map(readWhole)).toEqual([
    0,
    7,
    1_700_000_000_000,
    Number.MAX_SAFE_INTEGER,
  ]);
  for (const text of ['9007199254740992', '99999999999999999', '', '-1', '1.0', '1e3', ' 1']) {
    expect(readWhole(text)).toBeUndefined();
  }
});

describe('amounts that lie on no grid', () => {
  test.each([
    ['100', '100'],
    ['0.00000001', '0.00000001'],
    ['0.1000000000000000055', '0.100000000000000'],
    ['999999999.12345678', '999999999.12345678'],
    ['100.30000000000000004', '100.300000000000'],
    ['0.123456789', '0.123456789'],
    ['1.', '1.'],
  ])('%s is taken as %s', (text, read) => {
    expect(plainDecimal(text)).toBe(read);
  });

  test.each(['', '-1', '1e3', '0x1', ' 1', 'NaN', '.5'])('%j is none', (text) => {
    expect(plainDecimal(text)).toBeUndefined();
  });
});

describe('targets of a request line', () => {
  test.each([
    ['/time', '/time', ''],
    ['/trades?pair=X&limit=1', '/trades', 'pair=X&limit=1'],
    ['/trades?pair=X?y', '/trades', 'pair=X?y'],
    ['/trades?pair=X#part', '/trades', 'pair=X'],
    ['/trades#part?pair=X', '/trades', ''],
    ['http://elsewhere/trades?pair=X', '/trades', 'pair=X'],
    ['https://elsewhere', '', ''],
    ['*', '*', ''],
    ['', '', ''],
  ])('%s is path %s and query %s', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});

describe('forms', () => {
  const parse = (text: string) => Form.parse(text) as Form;

  test('plus signs, escapes, empty values and repeated names', () => {
    const form = parse('a=1+2&b=%2B%26%3D&c=&d&&a=x&=y');
    expect(form.all('a')).toEqual(['1 2', 'x']);
    expect([form.all('b'), form.all('c'), form.all('d'), form.all('')]).toEqual([['+&='], [''], [''], ['y']]);
    expect(form.all('nothing')).toEqual([]);
    expect(parse('').all('a')).toEqual([]);
  });

  test('a broken escape makes the whole form unreadable', () => {
    for (const text of ['a=%', 'a=%zz', '%E0%A4%A=1', 'a=%ff']) expect(Form.parse(text)).toBeUndefined();
  });

  test('lists in every spelling, by index first', () => {
    expect(parse('ids[12]=c&ids[0]=a&ids%5B1%5D=b&ids[]=d&ids=e&idsx=f&x[0]=g').list('ids')).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(parse('x=1').list('ids')).toEqual([]);
  });

  test('groups are forms of their own, by index', () => {
    const groups = parse(
      'orders[10][pair]=b&orders[2][pair]=a&orders[2][qty]=1&pair=d&ordersx[0][pair]=e&x[0][pair]=f',
    ).groups('orders') as readonly Form[];
    expect(groups.map((group) => [group.all('pair'), group.all('qty')])).toEqual([
      [['a'], ['1']],
      [['b'], []],
    ]);
    expect(parse('x=1').groups('orders')).toEqual([]);
  });

  test.each([
    'ids[x]',
    'ids[-1]',
    'ids[01]',
    'ids[ 1]',
    'ids[1',
    'ids1]',
    'ids.1',
    'ids1',
    'ids[1][id]',
    'ids[1]x',
    'ids[',
    'ids]',
    'ids ',
    'ids[10000000000000000]',
  ])('%s begins like a list and is none', (key) => {
    expect(parse(`ids[0]=a&${encodeURIComponent(key)}=b`).list('ids')).toEqual(new UnreadableKey(key));
  });

  test.each([
    'orders',
    'orders[]',
    'orders[0]',
    'orders[][pair]',
    'orders[x][pair]',
    'orders[00][pair]',
    'orders[0][]',
    'orders[0][pair',
    'orders[0]pair]',
    'orders[0][pair]x',
    'orders[0][pair][x]',
    'orders.0.pair',
  ])('%s begins like a list of groups and is none', (key) => {
    const form = parse(`orders[0][pair]=a&${encodeURIComponent(key)}=b`);
    expect(form.groups('orders')).toEqual(new UnreadableKey(key));
  });

  test('whatever URLSearchParams writes is read back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))),
        (pairs) => {
          const form = parse(new URLSearchParams(pairs).toString());
          for (const [name] of pairs) {
            expect(form.all(name)).toEqual(
              pairs.filter(([other]) => other === name).map(([, value]) => value),
            );
          }
        },
      ),
    );
  });
});

test('the Date header is what the platform would write, from 1970 to 9999', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
      expect(httpDate(ms)).toBe(new Date(ms).toUTCString());
    }),
    { numRuns: 2_000, examples: [[0], [951_782_400_000], [951_868_799_999], [4_107_542_400_000]] },
  );
});

describe('numbers on the wire', () => {
  test.each([
    [123_456_789n, 8, 1.23456789],
    [-1n, 8, -0.000_000_01],
    [0n, 8, 0],
    // Above 9 999 999 USD the eighth decimal is lost.
    [1_234_567_812_345_678n, 8, 12_345_678.123_456_8],
    [98_765_432_112_345_678n, 8, 987_654_321.123_457],
  ])('%s units of 10^-%i are %d', (units, precision, number) => {
    expect(moneyOnWire(units, precision)).toBe(number);
  });

  test('what has no JSON form is 0, and there is no negative zero', () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY, -0].map((value) => Object.is(rounded(value), 0))).toEqual([
      true,
      true,
      true,
    ]);
    expect(Object.is(moneyOnWire(0n, 8), 0)).toBe(true);
    expect(rounded(0.1 + 0.2)).toBe(0.3);
  });

  test('a number is the double of its first 15 digits', () => {
    const decimal = fc.tuple(fc.integer(), fc.nat(9)).map(([digits, places]) => digits / 10 ** places);
    fc.assert(
      fc.property(fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), decimal), (value) => {
        expect(rounded(value)).toBe(Number(value.toPrecision(15)) + 0);
      }),
    );
  });
});

/** `money.md` §15. */
describe('the venue clock', () => {
  test('starts at its origin, runs at its speed in whole ms, and stops at its end', () => {
    const time = new VirtualTime();
    const clock = new VenueClock({ clock: time, origin: 1_000, speed: 2.5, endTime: 1_100 });
    expect([clock.now(), clock.stopped]).toEqual([1_000, false]);
    time.advance(3);
    expect(clock.now()).toBe(1_007);
    time.advance(1_000);
    expect([clock.now(), clock.stopped]).toEqual([1_100, true]);
  });

  test('goes on from an earlier time, at its speed, as if the time between had never been', () => {
    const time = new VirtualTime();
    const clock = new VenueClock({ clock: time, origin: 1_000, speed: 10, endTime: 2_000 });
    time.advance(500);
    expect(clock.now()).toBe(2_000);
    clock.goOnFrom(1_200);
    expect([clock.now(), clock.stopped]).toEqual([1_200, false]);
    time.advance(3);
    expect(clock.now()).toBe(1_230);
  });

  test('is the system clock when nothing else is said', () => {
    const time = new VirtualTime(1_723_100_000_123.75);
    const clock = new VenueClock({ clock: time });
    expect(clock.now()).toBe(1_723_100_000_123);
    time.advance(1_000);
    expect(clock.now()).toBe(1_723_100_001_123);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a speed of %d', (speed) => {
    expect(() => new VenueClock({ clock: new VirtualTime(), speed })).toThrow(
      /speed must be a number above 0/,
    );
  });
});
