/** The command that searches parameters. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import { setting, type Settings, wholeNumber } from './option-values.js';
import {
  type Add,
  CAPITAL_OPTION,
  CONFIG_OPTION,
  DATA_OPTION,
  frictionOptions,
  recordedOptions,
} from './shared-options.js';

const MOST_TRIALS = 100_000;
const MOST_FOLDS = 100;
const MOST_THREADS = 256;
const BUDGET = 100;

export function addOptimize(command: Add, end: (code: ExitCode) => void): void {
  frictionOptions(
    recordedOptions(
      command(
        'optimize',
        'search parameters of a strategy; every trial is counted, and the best is kept as a run',
      )
        .argument('<strategy>', 'strategy file, or the name of one that ships')
        .option(
          '--space <name=values...>',
          'what to choose: fast=5..50, fast=5..50:5 or bars=1m,5m,15m; all others stay as they are',
          dimension,
        )
        .option('--set <name=value...>', 'parameters that stay as they are', setting)
        .option(...DATA_OPTION)
        .addOption(
          new Option(
            '--method <name>',
            'grid: all of them; sobol: evenly spread; tpe: near what was good; default: grid where the budget is enough, else tpe',
          ).choices(['grid', 'sobol', 'tpe'] as const),
        )
        .option('--budget <n>', 'trials of a search, at most', wholeNumber(1, MOST_TRIALS), BUDGET)
        .addOption(
          new Option(
            '--objective <name>',
            'what is to be as high as can be; default: sharpe, or pnl where a stretch has fewer than 30 days',
          ).choices(['sharpe', 'pnl', 'calmar'] as const),
        )
        .option(
          '--walk-forward <n>',
          'choose n times more, each time on what came before, and try it on what came next',
          wholeNumber(0, MOST_FOLDS),
          0,
        )
        .option('--holdout <percent>', 'the last part of the recording, like 20%: no trial sees it', share)
        .option('--keep-sealed', 'do not look at the holdout; default: the best is run on it, once')
        .option(
          '--open-holdout',
          'look at what --keep-sealed has sealed for other searches, once and for all',
        )
        .option(
          '--workers <n>',
          'threads; default: as many as processors (tpe has work for 8)',
          wholeNumber(1, MOST_THREADS),
        ),
    ).addOption(
      new Option('--fill <model>', 'what fills the orders of trials')
        .choices(['through', 'queue', 'touch'] as const)
        .default('queue' as const),
    ),
  )
    .option(...CAPITAL_OPTION)
    .option(
      '--seed <n>',
      "seed of what is proposed, and of the strategy's random numbers",
      wholeNumber(0, 2 ** 32),
      1,
    )
    .option('--trials <file>', 'write the trials as CSV, the best first')
    .option('--report <file>', 'write a report of the best: one HTML file that needs nothing else')
    .option(...CONFIG_OPTION)
    .option('--json', 'print the result as one JSON document; docs/search.md has its keys')
    .action(async (strategy, options) =>
      end(await (await import('./commands/optimize.js')).optimize(strategy, options)),
    );
}

/** Collects options `--space name=values`. */
function dimension(text: string, before: Settings | undefined): Settings {
  const name = /^[A-Za-z_][A-Za-z0-9_]*(?==)/.exec(text)?.[0];
  if (name === undefined) {
    throw new InvalidArgumentError(
      'It must be name=values; other arguments go before --space, or after the next option.',
    );
  }
  if (before !== undefined && Object.hasOwn(before, name)) {
    throw new InvalidArgumentError(`It must have each parameter once, received ${name} twice.`);
  }
  return setting(text, before);
}

/** Parses a share like `20%` or `20` into a fraction. */
function share(text: string): number {
  const percent = /^\d{1,2}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (!(percent > 0 && percent < 100)) {
    throw new InvalidArgumentError('It must be a part of the recording above 0% and below 100%, like 20%.');
  }
  if (percent < 1 && !text.endsWith('%')) {
    throw new InvalidArgumentError(
      'It must be in percent: 20% is a fifth; write the sign where it is below 1.',
    );
  }
  return percent / 100;
}
