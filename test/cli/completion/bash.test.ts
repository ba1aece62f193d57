import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bashCompletion } from '../../../src/cli/completion/bash.js';
import { completionTable, everyCommand } from '../../../src/cli/completion/table.js';
import { createProgram } from '../../../src/cli/program.js';
import { missingTools } from '../../support/tools.js';
import { nastyProgram } from './nasty-program.js';

const without = missingTools('bash');
const STRATEGIES = ['market-maker', 'sma-cross'];
const table = completionTable(
  createProgram(() => undefined),
  STRATEGIES,
);

describe.skipIf(without !== undefined)(`a TAB in bash${without === undefined ? '' : ` (${without})`}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-completion-'));
    mkdirSync(join(folder, 'here', 'recordings'), { recursive: true });
    for (const name of ['bot.yaml', 'my file.ts', 'a=b.csv']) writeFileSync(join(folder, 'here', name), '');
    writeFileSync(join(folder, 'tickwright.bash'), bashCompletion(table));
    writeFileSync(
      join(folder, 'nasty.bash'),
      bashCompletion(completionTable(nastyProgram(), ['$(touch x)'])),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What is offered at the end of the line, which bash `cuts` at = and : unless told otherwise. */
  function offered(line: string, { cuts = true, script = 'tickwright.bash' } = {}): readonly string[] {
    const words: string[] = line.match(cuts ? /[=:]+|[^\s=:]+/g : /\S+/g) ?? [];
    if (line.endsWith(' ')) words.push('');
    const stdout = execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        `source "$1" && COMP_LINE=$2 COMP_POINT=\${#2} && shift 2 && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) &&
         _tickwright && { ((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"; }`,
        'bash',
        join(folder, script),
        line,
        ...words,
      ],
      { cwd: join(folder, 'here'), encoding: 'utf8' },
    );
    return stdout.split('\n').slice(0, -1).toSorted();
  }

  const files = ['a=b.csv', 'bot.yaml', 'my file.ts', 'recordings'];

  it('offers the commands', () => {
    const names = table.root.commands.flatMap((command) => command.names);
    expect(offered('tickwright ')).toEqual(names.toSorted());
    expect(offered('tickwright wit')).toEqual(['withdraw', 'withdrawals']);
  });

  it('behind any command offers its options after a dash', () => {
    for (const { path, options } of everyCommand(table.root)) {
      const flags = options.flatMap((option) => option.flags);
      expect(offered(`${['tickwright', ...path].join(' ')} -`)).toEqual(flags.toSorted());
    }
  });

  it.each<[string, readonly string[]]>([
    ['tickwright data ', ['check', 'export', 'import', 'list', 'ls']],
    ['tickwright data list --j', ['--json']],
    ['tickwright run --fill ', ['queue', 'through', 'touch']],
    ['tickwright run --fill q', ['queue']],
    ['tickwright run --fill=', ['queue', 'through', 'touch']],
    ['tickwright run --fill=q', ['queue']],
    ['tickwright run --for ', []],
    ['tickwright run --set ', []],
    ['tickwright run --config ', files],
    ['tickwright run --config b', ['bot.yaml']],
    ['tickwright run --config=b', ['bot.yaml']],
    // readline leaves what stands before the = as it is
    ['tickwright run --config a=', ['b.csv']],
    ['tickwright run --journal ', ['recordings']],
    ['tickwright run ', [...files, ...STRATEGIES].toSorted()],
    ['tickwright run --config bot.yaml --fill queue sma', ['sma-cross']],
    ['tickwright run --fill=queue sma', ['sma-cross']],
    ['tickwright run -- sma', ['sma-cross']],
    ['tickwright run -- --fi', []],
    ['tickwright demo --strategy m', ['market-maker', 'my file.ts']],
    // a variadic option takes all up to the next option, an argument that is one after the other
    ['tickwright backtest --data here ', files],
    ['tickwright backtest --data here --fill all sma', ['sma-cross']],
    ['tickwright backtest market-maker sma', ['sma-cross']],
    ['tickwright lookahead sma-cross --cu', ['--cuts']],
    ['tickwright request ', ['GET', 'POST']],
    ['tickwright request GET ', []],
    ['tickwright journal tail -n 5 rec', ['recordings']],
    ['tickwright venue --account key:secret --fau', ['--faults']],
    ['tickwright help sma', ['sma-cross']],
    ['tickwright help jour', ['journal']],
    ['tickwright help data ex', ['export']],
    ['tickwright help run ', []],
    ['tickwright completion ', ['bash', 'fish', 'zsh']],
    // nothing else may come
    ['tickwright schema ', ['--help', '-h']],
    ['tickwright schema > b', ['bot.yaml']],
  ])('at the end of %j offers %j', (line, words) => {
    expect(offered(line)).toEqual(words);
  });

  it('gives the whole word where bash does not cut at =', () => {
    expect(offered('tickwright run --fill=q', { cuts: false })).toEqual(['--fill=queue']);
    expect(offered('tickwright run --config=b', { cuts: false })).toEqual(['--config=bot.yaml']);
  });

  it('looks no further than the cursor', () => {
    const script = `source "$1"; COMP_LINE='tickwright run --fill queue x' COMP_POINT=24
      COMP_WORDS=(tickwright run --fill queue x) COMP_CWORD=3; _tickwright; echo "\${COMPREPLY[*]}"`;
    const stdout = execFileSync('bash', ['-c', script, 'bash', join(folder, 'tickwright.bash')], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('queue\n');
  });

  it('executes nothing that stands in the table', () => {
    const script = 'nasty.bash';
    expect(offered('tickwright one ', { script })).toEqual(['$HOME', '[x]', "a'b", 'c d']);
    expect(offered('tickwright one --each ', { script })).toEqual(['$(touch x)', 'a:b', 'p q']);
    expect(offered('tickwright group under --', { script })).toEqual(['--deep', '--help']);
    expect(existsSync(join(folder, 'here', 'x'))).toBe(false);
  });
});
