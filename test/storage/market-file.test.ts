import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseMarketText, readMarket, writeMarket } from '../../src/storage/rows/market-file.js';
import { files, folder, PAIR } from './support.js';

const SPEC = {
  pair: PAIR,
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.1', max: 1_000_000, step: '0.1' },
  quantity: { min: '0.001', max: '1000', step: '0.001' },
  fees: { maker: '0', taker: '0.0006' },
};

it('a market file comes back as it was written', async () => {
  const pairFolder = join(await folder(), PAIR);
  await writeMarket(files, pairFolder, { spec: SPEC, source: 'catalogue' });
  expect(await readMarket(files, pairFolder)).toEqual({ spec: SPEC, source: 'catalogue' });
});

it('there may be none', async () => {
  expect(await readMarket(files, await folder())).toBeUndefined();
});

it('a user may give the bare specification, or the file of a recording', () => {
  expect(parseMarketText('m.json', JSON.stringify(SPEC))).toEqual(SPEC);
  expect(
    parseMarketText('m.json', JSON.stringify({ formatVersion: 1, source: 'given', spec: SPEC })),
  ).toEqual(SPEC);
});

it.each([
  ['{', 'm.json: the file must hold JSON, received'],
  ['[]', 'm.json: the file must be an object, received []'],
  [JSON.stringify({ ...SPEC, base: 1 }), 'm.json: market.base must be a text, received 1'],
  [
    JSON.stringify({ ...SPEC, quote: '<i>USD' }),
    'm.json: USD_BTC_PERP: quote must be a name of 1 to 64 letters, digits and signs, none of them < > & " \' / \\ or a blank, received "<i>USD"',
  ],
  [
    JSON.stringify({ ...SPEC, price: { min: 1, max: 2 } }),
    'm.json: market.price.step must be a plain decimal, received nothing',
  ],
  [
    JSON.stringify({ ...SPEC, price: { ...SPEC.price, step: '1e-2' } }),
    'm.json: market.price.step must be a plain decimal, received "1e-2"',
  ],
  [
    JSON.stringify({ ...SPEC, price: { ...SPEC.price, max: '7.55' } }),
    'm.json: USD_BTC_PERP: filter price.max must have at most 1 digits',
  ],
  [
    JSON.stringify({ ...SPEC, contract: 'inverse' }),
    'm.json: market.contract must be one of linear, spot, option, received "inverse"',
  ],
])('%s is refused by the name of its field', (text, message) => {
  expect(() => parseMarketText('m.json', text)).toThrow(message);
});
