import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoadedStrategy, loadStrategy } from '../../src/loader/load-strategy.js';
import { locateStrategyError, strategyErrorText } from '../../src/loader/strategy-error.js';
import { UsageError } from '../../src/model/errors.js';
import { nodeFiles } from '../../src/platform/files.js';
import { bindStrategy } from '../../src/strategy/instance.js';

const files = nodeFiles;
const repository = fileURLToPath(new URL('../../', import.meta.url));
let root: string;
let cacheDirectory: string;
let count = 0;

beforeAll(async () => {
  root = await files.temporaryDirectory('tickwright-loader-');
  cacheDirectory = join(root, 'cache', 'strategies');
});
afterAll(() => files.remove(root));

/** A project far from the repository, with these files. */
async function project(contents: Readonly<Record<string, string>>): Promise<string> {
  count += 1;
  const directory = join(root, `project-${count}`);
  for (const [name, text] of Object.entries(contents)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

const load = (directory: string, path = 's.ts') => loadStrategy(path, { files, cacheDirectory, directory });

async function failure(contents: Readonly<Record<string, string>> | string): Promise<UsageError> {
  const directory = await project(typeof contents === 'string' ? { 's.ts': contents } : contents);
  const error: unknown = await load(directory).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error as UsageError;
}

const MINIMAL = `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: 'still', create: () => ({}) });
`;

/** With signs that mean something else in a URL. */
const NAMES = ['ü.ts', '50%25 [a].ts', 'one#two.ts', 'one?two.ts'];

describe('a strategy file', () => {
  it('is loaded from any folder, with its relative imports, and shares our package and RxJS with us', async () => {
    const directory = await project({
      's.ts': `import { defineStrategy, UsageError, integer } from 'tickwright';
import { sma } from 'tickwright/indicators';
import { Observable } from 'rxjs';
import { map } from 'rxjs/operators';
import { twice } from './lib/twice.js';
export const seen = { UsageError, Observable, map, sma };
export default defineStrategy({ name: 'far-away', params: { n: integer({ default: twice(21) }) }, create: () => ({}) });
`,
      'lib/twice.ts': 'export function twice(n: number): number { return 2 * n; }\n',
    });
    const loaded = await load(directory);
    expect(loaded.definition.name).toBe('far-away');
    expect(loaded.definition.params['n']?.defaultText).toBe('42');
    expect(loaded.inputs.toSorted()).toEqual([join(directory, 'lib/twice.ts'), join(directory, 's.ts')]);
    const { seen } = (await import(loaded.bundleUrl)) as { seen: Record<string, unknown> };
    expect(seen['UsageError']).toBe(UsageError);
    expect(seen['Observable']).toBe(Observable);
    expect(seen['sma']).toBeTypeOf('function');
    expect(seen['map']).toBeTypeOf('function');
  });

  it.each(['s.js', 's.mjs', 's.mts'])('may be called %s', async (name) => {
    expect((await load(await project({ [name]: MINIMAL }), name)).definition.name).toBe('still');
  });

  it('has a hash of what it does, wherever it lies; another file has another one', async () => {
    const contents = {
      'strategies/s.ts': `import { name } from '../lib.js';\n${MINIMAL.replace("'still'", 'name')}`,
      'lib.ts': "export const name = 'one';\n",
    };
    const [one, two] = [await project(contents), await project(contents)];
    await cp(one, join(two, 'deep/er'), { recursive: true });
    const { sha256 } = await load(one, 'strategies/s.ts');
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await load(two, 'strategies/s.ts')).sha256).toBe(sha256);
    expect((await load(join(two, 'deep/er'), 'strategies/s.ts')).sha256).toBe(sha256);
    await writeFile(join(two, 'lib.ts'), "export const name = 'two';\n");
    expect((await load(two, 'strategies/s.ts')).sha256).not.toBe(sha256);
  });

  it('is read again when it has changed', async () => {
    const directory = await project({ 's.ts': MINIMAL });
    expect((await load(directory)).definition.name).toBe('still');
    await writeFile(join(directory, 's.ts'), MINIMAL.replace('still', 'moving'));
    expect((await load(directory)).definition.name).toBe('moving');
  });

  it('may use packages that are installed beside it', async () => {
    const directory = await project({
      's.ts': `import { word } from 'words';\nimport { join } from 'node:path';\n${MINIMAL.replace("'still'", 'join(word)')}`,
      'node_modules/words/package.json': '{"name":"words","type":"module","exports":"./index.js"}',
      'node_modules/words/index.js': "export const word = 'installed';\n",
    });
    expect((await load(directory)).definition.name).toBe('installed');
  });

  it.each([
    ['a # name of package.json', '#lib/words', { imports: { '#lib/*': './lib/*.ts' } }],
    ['the name of its own package', 'bot/words', { name: 'bot', exports: { './*': './lib/*.ts' } }],
  ])('may import its own TypeScript by %s, which is looked through as what relative paths lead to', async (_, name, manifest) => {
    const contents = {
      's.ts': `import { word } from '${name}';\n${MINIMAL.replace("'still'", 'word')}`,
      'package.json': JSON.stringify({ type: 'module', ...manifest }),
      'lib/words.ts': "export const word: string = 'aliased';\n",
    };
    const directory = await project(contents);
    const loaded = await load(directory);
    expect(loaded.definition.name).toBe('aliased');
    expect(loaded.inputs).toContain(join(directory, 'lib/words.ts'));
    expect(loaded.packages).toEqual([]);
    const random = { 'lib/words.ts': 'export const word = `a${Math.random()}`;\n' };
    expect((await failure({ ...contents, ...random })).message).toMatch(
      /^lib\/words\.ts:1:\d+: .*Math\.random/,
    );
  });

  it('may import JavaScript by a # name of package.json, which is no package for that', async () => {
    const directory = await project({
      's.ts': `import { word } from '#words';\n${MINIMAL.replace("'still'", 'word')}`,
      'package.json': '{"type":"module","imports":{"#words":"./words.js"}}',
      'words.js': "export const word = 'aliased';\n",
    });
    const loaded = await load(directory);
    expect(loaded.packages).toEqual([]);
    expect(loaded.inputs).toContain(join(directory, 'words.js'));
  });

  it('may import TypeScript of its workspace', async () => {
    const directory = await project({
      'bot/s.ts': `import { word } from '@mono/words';\n${MINIMAL.replace("'still'", 'word')}`,
      'words/package.json': '{"name":"@mono/words","type":"module","exports":"./src/index.ts"}',
      'words/src/index.ts': "export { word } from './word.js';\n",
      'words/src/word.ts': "export const word: string = 'shared';\n",
      'node_modules/@mono/.keep': '',
    });
    await symlink(join(directory, 'words'), join(directory, 'node_modules/@mono/words'));
    const loaded = await load(directory, 'bot/s.ts');
    expect(loaded.definition.name).toBe('shared');
    expect(loaded.inputs).toContain(join(directory, 'words/src/word.ts'));
  });

  it('has a hash of the packages that it uses, too: of all that they bring, wherever they lie', async () => {
    const hash = async (deep: string) => {
      const directory = await project({
        's.ts': `import { word } from 'words';\n${MINIMAL.replace("'still'", 'word')}`,
        'node_modules/words/package.json': '{"name":"words","type":"module","exports":"./index.js"}',
        'node_modules/words/index.js': "export { word } from './deep.js';\n",
        'node_modules/words/deep.js': deep,
      });
      return (await load(directory)).sha256;
    };
    const first = await hash("export const word = 'one';\n");
    expect(await hash("export const word = 'one';\n")).toBe(first);
    expect(await hash("export const word = 'two';\n")).not.toBe(first);
  });

  it('may use a package with files that only its own code can read', async () => {
    const directory = await project({
      's.ts': `import { word } from 'words';\n${MINIMAL.replace("'still'", 'word')}`,
      'node_modules/words/package.json': '{"name":"words","type":"module","exports":"./index.js"}',
      'node_modules/words/index.js':
        "export const word = 'read';\nexport const late = () => import('./model.onnx');\nexport const other = () => import('not-there');\n",
      'node_modules/words/model.onnx': 'nobody knows',
    });
    expect((await load(directory)).definition.name).toBe('read');
  });

  it('means the same whatever tsconfig.json lies beside it', async () => {
    const directory = await project({
      's.ts': MINIMAL,
      'tsconfig.json': '{"compilerOptions":{"paths":{"tickwright":["./nowhere.ts"]},"jsx":"preserve"}}',
    });
    expect((await load(directory)).definition.name).toBe('still');
  });

  it('may be reached through a link', async () => {
    const directory = await project({ 'real/s.ts': MINIMAL });
    await symlink(join(directory, 'real/s.ts'), join(directory, 's.ts'));
    expect((await load(directory)).definition.name).toBe('still');
  });

  it.each([
    ['sma-cross.ts', 'sma-cross'],
    ['sma-cross-streams.ts', 'sma-cross'],
    ['market-maker.ts', 'market-maker'],
  ])('of ours is loaded: %s', async (file, name) => {
    expect((await load(repository, join('strategies', file))).definition.name).toBe(name);
  });
});

describe('what is wrong with a strategy file is said by file, line and column', () => {
  it('a syntax error, with the line and a caret at it', async () => {
    const { message } = await failure(`${MINIMAL}const ä = 'é', b = ;\n`);
    expect(message).toBe(
      's.ts:3:20: Unexpected ";"\n' + //
        "  3 | const ä = 'é', b = ;\n" +
        '    |                    ^',
    );
  });

  it.each(NAMES)('a use of what is refused, in a file by the name that it has: %s', async (name) => {
    const directory = await project({
      [`st/${name}`]: MINIMAL.replace('{}', '{ onTrade: () => Date.now() }'),
    });
    await expect(load(directory, `st/${name}`)).rejects.toThrow(`st/${name}:2:`);
    await writeFile(join(directory, 'st', name), 'export default (');
    await expect(load(directory, `st/${name}`)).rejects.toThrow(`st/${name}:1:`);
  });

  it('a syntax error in a file that it imports', async () => {
    const { message } = await failure({
      's.ts': `import './lib/x.js';\n${MINIMAL}`,
      'lib/x.ts': '\n  let a = 1 +* 2;\n',
    });
    expect(message).toMatch(/^lib\/x\.ts:2:14: Unexpected "\*"\n/);
  });

  it('all that the bundler found, not the first only', async () => {
    const { message } = await failure(`import './a.js';\nimport './b.js';\n${MINIMAL}`);
    expect(message).toContain('s.ts:1:8: Could not resolve "./a.js"');
    expect(message).toContain('s.ts:2:8: Could not resolve "./b.js"');
  });

  it.each([
    [
      'a package that is not there',
      "import x from 'no-such-package';\nconsole.log(x);\n",
      's.ts:1:15: package "no-such-package" must be installed',
    ],
    [
      'a # name that package.json does not have, which is no package',
      "import x from '#lib/words';\nconsole.log(x);\n",
      's.ts:1:15: Could not resolve "#lib/words"',
    ],
    [
      'a part of ours that does not exist',
      "import { x } from 'tickwright/engine';\nx();\n",
      's.ts:1:19: a strategy may import tickwright and tickwright/indicators, received "tickwright/engine"',
    ],
    [
      'require()',
      "const x = require('lodash');\nx();\n",
      's.ts:1:19: "lodash" must be loaded by import, received require()',
    ],
  ])('%s', async (_, text, message) => {
    expect((await failure(text + MINIMAL)).message).toContain(message);
  });

  it('no default export', async () => {
    expect((await failure('export const a = 1, b = 2;\n')).message).toBe(
      's.ts:1:1: a strategy file must have "export default defineStrategy({ … })", received only a, b',
    );
    expect((await failure('')).message).toContain('received no exports');
  });

  it.each([
    ['{ name: "plain", create: () => ({}) }', 'an object that is none'],
    ['class Bot {}', 'a function'],
    ['42', 'a number'],
    ['null', 'null'],
    ['undefined', 'undefined'],
  ])('a default export that is %s', async (value, received) => {
    expect((await failure(`export default ${value};\n`)).message).toBe(
      `s.ts:1:1: the default export must be made by defineStrategy({ … }), received ${received}`,
    );
  });

  it('an exception while it is loaded, at the line of the user that threw it', async () => {
    const { message, cause } = await failure({
      's.ts': `import { grow } from './lib/grow.js';\n${MINIMAL}grow(3);\n`,
      'lib/grow.ts':
        'interface Size { readonly n: number }\n\nexport function grow(n: number): Size {\n  if (n > 2) throw new RangeError(`too large: ${n}`);\n  return { n };\n}\n',
    });
    expect(message).toMatch(
      /^lib\/grow\.ts:4:\d+: too large: 3\n {2}4 \| {3}if \(n > 2\) throw new RangeError/,
    );
    expect(cause).toBeInstanceOf(RangeError);
  });

  it('an exception whose message cannot be read', async () => {
    const bad = "Object.defineProperty(new Error(), 'message', { get() { throw new Error('no'); } })";
    const { code, message } = await failure(`${MINIMAL}throw ${bad};\n`);
    expect(code).toBe('TICKWRIGHT_E_STRATEGY_FILE');
    expect(message).toContain('an error whose message cannot be read');
  });

  it('TypeScript in an installed package, which Node does not run', async () => {
    const { message } = await failure({
      's.ts': `import { word } from 'words';\n${MINIMAL.replace("'still'", 'word')}`,
      'node_modules/words/package.json': '{"name":"words","type":"module","exports":"./index.ts"}',
      'node_modules/words/index.ts': "export const word = 'typed';\n",
    });
    expect(message).toMatch(/^s\.ts:1:22: package "words" must be JavaScript, received TypeScript\n/);
  });

  it('a name that a CommonJS package has on its default only, with what to write instead', async () => {
    const directory = await project({
      's.ts': "import {\n  word as w,\n} from 'words';\nexport default w;\n",
      'node_modules/words/package.json': '{"name":"words"}',
      'node_modules/words/index.js': "module.exports = Object.assign(() => 1, { word: 'late' });\n",
    });
    // From memory, where Node itself reads it: the test runner looks into CommonJS for names.
    await expect(loadStrategy('s.ts', { files, directory, packages: {} })).rejects.toThrow(
      "s.ts:2:3: what a CommonJS package exports must be taken from its default, as in import all from 'words'; const { word } = all; received an import of word\n" +
        '  2 |   word as w,\n' +
        '    |   ^^^^',
    );
  });

  it('a mistake that our own functions refuse', async () => {
    expect((await failure(MINIMAL.replace("'still'", "'Not Kebab'"))).message).toMatch(
      /^s\.ts:2:16: a strategy's name must be lower-case words/,
    );
  });

  it.each([
    ['a handler by another name', '{ onTrde() {} }', 'received onTrde'],
    ['a handler that is none', '{ onBar: 5 }', 'onBar of odd must be a function, received 5'],
    ['no handlers', 'undefined', 'create() of odd must return its handlers, received undefined'],
  ])('%s, also in a file that imports RxJS', async (_, handlers, message) => {
    for (const imports of ['', `import { Subject } from 'rxjs'; export const s = new Subject();`]) {
      const directory = await project({
        's.ts': `import { defineStrategy } from 'tickwright';\n${imports}\nexport default defineStrategy({ name: 'odd', create: () => (${handlers}) as never });\n`,
      });
      const { definition } = await load(directory);
      expect(() => bindStrategy(definition).start({} as never)).toThrow(message);
    }
  });

  it('nothing at the path, a folder, another kind of file', async () => {
    const directory = await project({ 'sub/s.ts': '', 's.py': '' });
    await expect(load(directory, 'x.ts')).rejects.toThrow(
      'x.ts must be a strategy file, received nothing there',
    );
    await expect(load(directory, 'sub')).rejects.toThrow('sub must be a strategy file, received directory');
    await expect(load(directory, 's.py')).rejects.toThrow(
      's.py must be TypeScript or JavaScript (.ts, .mts, .js, .mjs), received .py',
    );
  });
});

describe('an exception of a running strategy', () => {
  const THROWS = `import { defineStrategy } from 'tickwright';

interface Memory { seen: number }

export default defineStrategy({
  name: 'throws',
  create() {
    const memory: Memory = { seen: 0 };
    return {
      onTrade() {
        memory.seen += 1;
        return (undefined as unknown as { price(): never }).price();
      },
    };
  },
});
`;

  async function thrown(
    file = 'bots/throws.ts',
  ): Promise<{ loaded: LoadedStrategy; error: unknown; directory: string }> {
    const directory = await project({ [file]: THROWS });
    const loaded = await load(directory, file);
    try {
      const handlers = loaded.definition.create?.({}, {} as never);
      handlers?.onTrade?.({} as never);
    } catch (error) {
      return { loaded, error, directory };
    }
    throw new Error('nothing was thrown');
  }

  it('is placed in the user’s own file', async () => {
    const { loaded, error } = await thrown();
    expect(locateStrategyError(error, loaded)).toMatchObject({
      file: 'bots/throws.ts',
      line: 12,
      lineText: '        return (undefined as unknown as { price(): never }).price();',
    });
    expect(strategyErrorText(error, loaded)).toMatch(
      /^bots\/throws\.ts:12:\d+: Cannot read properties of undefined/,
    );
  });

  it.each(NAMES)('is placed in a file by the name that it has: %s', async (name) => {
    const { loaded, error } = await thrown(`bots ü/${name}`);
    expect(locateStrategyError(error, loaded)).toMatchObject({ file: `bots ü/${name}`, line: 12 });
  });

  it('is placed there by the bundle’s own source map, where nobody else maps stacks', async () => {
    const { loaded } = await thrown();
    const lines = (await readFile(fileURLToPath(loaded.bundleUrl), 'utf8')).split('\n');
    const line = lines.findIndex((text) => text.includes('.price()')) + 1;
    const column = (lines[line - 1] as string).indexOf('price') + 1;
    const error = new Error('boom');
    error.stack = `Error: boom\n    at Object.onTrade (${loaded.bundleUrl}:${line}:${column})`;
    const place = locateStrategyError(error, loaded);
    expect(place).toMatchObject({ file: 'bots/throws.ts', line: 12 });
    expect(THROWS.split('\n')[11]?.slice((place?.column ?? 0) - 1)).toMatch(/^price\(\);/);
  });

  it('is placed there too when the stack was mapped by somebody else', async () => {
    const { loaded, directory } = await thrown();
    const error = new Error('boom');
    error.stack = `Error: boom\n    at Object.onTrade (${join(directory, 'bots/throws.ts')}:12:62)\n    at run (/x/engine.js:1:1)`;
    expect(locateStrategyError(error, loaded)).toMatchObject({
      file: 'bots/throws.ts',
      line: 12,
      column: 62,
    });
  });

  it('that is none of the strategy’s has no place', async () => {
    const { loaded } = await thrown();
    expect(locateStrategyError(new Error('ours'), loaded)).toBeUndefined();
    expect(locateStrategyError('text', loaded)).toBeUndefined();
    expect(strategyErrorText('text', loaded)).toBe('bots/throws.ts: text');
  });
});

it('what is put into the cache is run as it was made, not as it was found there', async () => {
  const directory = await project({ 's.ts': MINIMAL.replace('still', 'honest') });
  const { bundleUrl } = await load(directory);
  const text = await readFile(fileURLToPath(bundleUrl), 'utf8');
  await writeFile(fileURLToPath(bundleUrl), 'throw new Error("planted")');
  await load(directory);
  expect(await readFile(fileURLToPath(bundleUrl), 'utf8')).toBe(text);
});

describe('where nothing can be put into the cache', () => {
  const closed = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const without: Parameters<typeof loadStrategy>[1][] = [
    { files },
    { files: { ...files, makeDirectory: () => Promise.reject(closed) }, cacheDirectory: '/nonexistent' },
    { files: { ...files, writeAtomic: () => Promise.reject(closed) }, cacheDirectory: '/nonexistent' },
  ];

  it('a strategy is run from memory all the same, and who asked is told why', async () => {
    const directory = await project({
      's.ts': 'const x = 1;\nthrow new Error(`no ${x}`);\nexport default x;\n',
    });
    for (const options of without) {
      const reasons: unknown[] = [];
      const onNoCache = (reason: unknown) => void reasons.push(reason);
      const loading = loadStrategy('s.ts', { ...options, directory, onNoCache });
      await expect(loading).rejects.toThrow(/^s\.ts.*: no 1/);
      expect(reasons).toEqual(options.cacheDirectory === undefined ? [] : [closed]);
    }
  });
});

it('what a file keeps outside of its definition is of one load, or of one fresh definition', async () => {
  const directory = await project({
    's.ts': `import { defineStrategy } from 'tickwright';
let started = 0;
export default defineStrategy({
  name: 'counts',
  create() {
    started += 1;
    if (started > 1) throw new Error('not the first');
    return {};
  },
});
`,
  });
  const loaded = await load(directory);
  const create = (definition: typeof loaded.definition) => definition.create?.({}, {} as never);
  expect(create(loaded.definition)).toEqual({});
  expect(create(await loaded.fresh())).toEqual({});
  expect(create((await load(directory)).definition)).toEqual({});
  const fresh = await loaded.fresh();
  create(fresh);
  try {
    create(fresh);
    expect.unreachable();
  } catch (error) {
    expect(strategyErrorText(error, loaded)).toMatch(/^s\.ts:7:\d+: not the first/);
  }
});
