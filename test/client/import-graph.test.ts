/** Money leaves the venue by one entry point only: nothing else that this package runs can reach the code that does it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WITHDRAW = 'src/client/withdraw.ts';
/** The entry point: its files say so by their name. */
const ENTRY = /^src\/(withdraw\/|cli\/([a-z]+\/)?withdraw(-[a-z-]+)?\.ts$)/;
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"]+)\1/g;

const filesUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

/** The modules of ours that a module names, statically or not; types too, which is stricter than what is loaded. */
const importsOf = remembered((file: string): string[] => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)]
    .map(([, , name]) => name ?? '')
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(ROOT, resolve(ROOT, dirname(file), name.replace(/\.js$/, '.ts'))));
});

function remembered<T>(read: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return (file) => {
    const value = known.get(file) ?? read(file);
    known.set(file, value);
    return value;
  };
}

/** How a module reaches another: the path of imports, or `undefined`. Goes through no door that `isClosed`. */
function pathTo(target: string, from: string, isClosed: (file: string) => boolean): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  const queue = [from];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (file === target) {
      const path: string[] = [];
      for (let at: string | undefined = file; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
      return path;
    }
    for (const next of importsOf(file)) {
      if (cameFrom.has(next) || isClosed(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

const isEntry = (file: string) => ENTRY.test(file);
const everything = filesUnder('src').filter((file) => file !== WITHDRAW && !isEntry(file));

describe('the code that withdraws', () => {
  it('is reached by no command but its own, and by nothing that a session is made of', () => {
    expect(everything.filter((file) => file.startsWith('src/cli/commands/')).length).toBeGreaterThan(10);
    expect(everything).toContain('src/cli/main.ts');
    expect(everything).toContain('src/execution/execution.ts');
    const reaching = everything
      .map((file) => pathTo(WITHDRAW, file, isEntry))
      .filter((path) => path !== undefined);
    expect(reaching).toEqual([]);
  });

  it('is imported by nothing but the entry point', () => {
    const importing = filesUnder('src').filter((file) => importsOf(file).includes(WITHDRAW));
    expect(importing.filter((file) => !isEntry(file))).toEqual([]);
  });

  it('is the only one of the client that knows its path', () => {
    const knowing = filesUnder('src/client').filter((file) =>
      readFileSync(join(ROOT, file), 'utf8').includes("'/auth/withdraw'"),
    );
    expect(knowing).toEqual([WITHDRAW]);
  });
});

describe('the walk over imports', () => {
  it('finds what is reached: it can fail', () => {
    const open = () => false;
    expect(pathTo('src/client/requester.ts', WITHDRAW, open)).toEqual([WITHDRAW, 'src/client/requester.ts']);
    const path = pathTo('src/client/client.ts', 'src/cli/main.ts', open);
    expect(path?.at(0)).toBe('src/cli/main.ts');
    expect(path?.length).toBeGreaterThan(2);
    expect(pathTo(WITHDRAW, 'src/model/order.ts', open)).toBeUndefined();
  });

  it('resolves every import to a file that is there', () => {
    const files = new Set(filesUnder('src'));
    const dangling = everything.flatMap((file) =>
      importsOf(file).filter((name) => name.endsWith('.ts') && !files.has(name)),
    );
    expect(dangling).toEqual([]);
  });
});
