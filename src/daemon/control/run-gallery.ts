import { join } from 'node:path';
import { FileMissing, type Files } from '../../ports/files.js';

const MOST_RUNS = 100;
const MOST_BYTES = 4 * 1024 * 1024;

/** Results of backtests, newest first, as they lie in their folders. */
export function runGallery(files: Files, folder: string) {
  return {
    async runs(): Promise<readonly unknown[]> {
      if ((await files.stat(folder)) === undefined) return [];
      const entries = (await files.list(folder)).filter(({ kind }) => kind === 'directory');
      const found: { readonly at: number; readonly result: unknown }[] = [];
      for (const { name } of entries) {
        const at = (await files.stat(join(folder, name, 'result.json')))?.modifiedMs;
        if (at === undefined) continue;
        const result = await read(name);
        if (result !== undefined) found.push({ at, result });
      }
      return found
        .sort((a, b) => b.at - a.at)
        .slice(0, MOST_RUNS)
        .map(({ at, result }) => ({ at, ...(result as object) }));
    },
    run: read,
  };

  async function read(id: string): Promise<unknown> {
    const path = join(folder, id, 'result.json');
    const entry = await files.stat(path).catch(() => undefined);
    if (entry === undefined || entry.size > MOST_BYTES) return undefined;
    try {
      return JSON.parse(await files.readText(path)) as unknown;
    } catch (error) {
      if (error instanceof FileMissing || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
