import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, ROOT, start } from './program.js';

/** The project's tests are to pass on a machine that is busy with others, too. */
const SLOW_MACHINE = '--testTimeout=120000';

let folder = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tickwright-scaffold-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tickwright = (args: readonly string[], cwd = folder): Promise<Ended> => start(args, { cwd }).ended;

/** What `npm install` would put there, without asking a registry. */
async function install(project: string): Promise<void> {
  await mkdir(join(project, 'node_modules'));
  await symlink(ROOT, join(project, 'node_modules', 'tickwright'));
  for (const name of ['vitest', 'typescript', 'rxjs'])
    await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
}

/** A tool of the project, as its npm scripts call it. */
function tool(project: string, file: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(project, 'node_modules', file), ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/** Every file below a folder but what was installed, with its text. */
async function textsIn(project: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)),
  );
}

describe('tickwright init', () => {
  it('makes a project whose test passes, whose types hold, and whose strategy trades', async () => {
    const made = await tickwright(['init', 'my-bot', '--yes', '--no-install', '--json']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const project = join(folder, 'my-bot');
    expect(JSON.parse(made.stdout)).toMatchObject({
      schemaVersion: 1,
      folder: project,
      created: [
        'package.json',
        'tsconfig.json',
        'tickwright.yaml',
        'tickwright.schema.json',
        'strategies/example.ts',
        'test/strategies/example.test.ts',
        '.gitignore',
        'README.md',
      ],
      merged: [],
      kept: [],
      installed: false,
    });
    await install(project);
    const added = await tickwright(['new', 'another-idea', '--json'], project);
    expect(added.code).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({
      created: ['strategies/another-idea.ts', 'test/strategies/another-idea.test.ts'],
    });
    const tests = await tool(project, 'vitest/vitest.mjs', 'run', '--reporter=json', SLOW_MACHINE);
    expect(tests, tests.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(tests.stdout)).toMatchObject({ numPassedTests: 4, numFailedTests: 0 });
    const types = await tool(project, 'typescript/bin/tsc');
    expect(types, types.stdout).toMatchObject({ code: 0, stdout: '' });
    const backtest = await tickwright(
      ['backtest', 'strategies/another-idea.ts', '--set', 'bars=5s', '--json'],
      project,
    );
    expect(backtest.code).toBe(0);
    const result = JSON.parse(backtest.stdout) as { readonly roundTrips: number; readonly refusals: number };
    expect(result.roundTrips).toBeGreaterThanOrEqual(5);
    expect(result.refusals).toBe(0);
    const doctor = await tickwright(['doctor', '--json'], project);
    const { checks } = JSON.parse(doctor.stdout) as {
      readonly checks: readonly { readonly name: string; readonly status: string }[];
    };
    // No venue runs here, so what needs one fails; the configuration and its strategy are what they must be.
    const statuses = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
    expect(statuses).toMatchObject({ config: 'ok', 'strategy USD_BTC_PERP': 'ok', limits: 'ok' });
  });

  it('makes declarations of what it infers, as a project that others refer to does', async () => {
    const project = join(folder, 'referred-to');
    await tickwright(['init', 'referred-to', '--yes', '--no-install']);
    await install(project);
    await writeFile(
      join(project, 'strategies', 'inferred.ts'),
      `import type { StrategyContext } from 'tickwright';
import { backtestTrades, type MarketSpec, tradesAt } from 'tickwright/testing';
import strategy from './example.js';

export const members = ({ market }: StrategyContext) => market;
export const grids = ({ market }: StrategyContext) => [market.priceGrid, market.filters, market.filters.price.tickSize] as const;
export const rules = ({ market }: StrategyContext) => [market.fees, market.fees.maker, market.margin, market.funding] as const;
export const amounts = ({ market }: StrategyContext) => [market.liquidation, market.liquidation.minLiquidate, market.pricing] as const;
export const result = async (market: MarketSpec) => {
  const { models, metrics, data } = (await backtestTrades(strategy, { trades: tradesAt([1]), market })).result;
  return { models, metrics, data, price: market.price };
};
`,
    );
    const args = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', 'out'];
    const made = await tool(project, 'typescript/bin/tsc', ...args);
    expect(made, made.stdout).toMatchObject({ code: 0, stdout: '' });
  });

  it('writes over nothing: a project that is there keeps every byte, and gets what it lacks', async () => {
    const project = join(folder, 'there');
    await mkdir(join(project, 'strategies'), { recursive: true });
    await writeFile(
      join(project, 'package.json'),
      '{\n  "name": "there",\n  "scripts": { "test": "mine" }\n}\n',
    );
    await writeFile(join(project, 'strategies', 'example.ts'), '// mine\n');
    const first = await tickwright(['init', '--yes', '--no-install', '--json'], project);
    expect(JSON.parse(first.stdout)).toMatchObject({
      merged: ['package.json'],
      kept: ['strategies/example.ts'],
    });
    expect(await readFile(join(project, 'strategies', 'example.ts'), 'utf8')).toBe('// mine\n');
    expect(JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))).toMatchObject({
      name: 'there',
      scripts: { test: 'mine', check: 'tsc --noEmit' },
      dependencies: { tickwright: expect.stringMatching(/^file:/) },
    });
    const before = await textsIn(project);
    const second = await tickwright(['init', '--yes', '--no-install', '--json'], project);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({
      created: [],
      merged: [],
      kept: expect.arrayContaining(['package.json', '.gitignore', 'strategies/example.ts']),
    });
    expect(await textsIn(project)).toEqual(before);
  });

  it('writes nothing where nobody can be asked, into a file, into the package itself, or beside a broken package.json', async () => {
    const unasked = await tickwright(['init', 'unasked', '--no-install']);
    expect(unasked).toMatchObject({ code: 2, stdout: '' });
    expect(unasked.stderr).toContain('--yes must be given where nobody can be asked');
    expect(existsSync(join(folder, 'unasked'))).toBe(false);
    await writeFile(join(folder, 'file'), '');
    const intoFile = await tickwright(['init', 'file', '--yes']);
    expect(intoFile.code).toBe(2);
    expect(intoFile.stderr).toContain('file must be a folder or not there yet, received a file');
    const intoUs = await tickwright(['init', ROOT, '--yes']);
    expect(intoUs.code).toBe(2);
    expect(intoUs.stderr).toContain('a bot project must have a folder of its own outside of Tickwright');
    const broken = join(folder, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'package.json'), '{ "name": ');
    const besideIt = await tickwright(['init', '--yes', '--no-install'], broken);
    expect(besideIt.code).toBe(2);
    expect(besideIt.stderr).toContain('package.json must be JSON');
    expect(await readdir(broken)).toEqual(['package.json']);
  });

  it('says that npm could not do its part, and leaves the files', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'npm'), '#!/bin/sh\necho "no network today" >&2\nexit 7\n', { mode: 0o755 });
    const { code, stdout, stderr } = await start(['init', 'offline', '--yes'], {
      cwd: folder,
      env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(
      'no network today\nnpm install did not succeed (exit code 7): the files are there, npm install is left to you',
    );
    expect(stdout).toContain('  cd offline\n  npm install\n  npm test\n');
    expect(existsSync(join(folder, 'offline', 'package.json'))).toBe(true);
  });

  it('says what a tsconfig.json that is there must include', async () => {
    const project = await mkdtemp(join(folder, 'typed-'));
    const init = ['init', '--yes', '--no-install', '--json'];
    const must =
      'tsconfig.json is kept: its include must cover strategies and test, or nothing checks their types';
    await writeFile(join(project, 'tsconfig.json'), '{ "include": ["src"] }\n');
    expect((await tickwright(init, project)).stderr).toContain(must);
    await rm(join(project, 'tsconfig.json'));
    expect((await tickwright(init, project)).stderr).toBe('');
    expect((await tickwright(init, project)).stderr).toBe('');
  });

  it('leaves a project to its own package manager', async () => {
    const project = await mkdtemp(join(folder, 'pnpm-'));
    const pnpm = '#!/bin/sh\necho "pnpm $*" >called\n';
    await mkdir(join(project, 'bin'));
    await writeFile(join(project, 'bin', 'pnpm'), pnpm, { mode: 0o755 });
    await writeFile(join(project, 'package.json'), '{ "packageManager": "pnpm@12.21.0" }\n');
    const { code, stdout, stderr } = await start(['init', '--yes'], {
      cwd: project,
      env: { PATH: `${join(project, 'bin')}:${process.env['PATH'] ?? ''}` },
    }).ended;
    expect(code, stderr).toBe(0);
    expect(await readFile(join(project, 'called'), 'utf8')).toBe('pnpm install\n');
    expect(stdout).toContain('\n  pnpm test\n  pnpm exec tickwright backtest ');
    const texts = ['README.md', 'tickwright.yaml'].map((file) => readFile(join(project, file), 'utf8'));
    const [readme, config] = await Promise.all(texts);
    expect(readme).toMatch(/^pnpm test +# /m);
    expect(config).toContain('\n#   pnpm exec tickwright start ');
    const made = await tickwright(['new', 'my-idea'], project);
    expect(made.stdout).toContain('\n  pnpm exec vitest run test/strategies/my-idea.test.ts');
    const demo = await tickwright(['demo', '--for', '1s', '--no-dashboard'], project);
    expect(demo.stdout).toContain('\n  pnpm exec tickwright new my-idea\n');
    expect([stdout, stderr, readme, config, made.stdout, demo.stdout].join('\n')).not.toMatch(/\bnp[mx] /);
  });

  it('ends where there is no npm at all', async () => {
    const empty = await mkdtemp(join(folder, 'no-npm-'));
    const begun = performance.now();
    const { code, stderr } = await start(['init', 'alone', '--yes'], { cwd: folder, env: { PATH: empty } })
      .ended;
    expect(code).toBe(1);
    expect(stderr).toContain('npm install could not be started');
    // The time that npm would have had is ten minutes.
    expect(performance.now() - begun).toBeLessThan(120_000);
  });
});

describe('tickwright check', () => {
  const checksOf = async (project: string, ...args: readonly string[]) => {
    const { code, stdout } = await tickwright(['check', ...args, '--json'], project);
    const { checks, effective } = JSON.parse(stdout) as {
      readonly checks: readonly { readonly name: string; readonly status: string; readonly detail: string }[];
      readonly effective?: readonly unknown[];
    };
    return { code, effective, of: (name: string) => checks.find((each) => each.name === name) };
  };

  it('finds a new project well, and what is wrong with its configuration, a strategy and a type', async () => {
    const project = join(folder, 'checked');
    await tickwright(['init', 'checked', '--yes', '--no-install']);
    const bare = await checksOf(project);
    expect(bare.code).toBe(0);
    expect(bare.of('types')).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('not installed'),
    });
    await install(project);
    const well = await checksOf(project, '--print-effective');
    expect(well.code).toBe(0);
    expect(well.of('config')).toMatchObject({ status: 'ok' });
    expect(well.of('strategy USD_BTC_PERP')).toMatchObject({ status: 'ok' });
    expect(well.of('types')).toMatchObject({ status: 'ok', detail: 'hold' });
    expect(well.effective).toEqual(
      expect.arrayContaining([
        { path: 'strategies[0].params.bars', value: '5s', origin: 'file' },
        { path: 'venue.url', value: 'http://127.0.0.1:8085', origin: 'file' },
        { path: 'poll.trades', value: '1s', origin: 'default' },
        // Of an address on this machine: what is beyond it is taken for a venue that promises nothing.
        { path: 'venue.profile', value: 'tickwright', origin: 'default' },
      ]),
    );

    const strategy = join(project, 'strategies', 'example.ts');
    const code = await readFile(strategy, 'utf8');
    await writeFile(
      strategy,
      code.replace('onBar({ close }) {', 'onBar({ close }) {\n        console.log(close);'),
    );
    expect((await checksOf(project)).of('types')).toMatchObject({ status: 'ok' });
    await writeFile(
      strategy,
      code.replace('onBar({ close }) {', 'onBar({ close }) {\n        setTimeout(() => close);'),
    );
    expect((await checksOf(project)).of('types')?.detail).toContain("Cannot find name 'setTimeout'");
    // Such an order would end the strategy: it is no market order.
    const unpriced =
      "import('tickwright').OrderRequest = { side: 'buy', quantity, price: undefined };\n        void order;";
    await writeFile(
      strategy,
      code.replace('onBar({ close }) {', `onBar({ close }) {\n        const order: ${unpriced}`),
    );
    expect((await checksOf(project)).of('types')?.detail).toContain('exactOptionalPropertyTypes');
    await writeFile(strategy, code.replace('holdPosition(quantity)', 'holdPosition(quantity.length)'));
    const untyped = await checksOf(project);
    expect(untyped.code).toBe(3);
    const line = code.split('\n').findIndex((text) => text.includes('holdPosition(quantity)')) + 1;
    expect(untyped.of('types')?.detail).toContain(`strategies/example.ts(${line},`);
    await writeFile(strategy, code.replace("bars: barInterval({ default: '1m' }),", ''));
    const unparsed = await checksOf(project);
    expect(unparsed.code).toBe(3);
    expect(unparsed.of('strategy USD_BTC_PERP')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('example.bars must be one of fast, slow, quantity'),
    });
    await writeFile(strategy, code);

    const clock = [
      "import { defineStrategy, holdPosition } from 'tickwright';",
      'export default defineStrategy({',
      "  name: 'by-clock',",
      '  create: () => ({ onTrade: () => holdPosition(Date.now() % 2) }),',
      '});',
    ].join('\n');
    await writeFile(join(project, 'strategies', 'by-clock.ts'), clock);
    await writeFile(
      join(project, 'strategies', 'helper.ts'),
      'export const half = (value: number) => value / 2;\n',
    );
    const unnamed = await checksOf(project);
    expect(unnamed.code).toBe(3);
    expect(unnamed.of('strategy strategies/by-clock.ts')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('by-clock.ts:4:48: a strategy must take the time from context.now'),
    });
    expect(unnamed.of('strategy strategies/helper.ts')).toBeUndefined();
    await rm(join(project, 'strategies', 'by-clock.ts'));

    const config = join(project, 'tickwright.yaml');
    const yaml = await readFile(config, 'utf8');
    await writeFile(config, yaml.replace('state:', 'stat:'));
    const misspelt = await checksOf(project, '--print-effective');
    expect(misspelt.code).toBe(3);
    expect(misspelt.of('config')?.detail).toMatch(
      /tickwright\.yaml:\d+:1 stat: expected one of .* \(did you mean state\?\)/,
    );
    expect(misspelt.effective).toBeUndefined();
  });

  it('looks at types alone where there is no configuration', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    const { code, of } = await checksOf(empty, '--print-effective');
    expect(code).toBe(0);
    expect(of('config')).toMatchObject({ status: 'warn' });
    expect(of('types')).toMatchObject({ status: 'ok', detail: expect.stringContaining('no tsconfig.json') });
  });
});

describe('tickwright schema', () => {
  it('says what init puts beside the configuration', async () => {
    await tickwright(['init', 'with-schema', '--yes', '--no-install']);
    const { code, stdout } = await tickwright(['schema']);
    expect(code).toBe(0);
    const file = await readFile(join(folder, 'with-schema', 'tickwright.schema.json'), 'utf8');
    expect(stdout).toBe(file);
    const config = await readFile(join(folder, 'with-schema', 'tickwright.yaml'), 'utf8');
    expect(config.split('\n')[0]).toBe('# yaml-language-server: $schema=tickwright.schema.json');
  });
});

describe('a project that is there', () => {
  it('as npm init makes it gets a test that passes, types that hold, and what bots write is ignored', async () => {
    const project = join(folder, 'npm-made');
    await mkdir(project);
    await writeFile(
      join(project, 'package.json'),
      '{\n  "name": "npm-made",\n  "type": "commonjs",\n  "scripts": {\n    "test": "echo \\"Error: no test specified\\" && exit 1"\n  }\n}\n',
    );
    await writeFile(join(project, '.gitignore'), 'node_modules/\ndist');
    const made = await tickwright(['init', '--yes', '--no-install'], project);
    expect(made).toMatchObject({ code: 0 });
    expect(made.stdout).toContain('next:\n  npm install\n  npm test\n');
    expect(made.stdout).toContain('added to   .gitignore\n');
    const ignored = (await readFile(join(project, '.gitignore'), 'utf8')).split('\n');
    expect(ignored.slice(0, 2)).toEqual(['node_modules/', 'dist']);
    expect(ignored).toEqual(expect.arrayContaining(['/var/', '/backtest/', '.env', '/secrets/']));
    expect(ignored.filter((line) => line === 'node_modules/')).toHaveLength(1);
    await install(project);
    // A strategy of streams needs RxJS, which the project has of its own.
    const streams = join(project, 'strategies', 'streams.ts');
    await copyFile(join(ROOT, 'strategies', 'sma-cross-streams.ts'), streams);
    const types = await tool(project, 'typescript/bin/tsc', '--noEmit');
    expect(types, types.stdout).toMatchObject({ code: 0, stdout: '' });
    const tests = await tool(project, 'vitest/vitest.mjs', 'run', '--reporter=json', SLOW_MACHINE);
    expect(tests, tests.stderr).toMatchObject({ code: 0 });
    const { dependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(dependencies['rxjs']).toMatch(/^\d/);
  });

  it('with a test of its own is told how to run ours', async () => {
    const project = join(folder, 'own-test');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "scripts": { "test": "node --test" } }');
    const { stdout } = await tickwright(['init', '--yes', '--no-install'], project);
    expect(stdout).toContain('next:\n  npm install\n  npx vitest run test/strategies/example.test.ts\n');
  });

  it('behind a symbolic link depends on a package that is there, and the way to it is the whole one', async () => {
    await mkdir(join(folder, 'deep', 'er', 'my bots'), { recursive: true });
    await symlink(join('deep', 'er', 'my bots'), join(folder, 'link'));
    const { stdout } = await tickwright(['init', 'link', '--yes', '--no-install']);
    expect(stdout).toContain("next:\n  cd 'deep/er/my bots'\n");
    const project = join(folder, 'deep', 'er', 'my bots');
    const { dependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const [, path = ''] = /^file:(.*)$/.exec(dependencies['tickwright'] ?? '') ?? [];
    expect(await realpath(join(project, path))).toBe(await realpath(ROOT));
  });

  it('is left as it is where a folder cannot be made, and where none is named', async () => {
    const project = join(folder, 'crossed');
    await mkdir(project);
    await writeFile(join(project, 'strategies'), 'a file');
    const { code, stderr } = await tickwright(['init', '--yes', '--no-install'], project);
    expect(code).toBe(2);
    expect(stderr).toContain('crossed/strategies must be a folder or not there yet, received a file');
    expect(await readdir(project)).toEqual(['strategies']);
    const unnamed = await tickwright(['init', '', '--yes', '--no-install']);
    expect(unnamed.code).toBe(2);
    expect(unnamed.stderr).toContain('received no name');
  });
});

describe('tickwright new', () => {
  it('refuses a name that no strategy can have, one that is taken, and a folder that is no project', async () => {
    const project = join(folder, 'names');
    await mkdir(project);
    const outside = await tickwright(['new', 'idea'], project);
    expect(outside).toMatchObject({ code: 2, stdout: '' });
    expect(outside.stderr).toContain('there is no package.json here, so this is no project');
    await writeFile(join(project, 'package.json'), '{}');
    const named = await tickwright(['new', '../Idea'], project);
    expect(named.code).toBe(2);
    expect(named.stderr).toContain(
      'a strategy\'s name must be lower-case words joined by hyphens, like my-cross, 64 characters at most, received "../Idea"',
    );
    expect(await readdir(project)).toEqual(['package.json']);
    expect((await tickwright(['new', 'idea'], project)).code).toBe(0);
    const before = await textsIn(project);
    const again = await tickwright(['new', 'idea'], project);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(
      'strategies/idea.ts is there already: a new strategy must have a name of its own',
    );
    expect(await textsIn(project)).toEqual(before);
  });
});
