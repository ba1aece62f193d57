import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isBlocked, readBlocked, writeBlocked } from '../../../src/daemon/blocked-file.js';
import { HangNote } from '../../../src/daemon/control/hang-note.js';
import { HangWatch } from '../../../src/daemon/control/hang-watch.js';
import { nodeFiles } from '../../../src/platform/files.js';
import type { Files } from '../../../src/ports/files.js';
import { VirtualTime } from '../../support/virtual-time.js';

const SHA = 'a'.repeat(64);
let folder: string;
let problems: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-hang-'));
  problems = [];
});
afterEach(() => rm(folder, { recursive: true }));

function noteOn(
  heartbeat: { readonly atWork: number | undefined },
  place = folder,
  files: Files = nodeFiles,
): HangNote {
  const strategies = [
    { name: 'other', sha256: 'b'.repeat(64), folder: join(folder, 'other') },
    { name: 'spins', sha256: SHA, folder: place },
  ];
  const onProblem = (text: string) => problems.push(text);
  return new HangNote({ heartbeat, strategies, files, wall: () => 7, onProblem });
}

const blocked = () => readBlocked(nodeFiles, folder, SHA);

it('says whose code hangs as long as it hangs, so that whoever kills the process need not', async () => {
  const note = noteOn({ atWork: 1 });
  note.hangs(10_000.4);
  note.hangs(11_000);
  await vi.waitFor(async () => {
    expect(await blocked()).toEqual({
      formatVersion: 1,
      strategy: 'spins',
      sha256: SHA,
      at: 7,
      silentMs: 10_000,
    });
  });
  note.beats();
  await vi.waitFor(async () => expect(await isBlocked(nodeFiles, folder)).toBe(false));
  note.hangs(12_000);
  await vi.waitFor(async () => expect(await blocked()).toMatchObject({ silentMs: 12_000 }));
});

it('says nothing of a hang outside of strategies, and takes back nothing that it has not written', async () => {
  const note = noteOn({ atWork: undefined });
  await writeFile(join(folder, 'blocked.json'), JSON.stringify({ sha256: SHA }));
  note.hangs(10_000);
  note.beats();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await blocked()).toEqual({ sha256: SHA });
});

it('leaves the note of an error that ends the daemon, which beats while it ends', async () => {
  let reads = 0;
  const readText = (path: string) => {
    reads++;
    return nodeFiles.readText(path);
  };
  const note = noteOn({ atWork: 1 }, folder, { ...nodeFiles, readText });
  note.hangs(10_000);
  await vi.waitFor(async () => expect(await blocked()).toMatchObject({ silentMs: 10_000 }));
  const error = 'late';
  const thrown = { formatVersion: 1, strategy: 'spins', sha256: SHA, at: 8, silentMs: 0, error } as const;
  await writeBlocked(nodeFiles, folder, thrown);
  note.beats();
  note.hangs(20_000);
  note.beats();
  note.hangs(30_000);
  // Each looks at the note, when the one before is done.
  await vi.waitFor(() => expect(reads).toBe(5));
  expect(await blocked()).toEqual(thrown);
});

it('tells what cannot be written down', async () => {
  await writeFile(join(folder, 'file'), '');
  noteOn({ atWork: 1 }, join(folder, 'file', 'below')).hangs(10_000);
  await vi.waitFor(() => expect(problems).toHaveLength(1));
  expect(problems[0]).toContain('which strategy hangs cannot be written down: ');
});

it('is told of each look at a heart that beats, and of none at one that was late once', async () => {
  const time = new VirtualTime();
  const heart = { ageMs: 0 };
  let [hangs, beats] = [0, 0];
  const watch = new HangWatch({
    heartbeat: heart,
    hangMs: 10_000,
    timers: time.timers,
    onHang: () => hangs++,
    onBeat: () => beats++,
  });
  watch.start();
  await time.advance(2_000);
  expect([hangs, beats]).toEqual([0, 2]);
  heart.ageMs = 11_000;
  await time.advance(1_000);
  expect([hangs, beats]).toEqual([0, 2]);
  await time.advance(2_000);
  expect([hangs, beats]).toEqual([2, 2]);
  heart.ageMs = 0;
  await time.advance(1_000);
  expect([hangs, beats]).toEqual([2, 3]);
  watch.stop();
});
