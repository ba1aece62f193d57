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
    [['lookahead'], "missing required argument 'strategy'"],
    [['record'], "missing required argument 'pair'"],
    [['parity'], "missing required argument 'session'"],
    [['journal', 'tail', 'd', '-n', '0'], 'It must be a whole number from 1 to 1000000.'],
    [['journal', 'explain', 'd'], "missing required argument 'intent'"],
    [['data', 'import', 'x.csv'], "required option '--pair <pair>' not specified"],
    [['demo', '--for', '20'], 'It must be a duration like 500ms, 30s, 5m or 2h.'],
    [['run', 'x.ts', '--warm-up', '40d'], 'It must be a duration of at most 30d, like 1h or 2d.'],
    [['run', 'x.ts', '--warm-up', 'long'], 'It must be a duration of at most 30d, like 1h or 2d.'],
    [['demo', '--for', '10ms'], 'It must be at least 1000ms.'],
    [
      ['record', 'X', '--ticker', '31s'],
      'It must be at most 30s: a mark that is older than 60s counts no more, and then the last print does.',
    ],
    [['record', 'X', '--ticker', '20ms'], 'It must be at least 50ms.'],
    [['venue', '--port', '99999'], 'It must be a whole number from 0 to 65535.'],
    [['venue', '--tape', 'a', '--synthetic', '1'], 'cannot be used with option'],
    [['venue', '--synthetic', '1', '--seed', '2'], 'cannot be used with option'],
    [['orders', '--state', 'dead'], 'Allowed choices are active, completed, canceled, filled, partial, all.'],
    [['backtest', 'x.ts', '--fill', 'magic'], 'Allowed choices are through, queue, touch, all.'],
    [['run', '--set', 'a', 'x.ts'], 'It must be name=value'],
    [
      ['run', 'x.ts', '--set', 'fast=3', 'fast=4'],
      "'--set <name=value...>' argument 'fast=4' is invalid. It must name fast once, received fast=3 and fast=4.",
    ],
    [['set', 'fast=3', 'fast=4'], 'It must name fast once, received fast=3 and fast=4.'],
    [
      ['venue', '--deposit', 'USD=5', '--deposit', 'USD=7'],
      "'--deposit <asset=amount>' argument 'USD=7' is invalid. It must name USD once, received USD=5 and USD=7.",
    ],
    [['trades', 'extra'], 'too many arguments'],
    [['order', '--side', 'buy'], "required option '--pair <pair>' not specified"],
    [['order', '--pair', 'X', '--side', 'long'], 'Allowed choices are buy, sell.'],
    [['order', '--pair', 'X', '--quantity', '-1'], 'It must be a plain decimal like 0.05.'],
    [['order', '--pair', 'X', '--quantity', '1e3'], 'It must be a plain decimal like 0.05.'],
    [['order', '--pair', 'X', '--icebergs', '1'], 'It must be a whole number from 2 to 10000.'],
    [['order', '--pair', 'X', '--bulk', 'f', '--side', 'buy'], 'cannot be used with option'],
    [['fund', '0', '--pair', 'X'], 'It must be a plain decimal above 0'],
    [['draw', '5'], "required option '--pair <pair>' not specified"],
    [['leverage', 'ten', '--pair', 'X'], 'It must be a plain decimal like 0.05.'],
    [['withdraw', '--asset', 'BTC'], "required option '--quantity <q>' not specified"],
    [['withdraw', '--asset', 'BTC', '--quantity', '1', '--address', 'x'], "unknown option '--address'"],
    [['withdraw', '--asset', 'BTC', '--quantity', '1', '--yes'], "unknown option '--yes'"],
    [['request', 'PUT', '/x'], 'Allowed choices are GET, POST.'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
  ])('answers %j with %j and exit code 2', (args, said) => {
    const { text, isUsage } = refusal(...args);
    expect(text).toContain(said);
    expect(isUsage).toBe(true);
  });

  it('has every command and fixed flag that this version promises', () => {
    const flags: Readonly<Record<string, string>> = {
      demo: '--for --speed --tape --seed --json --strategy --no-dashboard',
      venue:
        '--port --tape --synthetic --pair --speed --account --deposit --seed --max-limit --rate-limit --faults --fill --admin-port',
      run: '--venue --pair --live --for --set --config --journal --json',
      record: '--venue --out --for --json',
      init: '--yes --no-install --json',
      new: '--yes --json',
      check: '--config --print-effective --json',
      schema: '',
      'data ls': '--json',
      'data check': '--json',
      'data import': '--pair --out --market --json',
      backtest:
        '--data --pair --from --to --set --fill --latency --slippage --capital --seed --trades --round-trips --report --fail-if --no-save --json',
      verify: '--json',
      compare: '--json',
      parity: '--json',
      'journal verify': '--json',
      'journal tail': '--lines --json',
      'journal explain': '--json',
      markets: '--json',
      trades: '--pair --from --to --limit --json',
      time: '--json',
      orders: '--state --pair --from --to --limit --json',
      positions: '--pair --from --to --limit --json',
      fills: '--pair --from --to --limit --json',
      triggers: '--pair --from --to --limit --json',
      deposits: '--from --to --limit --json',
      withdrawals: '--from --to --limit --json',
      balances: '--json',
      account: '--json',
      'explain-pnl': '--pair --from --to --venue --json',
      assets: '--json',
      ticker: '--pair --json',
      depth: '--pair --json',
      candles: '--pair --from --to --limit --json',
      order:
        '--pair --side --quantity --price --trigger-price --trigger-event --time-in-force --post-only --reduce-only --hidden --icebergs --close-on-trigger --oco --leverage --bulk --yes --profile --json',
      cancel: '--all --yes --profile --json',
      close: '--pair --quantity --price --yes --profile --json',
      leverage: '--pair --yes --profile --json',
      fund: '--pair --yes --profile --json',
      draw: '--pair --yes --profile --json',
      withdraw: '--asset --quantity --key-file --secret-file',
      request: '--auth --yes --json',
      help: '',
      completion: '',
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

  it('knows data ls as data list, too: the help calls it so', () => {
    const data = createProgram(() => undefined).commands.find((command) => command.name() === 'data');
    expect(data?.commands.find((command) => command.name() === 'ls')?.aliases()).toEqual(['list']);
  });

  it('lists its commands in groups', () => {
    const help = createProgram(() => undefined).helpInformation();
    const [, ...groups] = help.split(/\n(?=[A-Z][^\n]*:\n)/);
    const words = groups.map((group) => group.split('\n')[0]);
    expect(words).toEqual([
      'Options:',
      'Strategies:',
      'Simulated venue:',
      'A project of your own:',
      'Recordings:',
      "A bot's journal:",
      'Daemon:',
      'What a venue shows:',
      'Your account:',
      'Changes at the venue (they ask first; --yes in scripts):',
      'Help:',
    ]);
    expect(groups.find((group) => group.startsWith('Changes'))).toContain('withdraw');
  });
});
