/** Without it nothing fails: orders of a bot that polls once a second would only leave later, for an hour. */
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { earlyFlag } from '../../src/platform/compile-early.js';
import { httpSession } from '../support/http-session.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-early-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('a live session has V8 compile early', async () => {
  const told = vi.spyOn(v8, 'setFlagsFromString').mockImplementation(() => undefined);
  syncBuiltinESMExports();
  try {
    await httpSession({ folder, forMs: 1, strategy: 'strategies/sma-cross.ts', pollMs: 100 });
    expect(told.mock.calls).toEqual([[earlyFlag(process.versions.v8)]]);
  } finally {
    told.mockRestore();
    syncBuiltinESMExports();
  }
});
