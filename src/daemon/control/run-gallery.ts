import { join } from 'node:path';
import { FileMissing, type Files } from '../../ports/files.js';

const MOST_RUNS = 100;
/**
 * Bound for one result and for all results of one answer. Parsed JSON takes several times its size, and the thread's heap
 * is small.
 */
const MOST_BYTES = 2 * 1024 * 1024;

/** Results of backtests, newest first, as they lie in their folders. */
export function runGallery(files: Files, folder: string) {
  let underWay: Promise<readonly unknown[]> | undefined;
  return {
    /** Requests that come while the folder is being read share its result. */
    runs(): Promise<readonly unknown[]> {
      underWay ??= list().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    run: read,
  };

  async function list(): Promise<readonly unknown[]> {
    if ((await files.stat(folder)) === undefined) return [];
    const entries = (await files.list(folder)).filter(({ kind }) => kind === 'directory');
    const known = await Promise.all(
      entries.map(async ({ name }) => ({
        name,
        file: await files.stat(join(folder, name, 'result.json')),
      })),
    );
    const newest = known
      .flatMap(({ name, file }) =>
        file === undefined || file.size > MOST_BYTES ? [] : [{ name, at: file.modifiedMs, size: file.size }],
      )
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MOST_RUNS);
    const found: object[] = [];
    let bytes = 0;
    for (const { name, at, size } of newest) {
      bytes += size;
      if (bytes > MOST_BYTES) break;
      const result = await read(name);
      if (result !== undefined) found.push({ at, ...result });
    }
    return found;
  }

  async function read(id: string): Promise<object | undefined> {
    const path = join(folder, id, 'result.json');
    const entry = await files.stat(path).catch(() => undefined);
    if (entry === undefined || entry.size > MOST_BYTES) return undefined;
    try {
      const result: unknown = JSON.parse(await files.readText(path));
      return typeof result === 'object' && result !== null && !Array.isArray(result) ? result : undefined;
    } catch (error) {
      if (error instanceof FileMissing || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
