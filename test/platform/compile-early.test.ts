import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { earlyFlag } from '../../src/platform/compile-early.js';

const V8 = process.versions.v8;

describe('compiling early', () => {
  // In a running process V8 only prints that it does not know a flag, and goes on.
  it('is asked for by a flag that this V8 knows', () => {
    const flag = earlyFlag(V8);
    expect(flag, `V8 ${V8} has no flag named for it`).toBeDefined();
    const { status, stderr } = spawnSync(process.execPath, [flag as string, '--eval', '""'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('leaves a V8 alone that it does not know', () => {
    expect(earlyFlag('10.2.154')).toBeUndefined();
    expect(earlyFlag('99.0.1')).toBeUndefined();
    expect(earlyFlag('')).toBeUndefined();
  });
});
