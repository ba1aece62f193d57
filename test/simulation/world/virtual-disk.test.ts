import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/model/random.js';
import { FileMissing } from '../../../src/ports/files.js';
import { type DiskHandle, VirtualDisk } from '../../../src/simulation/world/virtual-disk.js';
import { world } from './desk.js';

const diskOf = (seed: number, capacity?: number) => new VirtualDisk({ random: seededRandom(seed), capacity });
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
const bytes = (content: string) => Buffer.from(content);
const openLog = (disk: VirtualDisk) => disk.open('/log', 0o600, 0);
const add = (handle: DiskHandle, more: Uint8Array) => handle.writeAt(handle.file.size, more, 0);
const codeOf = (work: () => void): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

/** Every outcome that some seed gives. */
function outcomes(work: (disk: VirtualDisk) => string | undefined, seeds = 200): Set<string | undefined> {
  return new Set(Array.from({ length: seeds }, (_, seed) => work(diskOf(seed))));
}

describe('what a power loss leaves', () => {
  it('is each synced byte, and of the rest a prefix, zeros for a suffix, or all', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('append' as const), length: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ kind: fc.constant('sync' as const) }),
      fc.record({
        kind: fc.constant('truncate' as const),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(fc.integer(), fc.array(step, { maxLength: 20 }), (seed, steps) => {
        const disk = diskOf(seed);
        disk.put('/log', '');
        const handle = openLog(disk);
        let written: number[] = [];
        let synced: number[] = [];
        // Any content since the last sync may be what the disk began to take over.
        let candidates: number[][] = [[]];
        let next = 1;
        for (const each of steps) {
          if (each.kind === 'append') {
            const more = Array.from({ length: each.length }, () => next++ % 255 || 255);
            add(handle, Uint8Array.from(more));
            written = [...written, ...more];
          } else if (each.kind === 'truncate') {
            const size = Math.floor(written.length * each.share);
            handle.truncate(size, 0);
            written = written.slice(0, size);
          } else {
            handle.sync();
            synced = written;
            candidates = [];
          }
          candidates.push(written);
        }
        expect(Array.from(disk.contents('/log') ?? [])).toEqual(written);
        const certain = Array.from(disk.durable('/log') ?? []);
        expect(certain.length).toBe(
          candidates.reduce((least, { length }) => Math.min(least, length), synced.length),
        );
        disk.losePower();
        const left = Array.from(disk.contents('/log') ?? []);
        const zeros = left.length - left.findLastIndex((byte) => byte !== 0) - 1;
        const sound = left.slice(0, left.length - zeros);
        const beginsWith = (whole: readonly number[]) => sound.every((byte, i) => byte === whole[i]);
        expect([synced, ...candidates].some(beginsWith)).toBe(true);
        expect(left.length).toBeLessThanOrEqual(
          Math.max(...[synced, ...candidates].map(({ length }) => length)),
        );
        expect(certain).toEqual(left.slice(0, certain.length));
        // What no cut has touched since it was synced is there.
        const untouched = candidates.reduce((least, { length }) => Math.min(least, length), synced.length);
        expect(left.slice(0, untouched)).toEqual(synced.slice(0, untouched));
        expect(disk.used).toBe(left.length);
      }),
      { numRuns: 500 },
    );
  });

  it('may be the lost, the torn, the zero-filled or the kept form of an append', () => {
    const seen = outcomes((disk) => {
      disk.put('/log', 'ab');
      add(openLog(disk), bytes('cd'));
      disk.losePower();
      return text(disk.contents('/log'));
    });
    expect(seen).toEqual(new Set(['ab', 'abc', 'abc\0', 'ab\0\0', 'abcd']));
  });

  it('is the chosen form when one is chosen', () => {
    const after = (fate: 'lost' | 'torn' | 'zeroed' | 'kept') => {
      const disk = diskOf(1);
      disk.put('/log', 'ab');
      add(openLog(disk), bytes('c'));
      disk.losePower(fate);
      return text(disk.contents('/log'));
    };
    expect([after('lost'), after('torn'), after('zeroed'), after('kept')]).toEqual([
      'ab',
      'ab',
      'ab\0',
      'abc',
    ]);
  });

  it('may lack a page in the middle of what was not synced, when that is asked for', () => {
    const seen = outcomes((disk) => {
      disk.put('/log', 'head');
      add(openLog(disk), new Uint8Array(9_000).fill(1));
      disk.losePower('holed');
      const left = disk.contents('/log') ?? new Uint8Array(0);
      expect([left.length, text(left.subarray(0, 4))]).toEqual([9_004, 'head']);
      return `${left.indexOf(0, 4)} to ${left.lastIndexOf(0)}`;
    });
    expect(seen).toEqual(new Set(['4 to 4095', '4096 to 8191', '8192 to 9003']));
  });

  it('has or has not a file that was never synced, and always one that was', () => {
    const present = (isSynced: boolean) =>
      outcomes((disk) => {
        const handle = disk.open('/new', 0o600, 0);
        if (isSynced) handle.sync();
        disk.losePower();
        return String(disk.paths());
      });
    expect(present(false)).toEqual(new Set(['', '/new']));
    expect(present(true)).toEqual(new Set(['/new']));
  });

  it('may show a removed file again, until something else made its directory durable', () => {
    const removed = (andThen: (disk: VirtualDisk) => void) =>
      outcomes((disk) => {
        disk.put('/old', 'x');
        disk.remove('/old');
        andThen(disk);
        disk.losePower();
        return text(disk.contents('/old'));
      });
    expect(removed(() => undefined)).toEqual(new Set(['x', undefined]));
    expect(removed((disk) => disk.write('/other', 'y', 0))).toEqual(new Set([undefined]));
  });

  it('may undo a cut that was not synced, and never one that was', () => {
    const cut = (isSynced: boolean) =>
      outcomes((disk) => {
        disk.put('/log', 'abcd');
        const handle = openLog(disk);
        handle.truncate(1, 0);
        if (isSynced) handle.sync();
        disk.losePower();
        return text(disk.contents('/log'));
      });
    expect(cut(false)).toEqual(new Set(['a', 'abcd']));
    expect(cut(true)).toEqual(new Set(['a']));
  });

  it('is the old or the new contents of a replaced file: the new ones once the call returned', () => {
    const seen = outcomes((disk) => {
      disk.put('/state', 'old');
      disk.write('/state', 'new', 0);
      disk.losePower();
      return text(disk.contents('/state'));
    });
    expect(seen).toEqual(new Set(['new']));
  });
});

describe('a disk that fails', () => {
  it('fails the n-th call of a kind on a path, so many times, with EIO', () => {
    const disk = diskOf(1);
    const [a, b] = [disk.open('/dir-a', 0o600, 0), disk.open('/dir-b', 0o600, 0)];
    disk.failNext('sync', { nth: 2, path: 'dir-b', times: 2 });
    const codes = [a, b, a, b, b, b].map((handle) => codeOf(() => handle.sync()));
    expect(codes).toEqual([undefined, undefined, undefined, 'EIO', 'EIO', undefined]);
    expect(disk.counts.get('EIO')).toBe(2);
  });

  it('loses what a failed sync was to keep, whatever later syncs say, and readers do not see it until then', () => {
    const disk = diskOf(1);
    const handle = openLog(disk);
    add(handle, bytes('ab'));
    handle.sync();
    add(handle, bytes('cd'));
    disk.failNext('sync');
    expect(codeOf(() => handle.sync())).toBe('EIO');
    add(handle, bytes('ef'));
    handle.sync();
    expect(text(disk.contents('/log'))).toBe('abcdef');
    disk.losePower();
    expect(text(disk.contents('/log'))).toBe('ab\0\0ef');
  });

  it('writes a part of an append that fails with EIO', () => {
    const seen = outcomes((disk) => {
      disk.failNext('append');
      expect(codeOf(() => add(openLog(disk), bytes('abc')))).toBe('EIO');
      return text(disk.contents('/log'));
    });
    expect(seen).toEqual(new Set(['', 'a', 'ab', 'abc']));
  });

  it('takes what fits when it is full, refuses a replacement that does not, and has room again after a cut', () => {
    const disk = diskOf(1, 10);
    disk.put('/state', '1234');
    const handle = openLog(disk);
    expect(codeOf(() => add(handle, bytes('abcdefgh')))).toBe('ENOSPC');
    expect([text(disk.contents('/log')), disk.used]).toEqual(['abcdef', 10]);
    expect(codeOf(() => disk.write('/state', '1', 0))).toBe('ENOSPC');
    expect(text(disk.contents('/state'))).toBe('1234');
    handle.truncate(0, 0);
    expect(codeOf(() => add(handle, bytes('abcdef')))).toBeUndefined();
    disk.remove('/state');
    expect(disk.used).toBe(6);
    expect(codeOf(() => disk.write('/state', '123', 0))).toBeUndefined();
    disk.heal();
    expect(codeOf(() => add(handle, new Uint8Array(1_000)))).toBeUndefined();
    expect(disk.counts.get('ENOSPC')).toBe(2);
  });

  it('may fail to cut, to replace and to read', () => {
    const disk = diskOf(1);
    disk.put('/log', 'ab');
    for (const call of ['truncate', 'write', 'read'] as const) disk.failNext(call);
    expect(codeOf(() => openLog(disk).truncate(0, 0))).toBe('EIO');
    expect(codeOf(() => disk.write('/log', 'x', 0))).toBe('EIO');
    expect(codeOf(() => disk.read('/log'))).toBe('EIO');
    expect(text(disk.read('/log'))).toBe('ab');
  });
});

describe('bytes that are reserved', () => {
  const reserved = (synced: boolean) => {
    const at = world();
    const disk = at.disk('machine');
    const file = at.boot({ name: 'bot', disk }).files.openAppendSync('/log');
    file.append(bytes('ab'));
    file.reserve?.(6);
    if (synced) file.sync();
    return { at, disk, file };
  };

  it('are zeros to a reader, taken by the next appends, and not counted', () => {
    const { disk, file } = reserved(true);
    expect([text(disk.contents('/log')), file.size()]).toEqual(['ab\0\0\0\0\0\0', 2]);
    file.append(bytes('cde'));
    expect([text(disk.contents('/log')), file.size()]).toEqual(['abcde\0\0\0', 5]);
    expect([text(disk.durable('/log'))?.replace(/\0+$/, ''), disk.used]).toEqual(['ab', 8]);
    file.sync();
    expect(text(disk.durable('/log'))?.replace(/\0+$/, '')).toBe('abcde');
    file.append(bytes('fghijk'));
    expect(text(disk.contents('/log'))).toBe('abcdefghijk');
    file.truncate(4);
    expect([text(disk.contents('/log')), file.size(), disk.used]).toEqual(['abcd', 4, 4]);
  });

  it('stay as zeros, whole or behind a part, when what replaced them is lost with the power', () => {
    const seen = outcomes((disk) => {
      disk.put('/log', 'ab\0\0\0');
      openLog(disk).writeAt(2, bytes('cd'), 0);
      disk.losePower();
      return text(disk.contents('/log'));
    });
    expect(seen).toEqual(new Set(['ab\0\0\0', 'abc\0\0', 'abcd\0']));
  });

  it('are room that an append needs no more, and none are taken when there is not enough', () => {
    const { disk, file } = reserved(true);
    disk.capacity = 8;
    file.append(bytes('cdefgh'));
    expect(codeOf(() => file.reserve?.(1))).toBe('ENOSPC');
    expect([text(disk.contents('/log')), disk.used]).toEqual(['abcdefgh', 8]);
    expect(codeOf(() => file.append(bytes('i')))).toBe('ENOSPC');
    expect(file.size()).toBe(8);
  });
});

describe('a file that is appended to with calls that block', () => {
  it('is broken for good by a failed sync, but can be cut', () => {
    const at = world();
    const disk = at.disk('machine');
    const file = at.boot({ name: 'bot', disk }).files.openAppendSync('/log');
    file.append(bytes('ab'));
    disk.failNext('sync');
    expect(codeOf(() => file.sync())).toBe('EIO');
    expect(codeOf(() => file.sync())).toBe('EIO');
    expect(codeOf(() => file.append(bytes('c')))).toBe('EIO');
    file.truncate(1);
    expect(text(disk.contents('/log'))).toBe('a');
    file.close();
    expect(codeOf(() => file.truncate(0))).toBe('EBADF');
  });

  it('has the next append at the place of one that failed', () => {
    const at = world();
    const disk = at.disk('machine', { capacity: 3 });
    const file = at.boot({ name: 'bot', disk }).files.openAppendSync('/log');
    file.append(bytes('ab'));
    expect(codeOf(() => file.append(bytes('cde')))).toBe('ENOSPC');
    expect([text(disk.contents('/log')), file.size()]).toEqual(['abc', 2]);
    file.append(bytes('x'));
    expect(text(disk.contents('/log'))).toBe('abx');
  });
});

describe('names', () => {
  it('are found, listed and removed like those of a file system', () => {
    const disk = diskOf(1);
    disk.put('data/./a/../a/one', '1');
    disk.put('/data/a/two', '22');
    disk.put('/data/ab', '333');
    disk.makeDirectory('/data/empty');
    expect(disk.paths()).toEqual(['/data/a/one', '/data/a/two', '/data/ab']);
    expect(disk.list('data').map(({ name, kind, size }) => [name, kind, size])).toEqual([
      ['a', 'directory', 0],
      ['ab', 'file', 3],
      ['empty', 'directory', 0],
    ]);
    disk.remove('/data/a');
    expect(disk.paths()).toEqual(['/data/ab']);
    expect(disk.entry('/data/a')).toBeUndefined();
    expect(() => disk.list('/data/a')).toThrow(FileMissing);
    expect(() => disk.read('/data/a/one')).toThrow(FileMissing);
    expect(codeOf(() => disk.open('/nowhere/log', 0o600, 0))).toBe('ENOENT');
    expect(codeOf(() => disk.write('/nowhere/log', '', 0))).toBe('ENOENT');
  });

  it('a file that is open stays itself when its name goes to another', () => {
    const disk = diskOf(1);
    disk.put('/log', 'old');
    const handle = openLog(disk);
    disk.write('/log', 'new', 0);
    add(handle, bytes('!'));
    expect(text(disk.contents('/log'))).toBe('new');
    expect([handle.file.size, disk.used]).toEqual([4, 3]);
  });
});

describe('the files port', () => {
  it('reads, writes, lists, appends in order and reads in parts', async () => {
    const at = world();
    const disk = at.disk('machine');
    const { files } = at.boot({ name: 'bot', disk });
    let error: unknown;
    const work = async () => {
      await files.makeDirectory('/state/deep');
      await files.writeAtomic('/state/deep/a', 'alpha');
      expect(await files.readText('/state/deep/a')).toBe('alpha');
      await expect(files.read('/state/none')).rejects.toThrow(FileMissing);
      const file = await files.openAppend('/state/log');
      // Not waited for one by one: they are taken in their order.
      const parts = ['one ', 'two ', 'three ', 'four '].map((part) => file.append(bytes(part)));
      await Promise.all([...parts, file.sync()]);
      expect(file.size()).toBe(19);
      await file.truncate(8);
      await file.close();
      await expect(file.append(bytes('x'))).rejects.toThrow('EBADF');
      const reader = await files.openRead('/state/log');
      const target = new Uint8Array(5);
      expect([reader.size, await reader.readInto(target, 4), text(target)]).toEqual([8, 4, 'two \0']);
      await reader.close();
      expect((await files.list('/state')).map(({ path }) => path)).toEqual(['/state/deep', '/state/log']);
      expect(await files.stat('/state/log')).toMatchObject({ kind: 'file', size: 8, mode: 0o644 });
      expect(await files.stat('/state/none')).toBeUndefined();
      files.openAppendSync('/state/journal').close();
      expect(await files.stat('/state/journal')).toMatchObject({ mode: 0o600 });
      await files.makeDirectory('/state/private', 0o700);
      await files.writeAtomic('/state/private/key', 'a', 0o600);
      await files.writeAtomic('/state/private/key', 'b');
      expect(await files.stat('/state/private')).toMatchObject({ mode: 0o700 });
      expect(await files.stat('/state/private/key')).toMatchObject({ mode: 0o600 });
      await files.remove('/state');
      expect(await files.temporaryDirectory('x-')).not.toBe(await files.temporaryDirectory('x-'));
    };
    let isDone = false;
    void work().then(
      () => (isDone = true),
      (thrown: unknown) => (error = thrown),
    );
    expect(await at.scheduler.runUntilDone(() => isDone || error !== undefined, 1_000)).toBe(true);
    if (error !== undefined) throw error as Error;
    expect(disk.paths()).toEqual([]);
  });

  it('an append that fails half way is cut off again, and a file is broken for good when that fails too', async () => {
    const at = world();
    const disk = at.disk('machine', { capacity: 5 });
    const { files } = at.boot({ name: 'bot', disk });
    const seen: string[] = [];
    const code = (error: unknown) => seen.push((error as { readonly code: string }).code);
    const work = async () => {
      const file = await files.openAppend('/log');
      await file.append(bytes('abc'));
      await file.append(bytes('defg')).catch(code);
      seen.push(`${text(disk.contents('/log'))} ${file.size()}`);
      disk.failNext('truncate');
      await file.append(bytes('defg')).catch(code);
      await file.append(bytes('d')).catch(code);
      seen.push('end');
    };
    void work();
    await at.scheduler.runUntilDone(() => seen.includes('end'), 1_000);
    expect(seen).toEqual(['ENOSPC', 'abc 3', 'ENOSPC', 'ENOSPC', 'end']);
  });
});
