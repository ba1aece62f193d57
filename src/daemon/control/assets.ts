import { join } from 'node:path';
import type { Files } from '../../ports/files.js';
import type { Asset } from './control-app.js';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files of the dashboard, all in memory: a path of a request never becomes a path of the disk. */
export async function readAssets(files: Files, folder: string): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  if ((await files.stat(folder)) === undefined) return assets;
  for (const { name, kind } of await files.list(folder)) {
    const type = TYPES[name.split('.').at(-1) ?? ''];
    if (kind !== 'file' || type === undefined) continue;
    const bytes = Uint8Array.from(await files.read(join(folder, name)));
    assets.set(name === 'index.html' ? '/' : `/${name}`, { type, bytes });
  }
  return assets;
}
