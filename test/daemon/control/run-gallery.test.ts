/** The folder of backtests as the control thread reads it, whose heap is 64 MiB. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGallery } from '../../../src/daemon/control/run-gallery.js';
import { nodeFiles } from '../../../src/platform/files.js';

const MIB = 2 ** 20;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-gallery-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** `minute`: when it was written. */
async function add(runId: string, minute: number, bytes: number): Promise<void> {
  const frame = JSON.stringify({ runId, more: '' }).length;
  const file = join(folder, runId, 'result.json');
  await mkdir(join(folder, runId));
  await writeFile(file, JSON.stringify({ runId, more: 'x'.repeat(bytes - frame) }));
  await utimes(file, minute * 60, minute * 60);
}

const listed = async () => ((await gallery().runs()) as { runId: string }[]).map(({ runId }) => runId);
const gallery = () => runGallery(nodeFiles, folder);

describe('the gallery of backtests', () => {
  it('lists the newest first, until they are two mebibytes', async () => {
    await add('old', 1, 300_000);
    await add('middle', 2, MIB);
    await add('new', 3, MIB - 300_000);
    expect(await listed()).toEqual(['new', 'middle', 'old']);
    await add('newest', 4, 100);
    expect(await listed()).toEqual(['newest', 'new', 'middle']);
  });

  it('never reads one that is larger than all of that, which hides no other', async () => {
    await add('old', 1, 100);
    await add('large', 2, 2 * MIB + 1);
    expect(await listed()).toEqual(['old']);
    expect(await gallery().run('large')).toBeUndefined();
    expect(await gallery().run('old')).toMatchObject({ runId: 'old' });
  });

  it('is read once for all who ask at the same time', async () => {
    await add('one', 1, 100);
    let reads = 0;
    const files = {
      ...nodeFiles,
      readText: (path: string) => {
        reads++;
        return nodeFiles.readText(path);
      },
    };
    const shared = runGallery(files, folder);
    expect(await Promise.all([shared.runs(), shared.runs(), shared.runs()])).toMatchObject([
      [{ runId: 'one' }],
      [{ runId: 'one' }],
      [{ runId: 'one' }],
    ]);
    expect(reads).toBe(1);
    await add('two', 2, 100);
    expect(await shared.runs()).toHaveLength(2);
  });
});
