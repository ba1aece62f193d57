import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../src/platform/replace-file.js';
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

  it('stays where the new one does not come to its end, and what is left of a killed process goes', async () => {
    const folder = await temporaryFolder('replace-file');
    const path = join(folder, 'out.csv');
    await writeFile(path, 'old');
    await writeFile(join(folder, '.out.csv.partial'), 'of a process that was killed, and longer');
    const failing = replaceFile(path, async (file) => {
      await file.append(bytes('half'));
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['out.csv']);
    await replaceFile(path, (file) => file.append(bytes('new')));
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('names the file itself where it cannot be written', async () => {
    const path = join(await temporaryFolder('replace-file'), 'nowhere', 'out.csv');
    await expect(replaceFile(path, async () => {})).rejects.toMatchObject({ code: 'ENOENT', path });
  });
});
