import { describe, expect, it } from 'vitest';
import { parseBulk } from '../../../src/cli/order/bulk-file.js';
import { UsageError } from '../../../src/model/errors.js';

const ORDERS = [
  { side: 'buy', quantity: '0.01', price: '50000', postOnly: true },
  { side: 'sell', quantity: '0.02', price: '70000', oco: 'a', icebergs: 2, leverage: 3 },
];

describe('a file of orders', () => {
  it('is an array or one object a line, and says the same either way', () => {
    expect(parseBulk('a.json', JSON.stringify(ORDERS, undefined, 2))).toEqual(ORDERS);
    const lines = ORDERS.map((order) => JSON.stringify(order));
    expect(parseBulk('a.ndjson', `${lines.join('\n\n')}\n`)).toEqual(ORDERS);
    expect(parseBulk('a.ndjson', lines.join('\r\n'))).toEqual(ORDERS);
  });

  it.each([
    ['{"side":"buy"}', 'x:1: expected side and quantity, received an order without'],
    ['{"side":"by","quantity":"1"}', 'x:1 side: expected buy or sell, received "by"'],
    ['{"side":"buy","quantity":1}', 'x:1 quantity: expected a decimal in quotes, received 1'],
    ['{"side":"buy","quantity":"1e2"}', 'x:1 quantity: expected a decimal in quotes, received "1e2"'],
    ['\n{"side":"buy","quantity":"1","pricee":"2"}', 'x:2: expected one of the keys'],
    ['{"side":"buy","quantity":"1","reduceOnly":true}', 'received reduceOnly'],
    ['{"side":"buy","quantity":"1","__proto__":{}}', 'received __proto__'],
    [
      '{"side":"buy","quantity":"1","postOnly":true}',
      'x:1: expected an order, received --post-only must go with',
    ],
    ['{"side":"buy"', 'x:1: expected JSON'],
    ['[1]', 'x[0]: expected an order like'],
    [
      '[{"side":"buy","quantity":"1"},{"side":"buy","quantity":"1","icebergs":1}]',
      'x[1] icebergs: expected a whole',
    ],
  ])('%j is refused by its place', (text, said) => {
    expect(() => parseBulk('x', text)).toThrow(UsageError);
    expect(() => parseBulk('x', text)).toThrow(said);
  });
});
