/** The commands about recordings: recording a market, and listing, checking, importing and exporting recordings. */
import { Argument, type Command, Option } from '@commander-js/extra-typings';
import { MARK_FRESH_MS, MOST_TICKER_MS } from '../model/ticker.js';
import type { ExitCode } from './exit-code.js';
import { durationFrom, FASTEST_POLL_MS, wholeNumber } from './option-values.js';
import { type Add, CONFIG_OPTION, recordedOptions } from './shared-options.js';

const MARK_AGES = `a mark that is older than ${MARK_FRESH_MS / 1_000}s counts no more`;

export function addRecord(command: Add, end: (code: ExitCode) => void): void {
  command('record', 'record markets: trades, market facts, tickers, funding')
    .argument('<pair...>', 'markets to record')
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option('--out <dir>', 'folder of recordings', 'data')
    .option('--for <duration>', 'stop after this long; default: until Ctrl-C', durationFrom(1_000))
    .option(
      '--poll <duration>',
      "how often trades are polled; default: the configuration's, else 1s",
      durationFrom(FASTEST_POLL_MS),
    )
    .addOption(
      new Option(
        '--ticker <duration>',
        `how often best prices, mark, index and funding rate are read; at most ${MOST_TICKER_MS / 1_000}s, as ${MARK_AGES}`,
      )
        .argParser(
          durationFrom(FASTEST_POLL_MS, {
            ms: MOST_TICKER_MS,
            why: `${MARK_AGES}, and then the last print does`,
          }),
        )
        .default(2_000, '2s'),
    )
    .option('--depth <levels>', 'record the book as often, this many levels a side', wholeNumber(0, 1_000), 0)
    .option(...CONFIG_OPTION)
    .option('--json', 'print the result as one JSON document')
    .action(async (pairs, options) =>
      end(await (await import('./commands/record.js')).record(pairs, options)),
    );
}

export function addDataCommands(data: Command, end: (code: ExitCode) => void): void {
  data
    .command('ls')
    .alias('list')
    .description('list recordings')
    .addArgument(new Argument('[dir]', 'folder of recordings').default('data'))
    .option('--json', 'print one JSON document')
    .action(async (dir, options) =>
      end(await (await import('./commands/data-list.js')).dataList(dir, options)),
    );
  data
    .command('check')
    .description('certify a recording: order, duplicates, gaps, hash')
    .addArgument(new Argument('[dir]', 'folder of recordings').default('data'))
    .option('--pair <pair>', 'market; default: all that are recorded')
    .option('--json', 'print one JSON document')
    .action(async (dir, options) =>
      end(await (await import('./commands/data-check.js')).dataCheck(dir, options)),
    );
  data
    .command('import')
    .description('read trades or bars from a file into a recording')
    .argument('<file>', 'csv or ndjson, plain or gzip; bars have columns open, high, low, close')
    .requiredOption('--pair <pair>', 'market that the trades are of')
    .option('--out <dir>', 'folder of recordings', 'data')
    .option('--market <file|url>', 'facts of the market; default: the built-in catalogue, else inferred')
    .addOption(
      new Option('--volume <unit>', 'of bars: what the column volume counts; default: base').choices([
        'base',
        'quote',
      ] as const),
    )
    .option('--json', 'print one JSON document')
    .action(async (file, options) =>
      end(await (await import('./commands/data-import.js')).dataImport(file, options)),
    );
  recordedOptions(
    data
      .command('export')
      .description('write a recording as CSV, NDJSON or Parquet')
      .addArgument(new Argument('[dir]', 'folder of recordings').default('data'))
      .addOption(
        new Option('--format <format>', 'what to write')
          .choices(['csv', 'ndjson', 'parquet'] as const)
          .makeOptionMandatory(),
      ),
  )
    .option('--out <file>', 'where to; default for text: stdout; a name that ends in .gz is packed')
    .option('--json', 'print one JSON document about it; needs --out')
    .action(async (dir, options) =>
      end(await (await import('./commands/data-export.js')).dataExport(dir, options)),
    );
}
