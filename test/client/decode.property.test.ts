import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeAccount,
  decodeCompletedPositions,
  decodePersonal,
  decodePosition,
} from '../../src/client/decode-account.js';
import {
  decodeAssets,
  decodeCandles,
  decodeDepth,
  decodeTicker,
  decodeTickers,
  decodeTime,
} from '../../src/client/decode-market-data.js';
import { decodeMarketRecords } from '../../src/client/decode-market-record.js';
import { decodeDeposits, decodeWithdrawal } from '../../src/client/decode-transfers.js';
import { decodeMarkets } from '../../src/client/decode-markets.js';
import { decodeFills, decodeOrder, decodeOrders } from '../../src/client/decode-orders.js';
import { decodeTrades } from '../../src/client/decode-trades.js';
import { readAnswer } from '../../src/client/envelope.js';
import { DecodeError } from '../../src/client/wire.js';
import { compareTrades } from '../../src/model/trade.js';
import {
  FULL_ASSET,
  FULL_BALANCE,
  FULL_CANDLE,
  FULL_DEPOSIT,
  FULL_MARKET,
  FULL_ORDER,
  FULL_PERSONAL,
  FULL_POSITION,
  FULL_TICKER,
  FULL_WITHDRAWAL,
} from './wire-samples.js';
import { PAIR, WIRE_FILL, WIRE_MARKET, WIRE_ORDER, WIRE_POSITION, WIRE_TRADE } from './fixtures.js';

/** Numbers as no venue means them: in size, in digits, in notation. */
const oddNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc
    .tuple(fc.constantFrom(1, -1, 2.5), fc.integer({ min: -330, max: 308 }))
    .map(([m, e]) => Number(`${m}e${e}`)),
  fc
    .tuple(fc.integer(), fc.constantFrom(308, 309, 400, 9e6, 9e9, -400, -9e6, -9e9))
    .map(([m, e]) => `${m}e${e}`),
  fc
    .tuple(fc.constantFrom('9', '0', '-9', '0.0'), fc.integer({ min: 1, max: 2_000 }))
    .map(([d, n]) => d + '9'.repeat(n)),
);
const junk = fc.oneof({ arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 2 }, oddNumber);
const decoders: readonly [string, unknown, (value: unknown) => unknown][] = [
  ['order', WIRE_ORDER, decodeOrder],
  ['orders', [WIRE_ORDER], decodeOrders],
  ['fills', [WIRE_FILL], decodeFills],
  // Price and quantity come as they were printed: the feed says which are none.
  ['trades', [WIRE_TRADE], (value) => decodeTrades(value, PAIR).map(({ id, time }) => ({ id, time }))],
  ['position', WIRE_POSITION, (value) => decodePosition(value, PAIR)],
  ['pairs', { [PAIR]: WIRE_MARKET }, decodeMarkets],
  ['ticker', { [PAIR]: { last_price: 1 } }, (value) => decodeTicker(value, PAIR)],
  ['tickers', { [PAIR]: FULL_TICKER }, decodeTickers],
  ['market records', { [PAIR]: FULL_MARKET }, decodeMarketRecords],
  ['assets', { [PAIR]: FULL_ASSET }, decodeAssets],
  ['depth', { bids: [{ price: 1, qty: 1 }], asks: [] }, decodeDepth],
  ['time', 5, decodeTime],
  ['personal', FULL_PERSONAL, decodePersonal],
  ['completed positions', [{ ...FULL_POSITION, pair: PAIR }], decodeCompletedPositions],
  [
    'account',
    { balances: [{ ...FULL_BALANCE, asset: 'USD' }], positions: [{ ...FULL_POSITION, pair: PAIR }] },
    decodeAccount,
  ],
  ['deposits', [FULL_DEPOSIT], decodeDeposits],
  ['withdrawal', FULL_WITHDRAWAL, decodeWithdrawal],
  ['candles', [FULL_CANDLE], decodeCandles],
  ['whole order', FULL_ORDER, decodeOrder],
];

/** A decoded value without what came along undecoded. */
function withoutWire(value: unknown): unknown {
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [key, withoutWire(part)]));
  if (Array.isArray(value)) return value.map(withoutWire);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).filter(([key]) => key !== 'wire');
  return Object.fromEntries(parts.map(([key, part]) => [key, withoutWire(part)]));
}

/** All numbers anywhere in a decoded value. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (value instanceof Map) return [...value.values()].flatMap(numbersIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

describe.each(decoders)('the decoder of %s', (_, good, decode) => {
  /** Replaces one field, at any depth, by something else. */
  const broken = fc.tuple(fc.nat(200), junk).map(([at, value]) => {
    let left = at;
    const walk = (part: unknown): unknown => {
      if (left-- === 0) return value;
      if (Array.isArray(part)) return part.map(walk);
      if (typeof part !== 'object' || part === null) return part;
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
    };
    return walk(good);
  });

  it('gives finite numbers or a DecodeError for any change of a good answer, and for any JSON', () => {
    fc.assert(
      fc.property(fc.oneof(broken, junk), (value) => {
        let decoded: unknown;
        try {
          decoded = decode(value);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
          return;
        }
        for (const number of numbersIn(withoutWire(decoded))) expect(Number.isFinite(number)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('does not mind fields that nobody knows', () => {
    const extra = fc.dictionary(fc.stringMatching(/^zz_[a-z]{1,5}$/), junk);
    fc.assert(
      fc.property(extra, (fields) => {
        const add = (part: unknown): unknown =>
          Array.isArray(part)
            ? part.map(add)
            : typeof part === 'object' && part !== null
              ? { ...part, ...fields }
              : part;
        const keyed = ['ticker', 'tickers', 'pairs', 'market records', 'assets'].includes(_);
        const wider = keyed ? { [PAIR]: add((good as Record<string, unknown>)[PAIR]) } : add(good);
        expect(withoutWire(decode(wider))).toEqual(withoutWire(decode(good)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('decoded trades', () => {
  it('are the same ascending list whatever order the page came in', () => {
    const trade = fc.record({ id: fc.nat(1_000).map(String), time: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(
        fc.uniqueArray(trade, { selector: ({ id }) => id, maxLength: 40 }),
        fc.infiniteStream(fc.nat()),
        (list, keys) => {
          const wire = list.map((part) => ({ ...WIRE_TRADE, ...part }));
          const shuffled = wire
            .map((part) => ({ part, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ part }) => part);
          const decoded = decodeTrades(shuffled, PAIR);
          expect(decoded.map(({ id }) => id)).toEqual(
            [...list].sort((a, b) => a.time - b.time || Number(a.id) - Number(b.id)).map(({ id }) => id),
          );
          expect(decoded.every((t, i) => i === 0 || compareTrades(decoded[i - 1] as typeof t, t) < 0)).toBe(
            true,
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('an HTTP answer', () => {
  it('is read without an exception whatever its bytes, and is a result only with status 200 and code 200', () => {
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ code: junk, msg: junk, result: junk }).map((value) => JSON.stringify(value)),
      fc
        .record({ code: fc.constantFrom(200, 503, 429), msg: fc.string() })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.constantFrom(200, 201, 302, 408, 429, 500, 503), body, (status, text) => {
        const answer = readAnswer({ status, headers: {}, body: text });
        const isResult =
          status === 200 &&
          (JSON.parse(isJson(text) ? text : 'null') as { code?: unknown } | null)?.code === 200;
        expect(answer.kind === 'result').toBe(isResult);
      }),
      { numRuns: 500 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
