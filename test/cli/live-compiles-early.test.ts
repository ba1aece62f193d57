/** Without it nothing fails: orders of a bot that polls once a second would only leave later, for an hour. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { compileEarly } from '../../src/platform/compile-early.js';
import { httpSession } from '../support/http-session.js';

vi.mock(import('../../src/platform/compile-early.js'), () => ({ compileEarly: vi.fn() }));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-early-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('a live session has V8 compile early', async () => {
  await httpSession({ folder, forMs: 1, strategy: 'strategies/sma-cross.ts', pollMs: 100 });
  expect(compileEarly).toHaveBeenCalledOnce();
});
