import { describe, expect, it } from 'vitest';
import { defineMarket } from '../../src/model/market.js';

const SPEC = {
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '1', max: '1000000', step: '1' },
  quantity: { min: '0.01', max: '100', step: '0.01' },
  fees: { maker: '0', taker: '0.001' },
};

describe('the names of a market', () => {
  it.each(['USD', 'stETH', '1000PEPE', 'USD.e', 'BTC-27JUN25', 'a'.repeat(64)])('may be %s', (name) => {
    for (const which of ['pair', 'base', 'quote']) {
      expect(defineMarket({ ...SPEC, [which]: name })).toMatchObject({ [which]: name });
    }
  });

  it.each([
    ['empty', ''],
    ['with a blank', 'US D'],
    ['of markup', '<b>USD</b>'],
    ['with a quote', 'US"D'],
    ['of two lines', 'USD\n'],
    ['that clears a terminal', '\u001b[2JUSD'],
    ['with an 8-bit control', '\u009b2J'],
    ['that turns the text round', 'USD\u202e'],
    ['of a path', '../USD'],
    ['of a folder above', '..'],
    ['too long', 'a'.repeat(65)],
  ])('must not be %s', (_, name) => {
    for (const which of ['pair', 'base', 'quote']) {
      expect(() => defineMarket({ ...SPEC, [which]: name })).toThrow(
        `${which} must be a name of 1 to 64 letters, digits, ., _ and -, received "`,
      );
    }
  });

  it('are named by the error in characters that a terminal only prints', () => {
    const hostile = '\u001b[2J\u009b\u202e\u2028';
    expect(() => defineMarket({ ...SPEC, quote: hostile })).toThrow(
      'USD_BTC_PERP: quote must be a name of 1 to 64 letters, digits, ., _ and -, received "\\u001b[2J\\u009b\\u202e\\u2028"',
    );
  });
});
