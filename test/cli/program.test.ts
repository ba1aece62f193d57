import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';

/** Runs a command line that must fail before any action, and returns what a person would read. */
function refusal(...args: string[]): { readonly text: string; readonly isUsage: boolean } {
  let text = '';
  const program = createProgram(() => undefined);
  const silence = (command: typeof program) => {
    command.configureOutput({
      writeErr: (part) => {
        text += part;
      },
      writeOut: () => undefined,
    });
    for (const child of command.commands) silence(child as typeof program);
  };
  silence(program);
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    return { text, isUsage: error instanceof CommanderError && error.exitCode !== 0 };
  }
  throw new Error(`expected a refusal of ${args.join(' ')}`);
}

describe('the command line', () => {
  it.each([
    [['rnu', 'x.ts'], 'Did you mean run?'],
    [['run', 'x.ts', '--liev'], 'Did you mean --live?'],
    [['backtest', 'x.ts', '--dta', 'd'], 'Did you mean --data?'],
    [['data', 'chek'], 'Did you mean check?'],
    [['backtest'], "missing required argument 'strategy'"],
    [['record'], "missing required argument 'pair'"],
    [['parity'], "missing required argument 'session'"],
    [['data', 'import', 'x.csv'], "required option '--pair <pair>' not specified"],
    [['demo', '--for', '20'], 'It must be a duration like 500ms, 30s, 5m or 2h.'],
    [['demo', '--for', '10ms'], 'It must be at least 1000ms.'],
    [['venue', '--port', '99999'], 'It must be a whole number from 0 to 65535.'],
    [['venue', '--tape', 'a', '--synthetic', '1'], 'cannot be used with option'],
    [['orders', '--state', 'dead'], 'Allowed choices are active, completed, canceled, filled, partial, all.'],
    [['backtest', 'x.ts', '--fill', 'magic'], 'Allowed choices are queue, through, touch, all.'],
    [['run', '--set', 'a', 'x.ts'], 'It must be name=value'],
    [['trades', 'extra'], 'too many arguments'],
  ])('answers %j with %j and exit code 2', (args, said) => {
    const { text, isUsage } = refusal(...args);
    expect(text).toContain(said);
    expect(isUsage).toBe(true);
  });

  it('has every command and fixed flag that this version promises', () => {
    const flags: Readonly<Record<string, string>> = {
      demo: '--for --speed --tape --seed --json --strategy --no-dashboard',
      venue: '--port --tape --synthetic --pair --speed --account --deposit --seed --max-limit --rate-limit',
      run: '--venue --pair --live --for --set --config --journal --json',
      record: '--venue --out --for --json',
      'data ls': '--json',
      'data check': '--json',
      'data import': '--pair --out --market --json',
      backtest:
        '--data --pair --from --to --set --fill --latency --slippage --capital --seed --trades --json',
      parity: '--json',
      markets: '--json',
      trades: '--pair --from --to --limit --json',
      time: '--json',
      orders: '--state --pair --from --to --limit --json',
      positions: '--pair --json',
      help: '',
    };
    const program = createProgram(() => undefined);
    for (const [path, expected] of Object.entries(flags)) {
      let command: { commands: readonly unknown[]; options: readonly { long?: string }[] } | undefined =
        program;
      for (const word of path.split(' ')) {
        const children: readonly (typeof program)[] = command?.commands as readonly (typeof program)[];
        command = children.find((child) => child.name() === word);
      }
      const known = command?.options.map(({ long }) => long) ?? [];
      expect(known, path).toEqual(expect.arrayContaining(expected.split(' ').filter(Boolean)));
    }
  });
});
