import { describe, expect, it } from 'vitest';
import { newStrategy } from '../../../src/cli/scaffold/new-strategy.js';
import { defineStrategy } from '../../../src/strategy/definition.js';

describe('the name of a new strategy', () => {
  it.each([
    'a',
    '1',
    'my-cross',
    'a--b',
    'x'.repeat(64),
    '',
    '-a',
    'My-Cross',
    'a_b',
    'a b',
    '../a',
    'x'.repeat(65),
  ])('%j is one here just where defineStrategy takes it: its file loads', (name) => {
    const accepts = (make: () => unknown) => {
      try {
        make();
        return true;
      } catch {
        return false;
      }
    };
    const isName = accepts(() => defineStrategy({ name, create: () => ({}) }));
    expect(isName).toBe(/^[a-z0-9]/.test(name) && !/[^a-z0-9-]/.test(name) && name.length <= 64);
    expect(accepts(() => newStrategy(name))).toBe(isName);
  });
});
