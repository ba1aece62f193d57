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

const NO_PAIR = 'pair must be a name of 1 to 64 letters, digits, ., _ and -, received "';
const NO_ASSET =
  'must be a name of 1 to 64 letters, digits and signs, none of them < > & " \' / \\ or a blank, received "';
const ASSETS = ['base', 'quote'] as const;

describe('the names of a market', () => {
  it.each(['USD', 'stETH', '1000PEPE', 'USD.e', 'BTC-27JUN25', 'a'.repeat(64)])('may be %s', (name) => {
    for (const which of ['pair', ...ASSETS]) {
      expect(defineMarket({ ...SPEC, [which]: name })).toMatchObject({ [which]: name });
    }
  });

  it.each([
    'US$',
    'ÅKK',
    '₿',
    '円',
    'हिन्दी',
    'A+B',
    '.x',
    '₿'.repeat(64),
  ])('may be %s for an asset, as they were in older recordings, but not for a pair, which names a folder', (name) => {
    for (const which of ASSETS) {
      expect(defineMarket({ ...SPEC, [which]: name })).toMatchObject({ [which]: name });
    }
    expect(() => defineMarket({ ...SPEC, pair: name })).toThrow(NO_PAIR);
  });

  it.each([
    ['empty', ''],
    ['with a blank', 'US D'],
    ['with a blank that does not break', 'US\u00a0D'],
    ['of markup', '<b>USD</b>'],
    ['of an entity', 'US&D'],
    ['with a quote', 'US"D'],
    ['with an apostrophe', "US'D"],
    ['of two lines', 'USD\n'],
    ['of two lines as Unicode has them', 'US\u2028D'],
    ['that clears a terminal', '\u001b[2JUSD'],
    ['with an 8-bit control', '\u009b2J'],
    ['that turns the text round', 'USD\u202e'],
    ['of a letter that shows nothing', 'USD\u3164'],
    ['of half a character', 'USD\ud800'],
    ['of a path', '../USD'],
    ['of a path on Windows', '..\\USD'],
    ['too long', 'a'.repeat(65)],
  ])('must not be %s', (_, name) => {
    expect(() => defineMarket({ ...SPEC, pair: name })).toThrow(NO_PAIR);
    for (const which of ASSETS) {
      expect(() => defineMarket({ ...SPEC, [which]: name })).toThrow(`${SPEC.pair}: ${which} ${NO_ASSET}`);
    }
  });

  it('must not be the folder above for a pair', () => {
    expect(() => defineMarket({ ...SPEC, pair: '..' })).toThrow(NO_PAIR);
  });

  it('are named by the error in characters that a terminal only prints', () => {
    const hostile = '\u001b[2J\u009b\u202e\u2028';
    expect(() => defineMarket({ ...SPEC, quote: hostile })).toThrow(
      `USD_BTC_PERP: quote ${NO_ASSET}\\u001b[2J\\u009b\\u202e\\u2028"`,
    );
  });
});
