import { expect, it } from 'vitest';
import { onOnePrecision } from '../../src/backtest/one-precision.js';
import { defineMarket } from '../../src/model/market.js';
import type { Recording } from '../../src/storage/recording/recording.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { BTC } from '../support/markets.js';
import { inMemory } from '../support/in-memory-recording.js';

type Facts = readonly [quotePrecision: number, source: Recording['marketSource'], quote?: string];

function parts(...facts: readonly Facts[]) {
  return facts.map(([quotePrecision, marketSource, quote = 'USDT']) => {
    const market = defineMarket({ ...marketSpecOf(BTC), quote, quotePrecision });
    return { recording: { ...inMemory([]), market, marketSource } };
  });
}

it.each<[string, readonly Facts[], readonly number[]]>([
  [
    'is as fine as on the finest of them',
    [
      [8, 'inferred'],
      [10, 'inferred'],
      [9, 'inferred'],
    ],
    [10, 10, 10],
  ],
  [
    'is as fine as on a given one',
    [
      [11, 'given'],
      [8, 'inferred'],
      [10, 'inferred'],
    ],
    [11, 11, 11],
  ],
  [
    'does not make a given one finer',
    [
      [8, 'given'],
      [8, 'catalogue'],
      [10, 'inferred'],
    ],
    [8, 8, 10],
  ],
  [
    'has nothing to do with that of another asset',
    [
      [8, 'inferred'],
      [10, 'inferred', 'EUR'],
    ],
    [8, 10],
  ],
])('the money of inferred markets %s', (_, facts, expected) => {
  const found = onOnePrecision(parts(...facts)).map(({ recording }) => recording.market.quotePrecision);
  expect(found).toEqual(expected);
});

it('leaves everything else of a market as it is', () => {
  const [raised] = onOnePrecision(parts([8, 'inferred'], [10, 'inferred']));
  const [, finer] = parts([8, 'inferred'], [10, 'inferred']);
  expect(raised?.recording.market).toEqual(finer?.recording.market);
});
