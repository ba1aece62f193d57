// The bans that oxlint has no rule for, by reading the text of src/, strategies/ and test/ (or of the tree named by the first argument).
// `npm run check` runs it; test/lint/layers.test.ts plants one violation of each kind.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));

const bans = [
  {
    name: 'detour',
    // no-restricted-imports compares text: ./../client and ../model/../client would pass for a neighbour.
    pattern: /(?:\bfrom|\bimport)\s*\(?\s*['"`](?:\.\/\.\.\/|[^'"`]*[^./'"`][^'"`/]*\/\.\.\/)/g,
    message: 'write the import path without a detour: the layer rule compares it as text',
  },
  {
    name: 'computed-import',
    // oxlint sees the target of import('…') only if it is a plain string; what loads users' files is exempt.
    pattern: /\bimport\s*\(\s*(?!\s|['"])/g,
    except: /^src\/(?:loader|platform)\//,
    message: 'import() takes a plain string here; only src/loader and src/platform load what they compute',
  },
  {
    name: 'disable-without-reason',
    inComments: true,
    pattern: /\b(?:oxlint|eslint)-disable(?!.*\s--\s+\S)/g,
    message: 'a disable comment ends with its reason: -- because …',
  },
  {
    name: 'module-mock',
    folders: ['test'],
    // The tests of a worker share its modules.
    pattern: /\bvi\s*\.\s*(?:mock|doMock|resetModules)\b/g,
    message: 'hand over what a test replaces: the tests of a worker share its modules',
  },
];

/**
 * Folders that have layers of their own: their groups, and those below that each may import. What lies beside the groups,
 * and a group that is not named here, is everybody's.
 */
const layered = {
  cli: {
    connection: '',
    order: '',
    record: '',
    venue: '',
    settings: 'connection',
    strategy: 'settings',
    journal: 'settings',
    output: 'settings strategy',
    certify: 'settings strategy journal',
    session: 'connection strategy',
    stop: 'connection settings journal',
    replay: 'settings strategy journal certify session',
    backtest: 'settings strategy replay',
    optimize: 'settings strategy output session backtest',
    daemon: 'connection settings strategy journal certify session stop replay',
    doctor: 'connection settings strategy journal certify stop daemon',
  },
  storage: {
    journal: '',
    capture: '',
    rows: '',
    facts: 'rows',
    recording: 'rows facts',
    certificate: 'rows facts recording',
    import: 'rows facts recording certificate',
  },
};

bans.push({
  name: 'group-layer',
  pattern: /(?:\bfrom|\bimport)\s*\(?\s*['"]\.\.\/([\w-]+)\//g,
  message: 'a group imports those below it: the table is in .ci/bans.mjs',
  allows(file, named) {
    const [, folder, own] = /^src\/([^/]+)\/([^/]+)\/[^/]+$/.exec(file) ?? [];
    const groups = layered[folder];
    if (groups?.[named] === undefined || groups[own] === undefined) return true;
    return groups[own].split(' ').includes(named);
  },
});

const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));

let found = 0;
for (const folder of ['src', 'strategies', 'test'].filter((name) => existsSync(join(root, name)))) {
  const here = bans.filter(({ folders = ['src', 'strategies'] }) => folders.includes(folder));
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[cm]?tsx?$/.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const file = relative(root, path).split(sep).join('/');
    const text = readFileSync(path, 'utf8');
    const code = withoutComments(text);
    for (const { name, pattern, message, except, inComments, allows } of here) {
      if (except?.test(file)) continue;
      const subject = inComments ? text : code;
      for (const { index, 1: named } of subject.matchAll(pattern)) {
        if (allows?.(file, named)) continue;
        found += 1;
        const before = subject.slice(0, index).split('\n');
        console.log(`${file}:${before.length}:${before.at(-1).length + 1}: ${message} [${name}]`);
      }
    }
  }
}
if (found > 0) {
  console.log(`${found} banned`);
  process.exitCode = 1;
}
