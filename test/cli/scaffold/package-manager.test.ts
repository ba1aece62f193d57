import { expect, it } from 'vitest';
import { packageManagerOf } from '../../../src/cli/scaffold/package-manager.js';

it.each([
  ['nothing', {}, [], 'npm'],
  ['packageManager', { packageManager: 'pnpm@12.21.0+sha512.ab' }, [], 'pnpm'],
  ['devEngines', { devEngines: { packageManager: { name: 'yarn', version: '4' } } }, [], 'yarn'],
  ['its word rather than a lock file', { packageManager: 'npm@11.0.0' }, ['yarn.lock'], 'npm'],
  ['a manager that nobody knows here', { packageManager: 'other@1' }, [], 'npm'],
  ['values of other kinds', { packageManager: 3, devEngines: null }, [], 'npm'],
  ['a lock file of pnpm', {}, ['package.json', 'pnpm-lock.yaml'], 'pnpm'],
  ['a lock file of bun', {}, ['bun.lockb'], 'bun'],
])('%s tells which package manager a project uses', async (_, manifest, files: readonly string[], name) => {
  const found = await packageManagerOf(manifest, (file) => Promise.resolve(files.includes(file)));
  expect(found.name).toBe(name);
});
