import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type LoadedStrategy, loadStrategy } from '../../src/loader/load-strategy.js';
import { UsageError } from '../../src/model/errors.js';
import { nodeFiles } from '../../src/platform/files.js';

export interface Projects {
  readonly cacheDirectory: () => string;
  /** Puts the files into a folder of their own and loads `s.ts` of it. */
  readonly load: (contents: Readonly<Record<string, string>>) => Promise<LoadedStrategy>;
  /** The message that it is refused with. */
  readonly refusal: (contents: Readonly<Record<string, string>>) => Promise<string>;
}

/** Folders with strategies, for the tests of one file; they are removed after it. */
export function projects(prefix: string): Projects {
  let root: string;
  let count = 0;
  const cacheDirectory = () => join(root, 'cache');

  beforeAll(async () => {
    root = await nodeFiles.temporaryDirectory(prefix);
  });
  afterAll(() => nodeFiles.remove(root));

  async function load(contents: Readonly<Record<string, string>>): Promise<LoadedStrategy> {
    count += 1;
    const directory = join(root, `project-${count}`);
    for (const [name, text] of Object.entries(contents)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), text);
    }
    return loadStrategy('s.ts', { files: nodeFiles, cacheDirectory: cacheDirectory(), directory });
  }

  async function refusal(contents: Readonly<Record<string, string>>): Promise<string> {
    const error: unknown = await load(contents).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }

  return { cacheDirectory, load, refusal };
}

/** A strategy whose handler does this, on line 6, and that has this above it, on line 1. */
export function strategy(statement: string, imports = ''): string {
  return `${imports}
import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'escapes',
  create: (_: {}, context) => ({ onTrade(trade) {
    ${statement}
  } }),
});
`;
}
