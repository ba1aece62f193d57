import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that is gone when the test that asks for it is over. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `tickwright-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
