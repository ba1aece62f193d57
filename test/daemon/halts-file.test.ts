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
    expect(await readHalts(files, '/state', 'live')).toEqual([]);
    await keepHalts(files, '/state', 'live', HALTS);
    expect(await readHalts(files, '/state', 'live')).toEqual(HALTS);
    await keepHalts(files, '/state', 'live', []);
    expect(await readHalts(files, '/state', 'live')).toEqual([]);
    expect(await files.stat('/state/halts.json')).toBeUndefined();
  });

  it('is of a live one or of one on paper: who resumes that has not looked at the other', async () => {
    const files = new MemoryFiles();
    await keepHalts(files, '/state', 'live', HALTS);
    await keepHalts(files, '/state', 'paper', HALTS.slice(0, 1));
    expect(await readHalts(files, '/state', 'paper')).toEqual(HALTS.slice(0, 1));
    await keepHalts(files, '/state', 'paper', []);
    expect(await readHalts(files, '/state', 'paper')).toEqual([]);
    expect(await readHalts(files, '/state', 'live')).toEqual(HALTS);
  });

  it('halts too where nobody can say what it was', async () => {
    const files = new MemoryFiles();
    for (const text of ['', 'nonsense', '{}', '{"formatVersion":1,"halts":[{"level":"x"}]}']) {
      files.set('/state/halts.json', new TextEncoder().encode(text));
      expect(await readHalts(files, '/state', 'live')).toMatchObject([
        { level: 'pause', reason: expect.stringContaining('/state/halts.json') as string },
      ]);
    }
  });
});
