import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demandOpen } from '../../src/platform/open-to-user.js';
import { FileInTheWay } from '../../src/ports/files.js';
import { temporaryFolder } from '../support/temp-folder.js';

test('a folder can be entered, and so can a place where nothing is; a file is in the way', async () => {
  const at = await temporaryFolder('open');
  const [folder, file] = [join(at, 'folder'), join(at, 'file')];
  await mkdir(folder);
  await writeFile(file, '');
  await demandOpen(folder, 'enter');
  await demandOpen(join(at, 'nothing'), 'enter');
  await demandOpen(file, 'read');
  await expect(demandOpen(file, 'enter')).rejects.toThrow(FileInTheWay);
});
