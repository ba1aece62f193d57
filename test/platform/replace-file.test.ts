import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../src/platform/replace-file.js';
import { nodeFiles } from '../../src/platform/files.js';
import { temporaryFolder } from '../support/temp-folder.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a file that is replaced piece by piece', () => {
  it('is the old one until the new one is whole', async () => {
    const folder = await temporaryFolder('replace-file');
    const path = join(folder, 'out.csv');
    await writeFile(path, 'old');
    const seen: string[] = [];
    const size = await replaceFile(path, async (file) => {
      for (const piece of ['n', 'e', 'w']) {
        await file.append(bytes(piece));
        seen.push(await readFile(path, 'utf8'));
      }
      return file.size();
    });
    expect([size, seen]).toEqual([3, ['old', 'old', 'old']]);
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  it('stays where the new one does not come to its end', async () => {
    const folder = await temporaryFolder('replace-file');
    const path = join(folder, 'out.csv');
    await writeFile(path, 'old');
    const failing = replaceFile(path, async (file) => {
      await file.append(bytes('half'));
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  it('keeps its permissions, and is whole when two replace it at once', async () => {
    const folder = await temporaryFolder('replace-file');
    const path = join(folder, 'out.csv');
    await writeFile(path, 'old', { mode: 0o600 });
    await replaceFile(path, async (file) => {
      await file.append(bytes('sec'));
      await replaceFile(path, (other) => other.append(bytes('first')));
      expect(await readFile(path, 'utf8')).toBe('first');
      await file.append(bytes('ond'));
    });
    expect(await readFile(path, 'utf8')).toBe('second');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  it('names the file itself where it cannot be written', async () => {
    const path = join(await temporaryFolder('replace-file'), 'nowhere', 'out.csv');
    const refused = { code: 'ENOENT', path, message: expect.stringContaining(`, open '${path}'`) as unknown };
    await expect(replaceFile(path, async () => {})).rejects.toMatchObject(refused);
    await expect(nodeFiles.writeAtomic(path, '')).rejects.toMatchObject(refused);
  });
});
