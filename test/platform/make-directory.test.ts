import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncDirectory } from '../../src/platform/append-file.js';
import { nodeFiles } from '../../src/platform/files.js';
import { makeDirectory } from '../../src/platform/make-directory.js';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../support/small-disk.js';

/** Folders whose names were made to survive a power loss, in order. */
let synced: string[];
/** As the disk does it; with a code it fails. */
const sync = (code?: string) => async (path: string) => {
  synced.push(path);
  if (code !== undefined) throw Object.assign(new Error(code), { code, path });
  await syncDirectory(path);
};

let directory: string;
beforeEach(async () => {
  directory = await nodeFiles.temporaryDirectory('tickwright-make-directory-');
  synced = [];
});
afterEach(() => nodeFiles.remove(directory));
const at = (name: string) => join(directory, name);
const MODE = 0o777;
const WHY_NOT = mountsSmallDisks ? '' : ' (skipped where a small disk cannot be mounted)';

describe('making a folder', () => {
  it('makes what is missing above it, and is content with what is there, also by a link', async () => {
    await mkdir(at('real'));
    await symlink(at('real'), at('link'));
    await nodeFiles.makeDirectory(at('link/a/b'));
    await nodeFiles.makeDirectory(at('link/a/b/'));
    await nodeFiles.makeDirectory(at('link'));
    expect((await stat(at('real/a/b'))).isDirectory()).toBe(true);
    await nodeFiles.makeDirectory('/');
  });

  it('is no matter of who comes first', async () => {
    const paths = ['a/b/c', 'a/b', 'a/b/c', 'a', 'a/b/d'];
    await Promise.all(paths.map((path) => nodeFiles.makeDirectory(at(path))));
    for (const path of paths) expect((await stat(at(path))).isDirectory(), path).toBe(true);
  });

  it('makes the name of each one it made survive a power loss, and syncs nothing where it made none', async () => {
    await makeDirectory(at('a/b/c'), MODE, sync());
    expect(synced).toEqual([directory, at('a'), at('a/b')]);
    await makeDirectory(at('a/b/c'), MODE, sync());
    expect(synced).toHaveLength(3);
  });

  it.each([
    'EACCES',
    'EPERM',
    'EINVAL',
    'ENOTSUP',
    'EISDIR',
  ])('is content where the folder above cannot be opened or synced: %s', async (code) => {
    await makeDirectory(at('a/b'), MODE, sync(code));
    expect((await stat(at('a/b'))).isDirectory()).toBe(true);
  });

  it('says that the disk failed', async () => {
    await expect(makeDirectory(at('a'), MODE, sync('EIO'))).rejects.toMatchObject({ code: 'EIO' });
  });

  it('says what is in the way', async () => {
    await writeFile(at('file'), '');
    await symlink(at('gone'), at('dangling'));
    await expect(nodeFiles.makeDirectory(at('file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(nodeFiles.makeDirectory(at('file/a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(nodeFiles.makeDirectory(at('dangling'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.skipIf(!mountsSmallDisks)(`says that a file system is read-only${WHY_NOT}`, async () => {
    await mkdir(at('disk'));
    expect(mountSmallDisk(at('disk'), '64k,ro')).toBe(true);
    try {
      await nodeFiles.makeDirectory(at('disk'));
      for (const path of ['disk/a', 'disk/a/b/c']) {
        await expect(nodeFiles.makeDirectory(at(path))).rejects.toMatchObject({
          code: 'EROFS',
          path: at('disk/a'),
        });
      }
    } finally {
      unmountSmallDisk(at('disk'));
    }
  });

  it.skipIf(process.platform !== 'linux')('comes to an end where no folder can ever be: /proc', async () => {
    for (const path of ['/proc/tickwright', '/proc/tickwright/a']) {
      await expect(nodeFiles.makeDirectory(path)).rejects.toMatchObject({ path: '/proc/tickwright' });
    }
  });
});
