import { dirname, resolve } from 'node:path';
import type { Machine } from '../machine.js';
import type { Settings } from './settings.js';

/** @throws UsageError when no daemon can ever keep its state where the configuration says */
export async function demandStateFolder(
  { files }: Pick<Machine, 'files'>,
  settings: Pick<Settings, 'state' | 'errorAt'>,
): Promise<void> {
  for (let path = resolve(settings.state); ; path = dirname(path)) {
    // Below a file there is nothing that could be looked at.
    const entry = await files.stat(path).catch(() => undefined);
    if (entry?.kind === 'directory' || path === dirname(path)) return;
    if (entry === undefined) continue;
    const kind = entry.kind === 'file' ? 'a file' : 'no folder';
    throw settings.errorAt(
      ['state'],
      `must be a folder, or a place for one, received ${path}, which is ${kind}`,
    );
  }
}
