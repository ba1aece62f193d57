/** The table of commands. Each action imports its command only when it runs, so that the program starts fast. */
import { Argument, Command, Option } from '@commander-js/extra-typings';
import { addAccountReads, addAccountWrites } from './account-commands.js';
import { addBacktest, addReplays, addRuns } from './backtest-commands.js';
import { addDataCommands, addRecord } from './data-commands.js';
import type { ExitCode } from './exit-code.js';
import { addDaemonCommands } from './daemon-commands.js';
import { addAttach, addJournalCommands, addResume } from './journal-commands.js';
import {
  assetAmounts,
  credentials,
  duration,
  durationFrom,
  FASTEST_POLL_MS,
  positiveNumber,
  setting,
  several,
  speed,
  warmUp,
  wholeNumber,
} from './option-values.js';
import { addCertify, addWhy } from './inquiry-commands.js';
import { addOptimize } from './optimize-command.js';
import { addPublicReads } from './public-commands.js';
import { CONFIG_OPTION } from './shared-options.js';

const DEFAULT_STRATEGY = 'market-maker';

/** @param end called with the exit code of the command that ran. */
export function createProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('tickwright');
  program
    .description('Write a trading strategy once; backtest it, trade it on paper, run it live.')
    .option('-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', EPILOGUE);

  program.commandsGroup('Strategies:');
  command('demo', 'a strategy trades on an embedded venue, over real HTTP (npm start)')
    .option('--for <duration>', 'stop after this long; default: until Ctrl-C', durationFrom(1_000))
    .option('--speed <n>', 'venue seconds per second', speed, 1)
    .option('--tape <file>', 'trades to replay instead of the synthetic market')
    .option('--seed <n>', 'seed of the synthetic market', wholeNumber(0, 2 ** 32), 1)
    .option('--strategy <file>', 'strategy file, or the name of one that ships', DEFAULT_STRATEGY)
    .option('--set <name=value...>', 'parameters of the strategy', setting)
    .option('--json', 'print the result as one JSON document')
    .option('--no-dashboard', 'serve no dashboard')
    .action(async (options) => end(await (await import('./commands/demo.js')).demo(options)));

  command('run', 'run a strategy on a venue, on paper unless told otherwise')
    .argument(
      '[strategy]',
      "strategy file, or the name of one that ships; default: the configuration's only one",
    )
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option('--pair <pair>', "market to trade; default: the configuration's, else the venue's only one")
    .option('--live', 'send orders to the venue (a simulated venue on this machine)')
    .option('--for <duration>', 'stop after this long; default: until Ctrl-C', durationFrom(1_000))
    .option('--set <name=value...>', 'parameters of the strategy', setting)
    .option(...CONFIG_OPTION)
    .option(
      '--journal <dir>',
      'live: folder of the journal and of what is recorded; on paper: of the captured inputs (./var/sessions)',
    )
    .option('--capture <file>', 'the file to capture the inputs into')
    .option('--poll <duration>', 'how often each thing is polled', durationFrom(FASTEST_POLL_MS))
    .option(
      '--warm-up <duration>',
      "history that the strategy sees first, at most 30d; default: the configuration's, else 1h",
      warmUp,
    )
    .option('--latency <duration>', 'on paper: from sending an order to its arrival; default: 50ms', duration)
    .addOption(
      new Option('--fill <model>', 'on paper: what fills our orders; default: queue').choices([
        'through',
        'queue',
        'touch',
      ] as const),
    )
    .option('--capital <asset=amount>', 'on paper: cash at the start; default: 100000', assetAmounts)
    .option('--seed <n>', "seed of the strategy's random numbers", wholeNumber(0, 2 ** 32), 1)
    .option('--json', 'print the result as one JSON document')
    .action(async (strategy, options) =>
      end(await (await import('./commands/run.js')).run(strategy, options)),
    );

  command('venue', 'the simulated venue as a server')
    .helpGroup('Simulated venue:')
    .option('--port <n>', 'port on loopback; 0 takes any that is free', wholeNumber(0, 65_535), 8_085)
    .option('--tape <file...>', 'recorded trades (csv, csv.gz, ndjson) or folders of recordings', several)
    .addOption(
      new Option('--synthetic <seed>', 'a made-up market; the default, with seed 1')
        .argParser(wholeNumber(0, 2 ** 32))
        .conflicts('tape'),
    )
    .option('--pair <pair...>', 'markets; default: USD_BTC_PERP', several)
    .option('--speed <n>', 'venue seconds per second', speed, 1)
    .option('--account <key:secret>', 'an account with this key (repeatable); default: made up', credentials)
    .option(
      '--deposit <asset=amount>',
      'cash of each account (repeatable, each asset once); default: 100000 of each quote asset',
      assetAmounts,
    )
    .addOption(
      new Option('--seed <n>', 'the same as --synthetic; a tape has nothing random')
        .argParser(wholeNumber(0, 2 ** 32))
        .conflicts('synthetic'),
    )
    .addOption(
      new Option('--fill <model>', 'what fills orders against a tape; default: queue').choices([
        'through',
        'queue',
        'touch',
      ] as const),
    )
    .option('--faults <file>', 'a plan of what goes wrong, YAML')
    .option('--admin-port <n>', 'opens the door for tests on this port; 0 takes any', wholeNumber(0, 65_535))
    .option('--max-limit <n>', 'the most items a list gives', wholeNumber(1, 100_000))
    .option('--rate-limit <n>', 'requests a second for each key', positiveNumber)
    .action(async (options) => end(await (await import('./commands/venue.js')).venue(options)));

  program.commandsGroup('A project of your own:');
  command(
    'init',
    'make a bot project: a strategy, its test, a configuration; nothing that is there is written over',
  )
    .argument('[dir]', 'folder of the project, made if missing; one that has a package.json is added to', '.')
    .option('--no-install', 'leave npm install to you')
    .option('--yes', 'do not ask')
    .option('--json', 'print the result as one JSON document')
    .action(async (dir, options) => end(await (await import('./commands/init.js')).init(dir, options)));

  command('new', 'make a strategy with its test in the project here')
    .argument('<name>', 'of the strategy: lower-case words joined by hyphens')
    .option('--yes', 'do not ask where there is no package.json')
    .option('--json', 'print the result as one JSON document')
    .action(async (name, options) =>
      end(await (await import('./commands/new.js')).makeStrategy(name, options)),
    );

  command('check', 'look at the project here: its configuration, its strategies, its types')
    .option(...CONFIG_OPTION)
    .option('--print-effective', 'every value that counts, and where it comes from')
    .option('--json', 'print the result as one JSON document')
    .action(async (options) => end(await (await import('./commands/check.js')).check(options)));

  command('schema', 'the JSON Schema of the configuration, for editors').action(async () =>
    end(await (await import('./commands/schema.js')).schema()),
  );

  program.commandsGroup('Recordings:');
  addRecord(command, end);

  program.commandsGroup('Strategies:');
  addBacktest(command, end);
  addOptimize(command, end);
  addRuns(command, end);
  addCertify(command, end);
  addReplays(command, end);

  program.commandsGroup('Recordings:');
  const data = program
    .command('data')
    .description('recordings: list, check, import, export')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: false });
  addDataCommands(data, end);

  program.commandsGroup("A bot's journal:");
  const journal = program
    .command('journal')
    .description('what a bot wrote down: verify, tail, explain')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: false });
  addJournalCommands(journal, end);
  addAttach(command, end);
  addResume(command, end);
  addWhy(command, end);

  program.commandsGroup('Daemon:');
  addDaemonCommands(command, end);

  program.commandsGroup('What a venue shows:');
  addPublicReads(command, end);
  program.commandsGroup('Your account:');
  addAccountReads(command, end);
  program.commandsGroup('Changes at the venue (they ask first; --yes in scripts):');
  addAccountWrites(command, end);

  program.commandsGroup('Help:');
  command('help', 'help on a command, or the parameters of a strategy')
    .argument('[topic...]', 'a command, a strategy file, or the name of a strategy that ships')
    .option('--json', 'for a strategy: print its parameters as one JSON document')
    .action(async (topic, options) => {
      const subject = commandAt(program, topic);
      if (subject !== undefined) {
        subject.outputHelp();
        return;
      }
      const commands = program.commands.map((each) => each.name());
      end(
        await (await import('./commands/strategy-help.js')).strategyHelp(topic.join(' '), options, commands),
      );
    });

  command('completion', 'a script that lets the shell complete commands, options and their values')
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText('after', COMPLETION_NOTES)
    .action(async (shell) =>
      end(await (await import('./commands/completion.js')).completion(shell, program)),
    );

  return program;

  function command(name: string, description: string): Command {
    return program.command(name).description(description).configureHelp({ showGlobalOptions: false });
  }
}

const EPILOGUE = `
Results go to stdout, everything else to stderr; TICKWRIGHT_LOG=debug says more.
Durations read 500ms, 30s, 5m, 2h.
First steps:
  tickwright demo                       watch a strategy trade
  tickwright help sma-cross             the parameters of a strategy
  tickwright backtest sma-cross         run it over the sample that ships`;

const COMPLETION_NOTES = `
Print it where the shell reads it; it completes a program that is installed as tickwright, not npx tickwright:
  bash   eval "$(tickwright completion bash)" in ~/.bashrc
  zsh    eval "$(tickwright completion zsh)" in ~/.zshrc, below compinit; or keep it as _tickwright in a folder of $fpath
  fish   tickwright completion fish > ~/.config/fish/completions/tickwright.fish
A TAB starts no program. What was kept in a file is to be made again after an update.`;

/** The command that these words name; without words, the program itself. */
function commandAt(program: Command, words: readonly string[]): Pick<Command, 'outputHelp'> | undefined {
  let found: { readonly commands: readonly unknown[] } | undefined = program;
  for (const word of words) {
    found = (found?.commands as readonly Command[] | undefined)?.find(
      (command) => command.name() === word || command.aliases().includes(word),
    );
  }
  return found as Command | undefined;
}
