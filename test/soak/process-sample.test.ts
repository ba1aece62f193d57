import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesBelow, sampleProcess, slopeOf } from './process-sample.js';

describe('what a soak measures', () => {
  it('is the slope of a line, whatever noise is even on both sides of it', () => {
    expect(slopeOf([1, 3, 5, 7])).toBeCloseTo(2, 12);
    expect(slopeOf([4, 4, 4])).toBe(0);
    expect(slopeOf([1, 2, 1])).toBeCloseTo(0, 12);
    expect(slopeOf([5])).toBe(0);
  });

  it('counts what was written below a folder, not what is reserved behind it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tickwright-soak-test-'));
    try {
      mkdirSync(join(folder, 'pair', 'journal'), { recursive: true });
      writeFileSync(join(folder, 'pair', 'journal', 'a'), Buffer.from([1, 0, 2, 0, 0, 0]));
      writeFileSync(join(folder, 'pair', 'other'), 'xyz');
      expect(bytesBelow(folder, '/journal/')).toBe(3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const hasProc = existsSync('/proc/self/statm');

  it.skipIf(!hasProc)(`sees this process as it sees itself${hasProc ? '' : ' (no /proc here)'}`, () => {
    const { rssBytes, threads } = sampleProcess(process.pid);
    const own = process.memoryUsage.rss();
    expect(Math.abs(rssBytes - own)).toBeLessThan(own / 2);
    expect(threads).toBeGreaterThan(1);
  });
});
