import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/model/random.js';
import type { Files } from '../../src/ports/files.js';
import { blackBoxSegments } from '../../src/storage/capture/black-box-layout.js';
import { type BlackBoxPart, readBlackBox } from '../../src/storage/capture/black-box-reader.js';
import { dropBlackBoxes } from '../../src/storage/capture/black-box-retention.js';
import { BlackBoxWriter, type BlackBoxWriterOptions } from '../../src/storage/capture/black-box-writer.js';
import { VirtualTime } from '../support/virtual-time.js';
import { files, folder } from './support.js';

const MIB = 1_024 * 1_024;
const FOOTER = { turns: 0 };

function writerIn(directory: string, changes: Partial<BlackBoxWriterOptions> = {}) {
  const time = new VirtualTime();
  const writer = new BlackBoxWriter({
    files,
    clock: time.clock,
    timers: time.timers,
    disk: { freeBytes: () => Promise.resolve(10_000 * MIB) },
    directory,
    header: { session: 's1' },
    start: { books: {} },
    ...changes,
  });
  return { time, writer };
}

/** Turns with contents that gzip cannot make much smaller, some to a block. */
async function written(directory: string, turns: number, changes: Partial<BlackBoxWriterOptions> = {}) {
  const { writer } = writerIn(directory, changes);
  const random = seededRandom('black box');
  for (let turn = 1; turn <= turns; turn++) {
    writer.turn(turn, JSON.stringify({ turn, noise: String(random.next()) }));
    if (turn % 5 === 0) await writer.flush();
  }
  await writer.finish(FOOTER);
  expect(writer.failure).toBeUndefined();
}

async function partsOf(directory: string, bytes?: Uint8Array): Promise<BlackBoxPart[]> {
  const parts: BlackBoxPart[] = [];
  const disk: Files = bytes === undefined ? files : { ...files, read: () => Promise.resolve(bytes) };
  for await (const part of readBlackBox(disk, directory)) parts.push(part);
  return parts;
}

/** The numbers of turns that are what was written, and how it ends. */
function summary(parts: readonly BlackBoxPart[]) {
  const turns: number[] = [];
  let ending = 'unfinished';
  for (const part of parts) {
    if (part.kind !== 'line') ending = part.kind;
    else if (!part.intact) {
      ending = 'changed';
      break;
    } else {
      const line = JSON.parse(part.text) as { readonly turn?: number; readonly footer?: unknown };
      if (line.turn !== undefined) turns.push(line.turn);
      if (line.footer !== undefined) ending = 'whole';
    }
  }
  return { turns, ending };
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('a black box', () => {
  it('gives back what was written, over all its segments', async () => {
    const directory = join(await folder(), 's1');
    await written(directory, 100, { segmentBytes: 1_000 });
    expect((await blackBoxSegments(files, directory)).length).toBeGreaterThan(2);
    expect(summary(await partsOf(directory))).toEqual({ turns: upTo(100), ending: 'whole' });
  });

  it('is plain gzip to other programs, each segment with a header', async () => {
    const directory = join(await folder(), 's1');
    await written(directory, 40, { segmentBytes: 1_000 });
    for (const { path, number } of await blackBoxSegments(files, directory)) {
      const [first, ...lines] = gunzipSync(await files.read(path))
        .toString('utf8')
        .trim()
        .split('\n');
      const { header } = JSON.parse(first as string) as { header: Record<string, unknown> };
      expect(header).toMatchObject({ session: 's1', segment: number });
      expect(header['start']).toEqual(number === 1 ? { books: {} } : undefined);
      const { turn } = JSON.parse(lines[0] as string) as { turn?: number };
      if (turn !== undefined) expect(header['firstTurn']).toBe(turn);
    }
  });

  it('is on the disk a second after it was written, without anybody asking', async () => {
    const directory = join(await folder(), 's1');
    const { writer, time } = writerIn(directory);
    writer.turn(1, '{"turn":1}');
    await time.advance(1_000);
    await writer.flush();
    expect(summary(await partsOf(directory))).toEqual({ turns: [1], ending: 'unfinished' });
    await writer.abandon();
  });

  it('that was cut off at any byte gives what is whole, and blames nobody', async () => {
    const directory = join(await folder(), 's1');
    await written(directory, 30);
    const bytes = await files.read(join(directory, 'segment-000001.ndjson.gz'));
    for (let length = 0; length < bytes.length; length++) {
      const { turns, ending } = summary(await partsOf(directory, bytes.subarray(0, length)));
      expect(turns).toEqual(upTo(turns.length));
      expect(['torn', 'unfinished']).toContain(ending);
    }
  });

  it('of which any one byte was changed says so, or gives all that was written', async () => {
    const directory = join(await folder(), 's1');
    await written(directory, 30);
    const bytes = await files.read(join(directory, 'segment-000001.ndjson.gz'));
    const whole = await partsOf(directory);
    let harmless = 0;
    for (let at = 0; at < bytes.length; at++) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      const parts = await partsOf(directory, changed);
      const { turns, ending } = summary(parts);
      expect(turns, `byte ${at}`).toEqual(upTo(turns.length));
      if (ending === 'whole') {
        expect(parts).toEqual(whole);
        harmless += 1;
      } else expect(['damage', 'changed', 'torn'], `byte ${at}`).toContain(ending);
    }
    // Bits that fill up the last byte of a block mean nothing; there are nine blocks.
    expect(harmless).toBeLessThanOrEqual(9);
  });

  it('without one of its segments says so', async () => {
    const directory = join(await folder(), 's1');
    await written(directory, 100, { segmentBytes: 1_000 });
    const [, second] = await blackBoxSegments(files, directory);
    await files.remove(second?.path as string);
    const { turns, ending } = summary(await partsOf(directory));
    expect(ending).toBe('damage');
    expect(turns).toEqual(upTo(turns.length));
  });

  it('on a disk that fails stops and says why, and nobody is thrown at', async () => {
    const full: Files = {
      ...files,
      openAppend: async (path) => {
        const file = await files.openAppend(path);
        return {
          size: () => file.size(),
          append: () => Promise.reject(new Error('no space left on device')),
          sync: () => file.sync(),
          truncate: (size) => file.truncate(size),
          close: () => file.close(),
        };
      },
    };
    const told: string[] = [];
    const onFailure = ({ message }: Error) => void told.push(message);
    const { writer } = writerIn(join(await folder(), 's1'), { files: full, onFailure });
    writer.turn(1, '{"turn":1}');
    await writer.flush();
    writer.turn(2, '{"turn":2}');
    await writer.finish(FOOTER);
    expect(writer.failure?.message).toBe('no space left on device');
    expect(told).toEqual(['no space left on device']);
  });

  it('that cannot be begun is one that has failed, and no more', async () => {
    const file = join(await folder(), 'file');
    await files.writeAtomic(file, 'in the way');
    const { writer } = writerIn(join(file, 'capture', 's1'));
    writer.turn(1, '{"turn":1}');
    await writer.finish(FOOTER);
    expect(writer.failure).toBeInstanceOf(Error);
  });

  it('that the disk cannot keep up with stops before it fills the memory', async () => {
    const never = new Promise<never>(() => undefined);
    const { writer } = writerIn(join(await folder(), 's1'), { files: { ...files, gzip: () => never } });
    const line = JSON.stringify({ noise: 'x'.repeat(MIB) });
    for (let turn = 1; turn <= 70 && writer.failure === undefined; turn++) writer.turn(turn, line);
    expect(writer.failure?.message).toMatch(/must reach the disk as fast as the session runs/);
  });
});

describe('black boxes on a disk', () => {
  /** Three old sessions of two segments of 100 bytes each, an hour apart, oldest first. */
  async function threeSessions(): Promise<string> {
    const root = join(await folder(), 'capture');
    for (const session of ['c', 'a', 'b']) {
      await files.makeDirectory(join(root, session));
      for (const number of [1, 2]) {
        await files.writeAtomic(join(root, session, `segment-00000${number}.ndjson.gz`), new Uint8Array(100));
      }
    }
    return root;
  }
  const timed = (root: string): Files => ({
    ...files,
    list: async (directory) =>
      (await files.list(directory)).map((entry) => ({ ...entry, modifiedMs: hourOf(root, entry.path) })),
  });
  const hourOf = (root: string, path: string) =>
    ['c', 'a', 'b'].indexOf(path.slice(root.length + 1)[0] ?? '');
  const left = async (root: string) => {
    const paths = [];
    for (const { path, kind } of await files.list(root)) {
      if (kind === 'directory')
        for (const each of await files.list(path)) paths.push(`${path.slice(-1)}${each.name.slice(13, 14)}`);
    }
    return paths.sort();
  };

  it.each([
    ['all fit', { before: 0, keepBytes: 600 }, ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'], true],
    ['the oldest go first, one segment at a time', { before: 0, keepBytes: 350 }, ['a2', 'b1', 'b2'], true],
    ['what is too old goes', { before: 1, keepBytes: 600 }, ['a1', 'a2', 'b1', 'b2'], true],
    [
      'as many go as are to be freed',
      { before: 0, keepBytes: 600, freeBytes: 250 },
      ['a2', 'b1', 'b2'],
      true,
    ],
    [
      'all but the open one go, and that is not enough',
      { before: 0, keepBytes: 600, freeBytes: 9_999 },
      ['b2'],
      false,
    ],
  ])('%s', async (_, options, expected, enough) => {
    const root = await threeSessions();
    const open = join(root, 'b', 'segment-000002.ndjson.gz');
    expect(await dropBlackBoxes(timed(root), { root, open, ...options })).toBe(enough);
    expect(await left(root)).toEqual(expected);
  });

  it('make room when it is nearly full, and stop when they have made all they can', async () => {
    const root = await threeSessions();
    let free = 512 * MIB - 150;
    const disk = { freeBytes: () => Promise.resolve(free) };
    const { writer, time } = writerIn(join(root, 'd'), {
      files: timed(root),
      disk,
      keepMs: Number.POSITIVE_INFINITY,
    });
    writer.turn(1, '{"turn":1}');
    await writer.flush();
    expect(writer.failure).toBeUndefined();
    expect((await left(root)).filter((name) => !name.startsWith('d'))).toEqual(['a1', 'a2', 'b1', 'b2']);
    free = 100 * MIB;
    await time.advance(5_000);
    writer.turn(2, '{"turn":2}');
    await writer.flush();
    expect(writer.failure?.message).toMatch(/must have 512 MiB free for a black box, it lacks 412 MiB/);
    expect((await left(root)).filter((name) => !name.startsWith('d'))).toEqual([]);
    await writer.abandon();
  });
});
