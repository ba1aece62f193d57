import { describe, expect, it } from 'vitest';
import { bashCompletion } from '../../../src/cli/completion/bash.js';
import { fishCompletion } from '../../../src/cli/completion/fish.js';
import { fishQuoted, quoted } from '../../../src/cli/completion/quoted.js';
import { type CommandEntry, completionTable, everyCommand } from '../../../src/cli/completion/table.js';
import { zshCompletion } from '../../../src/cli/completion/zsh.js';
import { createProgram } from '../../../src/cli/program.js';
import { nastyProgram } from './nasty-program.js';

const STRATEGIES = ['market-maker', 'sma-cross'];
const table = completionTable(
  createProgram(() => undefined),
  STRATEGIES,
);
const commands = everyCommand(table.root);
const longFlags = ({ options }: CommandEntry) => options.map(({ flags }) => flags.at(-1) as string);

/** From the first line that is this one to the next line that is `end`. */
function block(script: string, begin: string, end: string): string {
  const lines = script.split('\n');
  const from = lines.indexOf(begin);
  if (from < 0) throw new Error(`there must be a line ${begin}`);
  return lines.slice(from, lines.indexOf(end, from)).join('\n');
}

describe('each script has every command with every option', () => {
  it('for bash', () => {
    const script = bashCompletion(table);
    for (const command of commands) {
      const path = command.path.join(' ');
      const label = path === 'data ls' ? "'data ls' | 'data list'" : quoted(path);
      const part = block(script, `    ${label})`, '      ;;');
      const [, options = ''] = /options=\((.*)\)/.exec(part) ?? [];
      expect(options.split(' '), path).toEqual(command.options.flatMap(({ flags }) => flags));
      const [, below = ''] = /commands=\((.*)\)/.exec(part) ?? [];
      expect(below.split(' ').filter(Boolean)).toEqual(command.commands.flatMap(({ names }) => names));
    }
    expect(script).toContain('_tickwright_strategies=(market-maker sma-cross)');
  });

  it('for zsh', () => {
    const script = zshCompletion(table);
    for (const command of commands) {
      const name = ['_tickwright', ...command.path].join('_');
      const part = block(script, `${name}() {`, '}');
      for (const flag of longFlags(command)) expect(part, name).toMatch(new RegExp(`${flag}=?\\[`));
      if (command.commands.length === 0) continue;
      const list = block(script, `_${name}_commands() {`, '}');
      for (const { names } of command.commands) {
        for (const each of names) expect(list).toContain(`    '${each}:`);
      }
    }
    expect(script).toContain('strategies=(market-maker sma-cross)');
  });

  it('for fish', () => {
    const lines = fishCompletion(table).split('\n');
    for (const command of commands) {
      const at = `-n ${fishQuoted(`__tickwright_at ${fishQuoted(command.path.join(' '))}`)} `;
      const own = lines.filter((line) => line.includes(at));
      for (const flag of longFlags(command)) {
        expect(own.filter((line) => line.includes(` -l ${flag.slice(2)} `))).toHaveLength(1);
      }
      const first = fishQuoted(`__tickwright_at ${fishQuoted(command.path.join(' '))} 0`).slice(0, -1);
      for (const { names } of command.commands) {
        for (const each of names) {
          expect(lines.some((line) => line.includes(first) && line.includes(` -a ${each} `))).toBe(true);
        }
      }
    }
    expect(lines.some((line) => line.includes("-F -a 'market-maker sma-cross'"))).toBe(true);
  });
});

describe('what a shell would do something with is escaped', () => {
  const nasty = completionTable(nastyProgram(), ["we'ird", '$(touch x)']);

  it('in words', () => {
    expect(['', 'a-b', "it's", 'a\\b', '$x'].map(quoted)).toEqual([
      "''",
      'a-b',
      "'it'\\''s'",
      "'a\\b'",
      "'$x'",
    ]);
    expect(['', 'a-b', "it's", 'a\\b', '$x'].map(fishQuoted)).toEqual([
      "''",
      'a-b',
      "'it\\'s'",
      "'a\\\\b'",
      "'$x'",
    ]);
  });

  it('for bash', () => {
    const script = bashCompletion(nasty);
    expect(script).toContain("words=('a'\\''b' '$HOME' 'c d' '[x]')");
    expect(script).toContain("words=('p q' '$(touch x)' 'a:b')");
    expect(script).toContain("_tickwright_strategies=('we'\\''ird' '$(touch x)')");
    expect(script).toContain("    'group below' | 'group under')");
  });

  it('for zsh', () => {
    const script = zshCompletion(nasty);
    const about = "it'\\''s \"a\" `touch x` $(touch x) $HOME";
    expect(script).toContain(`    'one:${about} [a]b: \\\\n 100% {1,2} *'`);
    expect(script).toContain(`    '--plain[${about} \\[a\\]b\\: \\\\n 100% {1,2} *]'`);
    expect(script).toContain(':a\\:b:(p\\ q \\$\\(touch\\ x\\) a\\:b)');
  });

  it('for fish', () => {
    const script = fishCompletion(nasty);
    const about = 'it\\\'s "a" `touch x` $(touch x) $HOME [a]b: \\\\n 100% {1,2} *';
    expect(script).toContain(` -l plain -d '${about}'`);
    expect(script).toContain("-f -a '\\'p q\\' \\'$(touch x)\\' \\'a:b\\''");
  });
});
