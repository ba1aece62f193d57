/** The commands that read public data of a venue. */
import { type Command, Option } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import { wholeNumber } from './option-values.js';
import { rangeOptions, venueOptions } from './shared-options.js';

const MOST_LEVELS = 1_000;
const ONE_PAIR = "market; default: the configuration's, else the venue's only one";

/** Adds them with `command`; `end` is called with the exit code of the command that ran. */
export function addPublicReads(
  command: (name: string, description: string) => Command,
  end: (code: ExitCode) => void,
): void {
  venueOptions(
    command('markets', 'markets of a venue and their rules').option('--pair <pair>', 'only this one'),
  ).action(async (options) => end(await (await import('./commands/markets.js')).markets(options)));

  venueOptions(command('assets', 'assets of a venue: precision, withdrawals, fees')).action(async (options) =>
    end(await (await import('./commands/assets.js')).assets(options)),
  );

  venueOptions(
    command('ticker', 'prices now: last, best, mark, index, funding').option('--pair <pair>', 'default: all'),
  ).action(async (options) => end(await (await import('./commands/ticker.js')).ticker(options)));

  venueOptions(
    command('depth', 'the order book as it is shown')
      .option('--pair <pair>', ONE_PAIR)
      .option('--limit <n>', 'levels on each side', wholeNumber(1, MOST_LEVELS), 10),
  ).action(async (options) => end(await (await import('./commands/depth.js')).depth(options)));

  venueOptions(
    rangeOptions(
      command('trades', 'latest public trades of a market').option('--pair <pair>', ONE_PAIR),
      '20',
    ),
  ).action(async (options) => end(await (await import('./commands/trades.js')).trades(options)));

  venueOptions(
    rangeOptions(
      command('candles', 'open, high, low, close')
        .option('--pair <pair>', ONE_PAIR)
        .addOption(
          new Option('--interval <interval>', "length of each; default: the venue's, 5m").choices([
            '1m',
            '3m',
            '5m',
            '15m',
            '1h',
            '4h',
            '24h',
          ] as const),
        ),
      '20',
    ),
  ).action(async (options) => end(await (await import('./commands/candles.js')).candles(options)));

  venueOptions(command('time', "the venue's clock")).action(async (options) =>
    end(await (await import('./commands/time.js')).time(options)),
  );
}
