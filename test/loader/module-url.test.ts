import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { moduleUrl, PACKAGE_URL, rootOf } from '../../src/loader/module-url.js';

it('finds the package and its modules from where it runs', () => {
  expect(existsSync(fileURLToPath(new URL('package.json', PACKAGE_URL)))).toBe(true);
  for (const path of ['index', 'indicators/index', 'daemon/control/worker', 'cli/optimize/worker']) {
    expect(existsSync(fileURLToPath(moduleUrl(path))), path).toBe(true);
  }
});

it.each([
  ['file:///opt/tickwright/dist/cli/main.js', 'file:///opt/tickwright/dist/', '.js'],
  ['file:///opt/tickwright/dist/parts/parts-AB12.js', 'file:///opt/tickwright/dist/', '.js'],
  ['file:///opt/tickwright/src/loader/module-url.ts', 'file:///opt/tickwright/src/', '.ts'],
  ['file:///home/ann/src/tickwright/dist/index.js', 'file:///home/ann/src/tickwright/dist/', '.js'],
  ['file:///home/ann/dist/tickwright/src/index.ts', 'file:///home/ann/dist/tickwright/src/', '.ts'],
  [
    'file:///home/ann/src/tickwright/node_modules/.cache/tickwright/bench-latency-7.mjs',
    'file:///home/ann/src/tickwright/src/',
    '.ts',
  ],
  ['file:///home/ann/bot/own/bundle.mjs', 'file:///home/ann/bot/own/', '.js'],
])('the root of %s is %s', (url, root, extension) => {
  expect(rootOf(url)).toEqual([root, extension]);
});
