import { expect, it } from 'vitest';
import { closest } from '../../src/config/closest.js';

const WORDS = ['url', 'profile', 'apiKeyFile', 'maxPosition', 'maxOpenOrders'];

it.each([
  ['ulr', 'url'],
  ['Profil', 'profile'],
  ['maxPositon', 'maxPosition'],
  ['maxopenorder', 'maxOpenOrders'],
  ['apikeyfile', 'apiKeyFile'],
])('%s was probably meant to be %s', (word, meant) => {
  expect(closest(word, WORDS)).toBe(meant);
});

it.each(['', 'leverage', 'x', 'up'])('%j means none of them', (word) => {
  expect(closest(word, WORDS)).toBeUndefined();
});
