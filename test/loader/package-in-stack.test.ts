import { expect, it } from 'vitest';
import { moduleUrl } from '../../src/loader/module-url.js';
import { packageInStack } from '../../src/loader/strategy-error.js';

function errorAt(...places: readonly string[]): Error {
  const error = new Error('late');
  error.stack = ['Error: late', ...places.map((place) => `    at ${place}:3:7`)].join('\n');
  return error;
}

it.each([
  ['lodash', 'file:///bot/node_modules/lodash/lodash.js'],
  ['lodash/fp', 'file:///bot/node_modules/lodash/core.js'],
  ['lodash#2', 'file:///bot/node_modules/a/node_modules/lodash/core.js'],
  ['@scope/pkg/part', 'file:///bot/node_modules/@scope/pkg/dist/part.js'],
])('names the package of the import %s', (imported, place) => {
  expect(packageInStack(errorAt('node:internal/timers', place), ['other', imported])).toBe(
    imported.replace(/#2|\/fp|\/part/, ''),
  );
});

it('names none where our own code is in the stack, by its URL or by its path', () => {
  const ours = new URL('./engine/engine.js', moduleUrl('index'));
  const spaced = 'file:///home/j%C3%B6rg/my%20bot/node_modules/lodash/lodash.js';
  for (const place of [ours.href, decodeURI(ours.pathname)])
    expect(packageInStack(errorAt(spaced, place), ['lodash'])).toBeUndefined();
  expect(packageInStack(errorAt(spaced), ['lodash'])).toBe('lodash');
  expect(packageInStack(errorAt(spaced), ['lod'])).toBeUndefined();
});
