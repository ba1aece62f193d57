import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { completionTable, everyCommand, type CommandEntry } from '../../../src/cli/completion/table.js';
import { createProgram } from '../../../src/cli/program.js';
import { nastyProgram } from './nasty-program.js';

const program = createProgram(() => undefined);
const table = completionTable(program);

function pathsOf(command: CommandUnknownOpts, path: readonly string[] = []): readonly string[] {
  return command.commands.flatMap((child) => {
    const own = [...path, child.name()];
    return [own.join(' '), ...pathsOf(child, own)];
  });
}

function at(path: string): CommandEntry {
  const found = everyCommand(table.root).find((command) => command.path.join(' ') === path);
  if (found === undefined) throw new Error(`there must be a command ${path}`);
  return found;
}

const kindOf = (path: string, flag: string) =>
  at(path).options.find(({ flags }) => flags.includes(flag))?.value;

describe('what can be completed', () => {
  it('is every command of the program', () => {
    expect(everyCommand(table.root).map(({ path }) => path.join(' '))).toEqual(['', ...pathsOf(program)]);
    expect(at('data ls').names).toEqual(['ls', 'list']);
  });

  it('is every option that help shows, -h and --help among them', () => {
    expect(at('').options.map(({ flags }) => flags)).toEqual([
      ['-V', '--version'],
      ['-h', '--help'],
    ]);
    expect(at('journal tail').options.map(({ flags }) => flags)).toEqual([
      ['-n', '--lines'],
      ['--json'],
      ['-h', '--help'],
    ]);
  });

  it.each([
    ['run', '--fill', { kind: 'words', words: ['through', 'queue', 'touch'] }],
    ['run', '--config', { kind: 'file' }],
    ['run', '--journal', { kind: 'folder' }],
    ['run', '--for', { kind: 'text' }],
    ['run', '--set', { kind: 'text' }],
    ['demo', '--strategy', { kind: 'strategy' }],
    ['order', '--profile', { kind: 'file' }],
    ['backtest', '--data', { kind: 'file' }],
    ['backtest', '--poll', { kind: 'file' }],
  ])('of %s %s the value is %j', (path, flag, value) => {
    expect(kindOf(path, flag)).toMatchObject(value);
  });

  it.each([
    ['run', ['strategy']],
    ['help', ['topic']],
    ['completion', ['words']],
    ['journal explain', ['folder', 'text']],
    ['data import', ['file']],
    ['request', ['words', 'text', 'text']],
    ['replay', ['file']],
  ])('the arguments of %s are %j', (path, kinds) => {
    expect(at(path).arguments.map(({ value }) => value.kind)).toEqual(kinds);
  });

  it('tells a flag from an option, and one that may be given again', () => {
    expect(kindOf('run', '--live')).toBeUndefined();
    const again = (path: string) =>
      at(path)
        .options.filter(({ repeats }) => repeats)
        .map(({ flags }) => flags[0]);
    expect(again('venue')).toEqual(['--tape', '--pair', '--account', '--deposit']);
    expect(again('run')).toEqual(['--set', '--capital']);
  });

  it('leaves out what is hidden, and has descriptions of one line', () => {
    const { root } = completionTable(nastyProgram());
    expect(root.commands.map(({ names }) => names)).toEqual([['one', 'uno'], ['group']]);
    expect(root.commands[0]?.options.map(({ flags }) => flags.at(-1))).toEqual([
      '--each',
      '--plain',
      '--help',
    ]);
    for (const { description, options } of everyCommand(root)) {
      for (const text of [description, ...options.map((option) => option.description)]) {
        expect(text).not.toMatch(/\n/);
      }
    }
  });
});
