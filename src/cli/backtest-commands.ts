/** The commands that execute a strategy over recorded data: a market, a saved run, or a live session. */
import { Option } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import { setting, wholeNumber } from './option-values.js';
import {
  type Add,
  CAPITAL_OPTION,
  CONFIG_OPTION,
  DATA_OPTION,
  frictionOptions,
  recordedOptions,
} from './shared-options.js';

export function addBacktest(command: Add, end: (code: ExitCode) => void): void {
  frictionOptions(
    recordedOptions(
      command('backtest', 'run a strategy, or several, over recorded trades')
        .argument(
          '[strategy...]',
          "strategy file, or the name of one that ships; several run over one pass, each by itself; without any, the configuration's run on one account",
        )
        .option(...DATA_OPTION),
    )
      .option('--set <name=value...>', 'parameters of the strategy', setting)
      .addOption(
        new Option('--fill <model>', 'what fills our orders; all: an interval over the three models')
          .choices(['through', 'queue', 'touch', 'all'] as const)
          .default('all' as const),
      ),
  )
    .option(
      '--poll <duration|capture>',
      'what the strategy would have seen, polling so often or when a captured session did; default: 0, as it happened',
    )
    .option(...CAPITAL_OPTION)
    .option('--seed <n>', "seed of the strategy's random numbers", wholeNumber(0, 2 ** 32), 1)
    .option('--trades <file>', 'write the fills of the headline model as CSV')
    .option('--round-trips <file>', 'write the round trips as CSV; docs/result.md has its columns')
    .option('--report <file>', 'write a report: one HTML file that needs nothing else')
    .option(
      '--fail-if <condition>',
      'exit with 3 when it holds, e.g. "maxDrawdown < -20% || sharpe < 1"; n/a counts as failed',
    )
    .option('--no-save', 'do not keep the run in backtest/runs; that it was tried is counted all the same')
    .option('--open-holdout', 'look at what optimize --keep-sealed has sealed, once and for all')
    .option(...CONFIG_OPTION)
    .option('--json', 'print the result as one JSON document; docs/result.md has its keys')
    .action(async (strategies, options) =>
      end(await (await import('./commands/backtest.js')).backtest(strategies, options)),
    );
}

/** Adds the commands about saved runs, and the one that proves that a strategy does not look ahead. */
export function addRuns(command: Add, end: (code: ExitCode) => void): void {
  command('verify', 'execute a saved backtest again and compare the bytes of its result')
    .argument('<run>', 'its id, the beginning of it, or its folder')
    .option('--json', 'print one JSON document')
    .action(async (run, options) => end(await (await import('./commands/verify.js')).verify(run, options)));

  command('compare', 'two saved backtests side by side')
    .argument('<run>', 'id, the beginning of it, or folder')
    .argument('<other>', 'of the other one')
    .option('--json', 'print one JSON document')
    .action(async (run, other, options) =>
      end(await (await import('./commands/compare.js')).compare(run, other, options)),
    );

  recordedOptions(
    command(
      'lookahead',
      'prove that a strategy does not see the future: cut the recording, compare its answers',
    )
      .argument('<strategy>', 'strategy file, or the name of one that ships')
      .option(...DATA_OPTION)
      .option(
        '--cuts <n>',
        'points at which the recording is cut, drawn by the seed',
        wholeNumber(1, 10_000),
        20,
      ),
  )
    .option('--set <name=value...>', 'parameters of the strategy', setting)
    .option('--seed <n>', 'seed of the cuts, and of the strategy', wholeNumber(0, 2 ** 32), 1)
    .option(...CONFIG_OPTION)
    .option('--json', 'print the result as one JSON document')
    .action(async (strategy, options) =>
      end(await (await import('./commands/lookahead.js')).lookahead(strategy, options)),
    );
}

export function addReplays(command: Add, end: (code: ExitCode) => void): void {
  command('replay', 'execute a recorded live session again, as a whole, and compare all it did')
    .argument('<session>', 'its folder, below capture in what run --journal was given')
    .option('--until <event>', 'stop there, and show where the session stood', wholeNumber(1, 2 ** 48))
    .option('--set <name=value...>', 'other parameters of the strategy, with --diff', setting)
    .option('--diff', 'what it would have ordered with --set, on what it saw and what was filled')
    .option('--json', 'print the result as one JSON document')
    .action(async (session, options) =>
      end(await (await import('./commands/replay.js')).replay(session, options)),
    );

  command('parity', 'recompute the decisions of a recorded session and compare')
    .argument(
      '<session>',
      'file that a session captured its inputs into, or folder of a recorded live session',
    )
    .option('--json', 'print the result as one JSON document')
    .action(async (session, options) =>
      end(await (await import('./commands/parity.js')).parity(session, options)),
    );
}
