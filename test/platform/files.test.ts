import { chmod, mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDiskFull } from '../../src/storage/disk-full.js';
import { nodeFiles } from '../../src/platform/files.js';
import { FileMissing } from '../../src/ports/files.js';

let directory: string;
beforeEach(async () => {
  directory = await nodeFiles.temporaryDirectory('tickwright-test-');
});
afterEach(() => nodeFiles.remove(directory));
const at = (name: string) => join(directory, name);
const bytes = (text: string) => Buffer.from(text);

describe('an atomic write', () => {
  it('makes or replaces the file and leaves nothing else behind', async () => {
    await nodeFiles.writeAtomic(at('a'), 'one');
    await nodeFiles.writeAtomic(at('a'), bytes('two'));
    expect(await nodeFiles.readText(at('a'))).toBe('two');
    expect(await readdir(directory)).toEqual(['a']);
  });

  it('shows a reader the old contents or the new, never half', async () => {
    const size = 300_000;
    await nodeFiles.writeAtomic(at('a'), 'x'.repeat(size));
    let writing = true;
    const written = (async () => {
      for (const letter of 'abcdefgh') await nodeFiles.writeAtomic(at('a'), letter.repeat(size));
      writing = false;
    })();
    while (writing) {
      const text = await nodeFiles.readText(at('a'));
      expect(text).toBe((text[0] as string).repeat(size));
    }
    await written;
  });

  it('keeps the permissions of what it replaces', async () => {
    await writeFile(at('private'), 'old', { mode: 0o600 });
    await nodeFiles.writeAtomic(at('private'), 'new');
    expect((await stat(at('private'))).mode & 0o777).toBe(0o600);
  });

  it('fails without leaving a temporary file', async () => {
    await mkdir(at('taken'));
    await writeFile(at('taken/inside'), '');
    await expect(nodeFiles.writeAtomic(at('taken'), 'x')).rejects.toThrow();
    expect(await readdir(directory)).toEqual(['taken']);
  });
});

it('what is added to a shared file from several sides at once is all there, each piece whole', async () => {
  const pieces = Array.from({ length: 50 }, (_, i) => `${i};`.padStart(5));
  await Promise.all(pieces.map((piece) => nodeFiles.appendShared(at('shared'), bytes(piece))));
  const text = await readFile(at('shared'), 'utf8');
  expect(text.match(/.{5}/g)?.toSorted()).toEqual(pieces.toSorted());
});

describe('an append file', () => {
  it('knows its size, also of a file that was there', async () => {
    await writeFile(at('log'), 'abc');
    const file = await nodeFiles.openAppend(at('log'));
    expect(file.size()).toBe(3);
    await file.append(bytes('de'));
    expect(file.size()).toBe(5);
    await file.sync();
    await file.close();
    expect(await readFile(at('log'), 'utf8')).toBe('abcde');
  });

  it('keeps the order of appends that are not awaited', async () => {
    const file = await nodeFiles.openAppend(at('log'));
    await Promise.all(Array.from({ length: 50 }, (_, i) => file.append(bytes(`${i};`))));
    await file.close();
    expect(await readFile(at('log'), 'utf8')).toBe(Array.from({ length: 50 }, (_, i) => `${i};`).join(''));
  });

  it('goes on from where it was cut', async () => {
    const file = await nodeFiles.openAppend(at('log'));
    await file.append(bytes('abcdef'));
    await file.truncate(2);
    await file.append(bytes('XY'));
    expect(file.size()).toBe(4);
    await file.close();
    expect(await readFile(at('log'), 'utf8')).toBe('abXY');
  });

  it('refuses everything after it was closed', async () => {
    const file = await nodeFiles.openAppend(at('log'));
    await file.close();
    await expect(file.append(bytes('x'))).rejects.toThrow();
  });

  it.skipIf(process.platform !== 'linux')(
    'keeps nothing of an append that fails: a full disk (/dev/full)',
    async () => {
      const file = await nodeFiles.openAppend('/dev/full');
      await expect(file.append(bytes('x'))).rejects.toThrow(/ENOSPC/);
      expect(file.size()).toBe(0);
      await file.close();
    },
  );
});

describe('an append that blocks', () => {
  it('is for its owner only, and goes on at the end of what is there', async () => {
    const file = nodeFiles.openAppendSync(at('log'));
    file.append(bytes('abc'));
    file.sync();
    file.close();
    const again = nodeFiles.openAppendSync(at('log'));
    expect(again.size()).toBe(3);
    again.append(bytes('de'));
    expect(again.size()).toBe(5);
    again.close();
    expect(await readFile(at('log'), 'utf8')).toBe('abcde');
    expect((await stat(at('log'))).mode & 0o777).toBe(0o600);
  });

  it('goes on from where it was cut', async () => {
    const file = nodeFiles.openAppendSync(at('log'));
    file.append(bytes('abcdef'));
    file.truncate(2);
    file.append(bytes('XY'));
    file.close();
    expect(await readFile(at('log'), 'utf8')).toBe('abXY');
  });

  it('refuses everything after it was closed, and a folder that is not there', () => {
    const file = nodeFiles.openAppendSync(at('log'));
    file.close();
    expect(() => file.append(bytes('x'))).toThrow();
    expect(() => file.sync()).toThrow();
    expect(() => nodeFiles.openAppendSync(at('nothing/log'))).toThrow(/ENOENT/);
  });

  it('goes on within room that was reserved, which is cut off with the end', async () => {
    const file = nodeFiles.openAppendSync(at('log'));
    file.append(bytes('abc'));
    file.reserve?.(5);
    expect(file.size()).toBe(3);
    file.append(bytes('de'));
    expect(await readFile(at('log'), 'utf8')).toBe('abcde\0\0\0');
    file.append(bytes('fghi'));
    file.reserve?.(1);
    expect(await readFile(at('log'), 'utf8')).toBe('abcdefghi\0');
    file.truncate(file.size());
    file.close();
    expect(await readFile(at('log'), 'utf8')).toBe('abcdefghi');
  });

  it('never syncs again after a sync that failed', () => {
    const file = nodeFiles.openAppendSync('/dev/null');
    expect(() => file.sync()).toThrow(/EINVAL/);
    expect(() => file.append(bytes('x'))).toThrow(/EINVAL/);
    file.close();
  });

  it.skipIf(process.platform !== 'linux')(
    'counts nothing of an append that fails: a full disk (/dev/full)',
    () => {
      const file = nodeFiles.openAppendSync('/dev/full');
      expect(() => file.append(bytes('x'))).toThrow(/ENOSPC/);
      expect(file.size()).toBe(0);
      file.close();
    },
  );
});

it.skipIf(process.platform !== 'linux')('an append that fails names its file', async () => {
  const file = await nodeFiles.openAppend('/dev/full');
  await expect(file.append(bytes('x'))).rejects.toMatchObject({ code: 'ENOSPC', path: '/dev/full' });
  await file.close();
});

describe('what is made for its owner only', () => {
  it('is so from its first moment', async () => {
    await nodeFiles.makeDirectory(at('a/b'), 0o700);
    await nodeFiles.writeAtomic(at('a/b/c'), 'x', 0o600);
    for (const [path, mode] of [
      ['a', 0o700],
      ['a/b', 0o700],
      ['a/b/c', 0o600],
    ] as const) {
      expect((await stat(at(path))).mode & 0o777, path).toBe(mode);
    }
  });
});

describe('reading', () => {
  it('names a file that is missing', async () => {
    for (const read of ['read', 'readText', 'openRead', 'list'] as const) {
      await expect(nodeFiles[read](at('nothing'))).rejects.toEqual(new FileMissing(at('nothing')));
    }
    expect(await nodeFiles.stat(at('nothing'))).toBeUndefined();
    await writeFile(at('file'), '');
    expect(await nodeFiles.stat(at('file/below'))).toBeUndefined();
  });

  it('names the file that stands where a folder should', async () => {
    await writeFile(at('file'), '');
    for (const path of ['file/below', 'file/deep/below']) {
      for (const read of ['read', 'readText', 'openRead', 'list'] as const) {
        const asked = nodeFiles[read](at(path));
        await expect(asked).rejects.toBeInstanceOf(FileMissing);
        await expect(asked).rejects.toMatchObject({ path: at(path), file: at('file') });
      }
    }
    await expect(nodeFiles.list(at('file'))).rejects.toMatchObject({ path: at('file'), file: at('file') });
  });

  it('fills what it can from any offset', async () => {
    await writeFile(at('data'), '0123456789');
    const file = await nodeFiles.openRead(at('data'));
    expect(file.size).toBe(10);
    const target = new Uint8Array(4);
    expect(await file.readInto(target, 3)).toBe(4);
    expect(Buffer.from(target).toString()).toBe('3456');
    expect(await file.readInto(target, 8)).toBe(2);
    expect(await file.readInto(target, 20)).toBe(0);
    await file.close();
  });

  it('gives the bytes as they are', async () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    await nodeFiles.writeAtomic(at('data'), all);
    expect(Uint8Array.from(await nodeFiles.read(at('data')))).toEqual(all);
  });
});

describe('a directory', () => {
  it('is listed by name with what stands there', async () => {
    await nodeFiles.makeDirectory(at('b/c'));
    await nodeFiles.makeDirectory(at('b/c'));
    await writeFile(at('a'), 'abc');
    await chmod(at('a'), 0o640);
    // Links that lead nowhere, one of them to itself.
    await symlink(at('gone'), at('z'));
    await symlink(at('y'), at('y'));
    const entries = await nodeFiles.list(directory);
    expect(entries.map(({ name, kind, size }) => [name, kind, kind === 'file' ? size : 0])).toEqual([
      ['a', 'file', 3],
      ['b', 'directory', 0],
    ]);
    expect(entries[0]).toMatchObject({ path: at('a'), mode: 0o640, owner: process.geteuid?.() });
  });

  it('is removed whole, and removing nothing is no error', async () => {
    await nodeFiles.makeDirectory(at('b/c'));
    await (await open(at('b/c/file'), 'w')).close();
    await nodeFiles.remove(at('b'));
    await nodeFiles.remove(at('b'));
    expect(await readdir(directory)).toEqual([]);
  });
});

it('a file that could not be cut back after a failed write says so, not that the disk is full still', async () => {
  const file = await nodeFiles.openAppend('/dev/full');
  const write = () => file.append(new Uint8Array(8)).catch((error: unknown) => error);
  expect(isDiskFull(await write())).toBe(true);
  const again = await write();
  expect(String(again)).toContain('/dev/full must be opened anew after a failed write');
  expect(isDiskFull(again)).toBe(false);
  await file.close();
});
