import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** An empty folder that is gone when the test that asks for it is over. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await made(name);
  onTestFinished(() => removed(folder));
  return folder;
}

/** One that the tests of a `describe` or a file share; to be asked for where they are declared, not within one. */
export function sharedFolder(name: string): Promise<string> {
  const folder = made(name);
  afterAll(async () => removed(await folder));
  return folder;
}

const made = (name: string): Promise<string> => mkdtemp(join(tmpdir(), `tickwright-${name}-`));
const removed = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
