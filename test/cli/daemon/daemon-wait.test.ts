/** What `start --detach` says of a daemon that is not ready, as a daemon on a real socket answers it. */
import { chmod } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { daemonSocket } from '../../../src/cli/daemon/daemon-call.js';
import { daemonWait, NOTHING_KNOWN } from '../../../src/cli/daemon/daemon-wait.js';
import { controlSocketPath, daemonFilePath } from '../../../src/daemon/daemon-file.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { findShortSocket } from '../../../src/platform/socket-path.js';

let state: string;
let server: Server | undefined;

beforeEach(async () => {
  state = await nodeFiles.temporaryDirectory('wait-');
});
afterEach(async () => {
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
  await nodeFiles.remove(state);
});

async function answering(
  pairState: string,
  problems: readonly string[],
  more: readonly object[] = [],
  path = controlSocketPath(state),
  besides: object = {},
): Promise<void> {
  const document = JSON.stringify({
    pairs: [
      { state: 'SYNCED', ...more[0] },
      { state: pairState, ...more[1] },
    ],
    problems,
    ...besides,
  });
  const own = createServer((_, answer) => void answer.end(document));
  server = own;
  await new Promise<void>((resolve) => void own.listen(path, resolve));
}

it('a start that waits for a person is told apart from one that only takes long', async () => {
  await answering('QUARANTINED', ['A is QUARANTINED: fill 1']);
  expect(await daemonWait(state)).toEqual({
    ...NOTHING_KNOWN,
    needsPerson: true,
    problems: ['A is QUARANTINED: fill 1'],
  });
});

it('a start whose state has too long a path for a socket is heard too, before it has written its file', async () => {
  const deep = join(state, 'a'.repeat(100));
  const socket = await daemonSocket(deep);
  try {
    await answering('QUARANTINED', ['A is QUARANTINED: fill 1'], [], socket);
    expect((await daemonWait(deep)).needsPerson).toBe(true);
    // What an earlier life left says where that one was.
    await nodeFiles.makeDirectory(deep);
    const file = { formatVersion: 1, pid: 1, process: 'x', socket: join(state, 'nobody') };
    await nodeFiles.writeAtomic(daemonFilePath(deep), JSON.stringify(file));
    expect((await daemonWait(deep)).needsPerson).toBe(true);
  } finally {
    await nodeFiles.remove(dirname(socket));
  }
});

it('whoever asks makes no folder, and asks nobody in one that is open to others', async () => {
  const deep = join(state, 'b'.repeat(100));
  expect(await daemonWait(deep)).toEqual(NOTHING_KNOWN);
  expect(await findShortSocket(controlSocketPath(deep))).toBeUndefined();
  const socket = await daemonSocket(deep);
  try {
    expect(await findShortSocket(controlSocketPath(deep))).toBe(socket);
    await chmod(dirname(socket), 0o755);
    await answering('QUARANTINED', [], [], socket);
    expect((await daemonWait(deep)).needsPerson).toBe(false);
  } finally {
    await nodeFiles.remove(dirname(socket));
  }
});

it('a start is ready once each pair has a session that can be judged, also where one has failed, which it says', async () => {
  const pairs = [{ running: true }, { pair: 'B', running: false, failure: 'it threw' }];
  await answering('BOOT', ['B: the strategy is stopped: it threw'], pairs);
  const { isReady, runs, lasting } = await daemonWait(state);
  expect([isReady, runs]).toEqual([true, true]);
  expect(lasting).toEqual(['B: the strategy is stopped: it threw']);
});

it('a start that an earlier life left halted says so', async () => {
  const halted = { level: 'flatten', by: 'panic', reason: 'asked for' };
  await answering('SYNCED', [], [{ running: true }, { running: true }], undefined, { halted });
  const { isReady, lasting } = await daemonWait(state);
  expect(isReady).toBe(true);
  expect(lasting).toEqual(['halted (flatten) by panic: asked for']);
});

it('a start is not ready while a session has not seen what its status judges by', async () => {
  const awaits = 'no poll of the ticker was handled yet';
  await answering('SYNCED', [], [{ running: true }, { running: true, awaits }]);
  expect(await daemonWait(state)).toMatchObject({ hasBegun: true, isReady: false, runs: true });
});

it('a start none of whose strategies runs is known by that', async () => {
  const failed = { running: false, failure: 'it threw' };
  await answering('SYNCED', [], [failed, failed]);
  expect(await daemonWait(state)).toMatchObject({ isReady: true, runs: false });
});

it('a start is not ready while a pair has no session', async () => {
  await answering('BOOT', [], [{ running: true }, { running: false }]);
  expect(await daemonWait(state)).toMatchObject({ hasBegun: false, isReady: false });
});

it('a start that takes long says what it waits for', async () => {
  await answering('BOOT', ['A: cannot start: no answer']);
  expect(await daemonWait(state)).toEqual({
    ...NOTHING_KNOWN,
    problems: ['A: cannot start: no answer'],
  });
});

it('a daemon that does not answer yet has no problem yet', async () => {
  expect(await daemonWait(state)).toEqual(NOTHING_KNOWN);
});
