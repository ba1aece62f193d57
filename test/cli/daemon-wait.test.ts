/** What `start --detach` says of a daemon that is not ready, as a daemon on a real socket answers it. */
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { daemonWait } from '../../src/cli/compose/daemon-wait.js';
import { controlSocketPath } from '../../src/daemon/daemon-file.js';
import { nodeFiles } from '../../src/platform/files.js';

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

async function answering(pairState: string, ...problems: readonly string[]): Promise<void> {
  const document = JSON.stringify({ pairs: [{ state: 'SYNCED' }, { state: pairState }], problems });
  const own = createServer((_, answer) => void answer.end(document));
  server = own;
  await new Promise<void>((resolve) => void own.listen(controlSocketPath(state), resolve));
}

it('a start that waits for a person is told apart from one that only takes long', async () => {
  await answering('QUARANTINED', 'A is QUARANTINED: fill 1');
  expect(await daemonWait(state)).toEqual({ needsPerson: true, problems: ['A is QUARANTINED: fill 1'] });
});

it('a start that takes long says what it waits for', async () => {
  await answering('BOOT', 'A: cannot start: no answer');
  expect(await daemonWait(state)).toEqual({ needsPerson: false, problems: ['A: cannot start: no answer'] });
});

it('a daemon that does not answer yet has no problem yet', async () => {
  expect(await daemonWait(state)).toEqual({ needsPerson: false, problems: [] });
});
