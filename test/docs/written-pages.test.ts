import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { readPage } from './page.js';

/** Written by hand: what they name must be there. */
const PAGES = [
  'README.md',
  ...[
    'guide',
    'strategies',
    'configuration',
    'backtest',
    'search',
    'data',
    'result',
    'operations',
    'venue',
  ].map((name) => `docs/${name}.md`),
];

/** A command of the program, as far as it can be asked about its own line. */
interface Parser {
  readonly commands: readonly Parser[];
  readonly options: readonly { readonly long?: string | undefined; readonly mandatory: boolean }[];
  readonly registeredArguments: readonly { readonly required: boolean; readonly variadic: boolean }[];
  name(): string;
  exitOverride(): unknown;
  parseOptions(args: string[]): { readonly operands: readonly string[]; readonly unknown: readonly string[] };
}

/** The command that the words begin with, and the rest of them. */
function commandOf(
  words: readonly string[],
): { readonly command: Parser; readonly rest: string[] } | undefined {
  let command: Parser = createProgram(() => undefined);
  let used = 0;
  for (const word of words) {
    const next: Parser | undefined = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
    used++;
  }
  return used === 0 ? undefined : { command, rest: words.slice(used) };
}

/** The commands of the program that a page has, in blocks and in the prose, without comments. */
function commandsOf(path: string): readonly string[] {
  const { shellBlocks, inline } = readPage(path);
  const lines = shellBlocks.flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n'));
  return [...lines, ...inline].flatMap(
    (line) => /^(?:npx )?tickwright (\w[^#>&]*)/.exec(line)?.[1]?.trim() ?? [],
  );
}

/** Made once: a program knows all its flags. */
const FLAGS = new Set([...flagsOf(createProgram(() => undefined)), '--help']);

function flagsOf(command: Parser): readonly string[] {
  return [...command.options.flatMap(({ long }) => long ?? []), ...command.commands.flatMap(flagsOf)];
}

const SCRIPTS = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
);

describe.each(PAGES)('%s', (path) => {
  it.each([...new Set(commandsOf(path))])('tickwright %s is a command that takes these words', (line) => {
    const found = commandOf(line.split(/\s+/));
    if (found === undefined) throw new Error(`there is no command ${line}`);
    const { command, rest } = found;
    command.exitOverride();
    const { operands, unknown } = command.parseOptions(rest);
    expect(unknown).toEqual([]);
    const needed = command.registeredArguments;
    if (!needed.some(({ variadic }) => variadic)) expect(operands.length).toBeLessThanOrEqual(needed.length);
    // A bare name in the prose stands for the command itself.
    if (rest.length === 0) return;
    expect(operands.length).toBeGreaterThanOrEqual(needed.filter(({ required }) => required).length);
    const missing = command.options.filter(({ long, mandatory }) => mandatory && !rest.includes(long ?? ''));
    expect(missing).toEqual([]);
  });

  it('names only flags, scripts and files that exist', () => {
    const { text, inline } = readPage(path);
    for (const code of inline) {
      const flag = /^--[a-z-]+/.exec(code)?.[0];
      if (flag !== undefined) expect([...FLAGS]).toContain(flag);
      if (/^(?:src|strategies|config|test|docs)\/\S*$/.test(code)) expect(existsSync(code), code).toBe(true);
    }
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(join(dirname(path), target as string)), target).toBe(true);
    }
    for (const [, script] of text.matchAll(/\bnpm run (\w+)/g)) expect(SCRIPTS).toContain(script);
  });
});

it('the README shows most of what the program does', () => {
  const names = commandsOf('README.md').map((line) => line.split(' ')[0]);
  expect(new Set(names).size).toBeGreaterThanOrEqual(14);
});

it('what the README links to is in the package, where the README is, too', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] };
  const folders = files.map((each) => each.replace(/\*.*$/, ''));
  const targets = [...readPage('README.md').text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
    ([, target = '']) => target,
  );
  expect(targets.filter((target) => !folders.some((each) => target.startsWith(each)))).toEqual([]);
});
