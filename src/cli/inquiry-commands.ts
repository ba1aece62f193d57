/** The commands that show how a strategy behaves under faults, and why a bot did something, or did nothing. */
import type { ExitCode } from './exit-code.js';
import { setting, wholeNumber } from './option-values.js';
import { type Add, CONFIG_OPTION } from './shared-options.js';

/** One run for each set of faults. */
const SEEDS = 8;
const MOST_SEEDS = 1_000;

export function addCertify(command: Add, end: (code: ExitCode) => void): void {
  command('certify', 'a strategy through market scenarios with faults; start --live wants its certificate')
    .argument('<strategy>', 'strategy file, or the name of one that ships')
    .option(
      '--seeds <n>',
      'paths of each scenario, each with faults of its own; a certificate takes 8',
      wholeNumber(1, MOST_SEEDS),
      SEEDS,
    )
    .option(...CONFIG_OPTION)
    .option('--set <name=value...>', 'parameters of the strategy', setting)
    .option('--pair <pair>', "market; default: the configuration's, else USD_BTC_PERP")
    .option('--scenario <name>', 'this one only')
    .option('--seed <n>', 'this one only', wholeNumber(1, MOST_SEEDS))
    .option('--json', 'print the result as one JSON document')
    .action(async (strategy, options) =>
      end(await (await import('./commands/certify.js')).certify(strategy, options)),
    );
}

export function addWhy(command: Add, end: (code: ExitCode) => void): void {
  const journal = 'folder that run --journal was given; default: those of the configuration';
  command('why', 'the story of an order, from what the strategy saw to its end; or why something was refused')
    .argument(
      '[order]',
      "its intent, the venue's id of it, or #number of a refusal; default: the newest order",
    )
    .option('--last', 'the newest order')
    .option('--refusals', 'what was refused, each in one line')
    .option(...CONFIG_OPTION)
    .option('--journal <dir>', journal)
    .option('--json', 'print one JSON document')
    .action(async (order, options) => end(await (await import('./commands/why.js')).why(order, options)));
  command('why-not', 'why there was no order at a moment: the first gate that said no, with its numbers')
    .argument('<pair>', 'market')
    .option('--at <time>', '14:02 (today, UTC), 2024-08-08T23:54:16Z or epoch ms; default: now')
    .option(...CONFIG_OPTION)
    .option('--journal <dir>', journal)
    .option('--json', 'print one JSON document')
    .action(async (pair, options) =>
      end(await (await import('./commands/why-not.js')).whyNot(pair, options)),
    );
}
