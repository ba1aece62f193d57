import { describe, expect, it } from 'vitest';
import { keepHalts, readHalts } from '../../src/daemon/halts-file.js';
import type { Halt } from '../../src/model/halt-level.js';
import { MemoryFiles } from '../support/memory-files.js';

const HALTS: readonly Halt[] = [
  { level: 'pause', reason: 'a chart', by: 'xenia' },
  { level: 'flatten', reason: 'a delisting', by: 'yuri' },
];

describe('what a daemon was halted with', () => {
  it('is there for the next one, until nothing is halted any more', async () => {
    const files = new MemoryFiles();
    expect(await readHalts(files, '/state')).toEqual([]);
    await keepHalts(files, '/state', HALTS);
    expect(await readHalts(files, '/state')).toEqual(HALTS);
    await keepHalts(files, '/state', []);
    expect(await readHalts(files, '/state')).toEqual([]);
    expect(await files.stat('/state/halts.json')).toBeUndefined();
  });

  it('halts too where nobody can say what it was', async () => {
    const files = new MemoryFiles();
    for (const text of ['', 'nonsense', '{}', '{"formatVersion":1,"halts":[{"level":"x"}]}']) {
      files.set('/state/halts.json', new TextEncoder().encode(text));
      expect(await readHalts(files, '/state')).toMatchObject([
        { level: 'pause', reason: expect.stringContaining('/state/halts.json') as string },
      ]);
    }
  });
});
