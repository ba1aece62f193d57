/** Options that several commands share. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { assetAmounts, duration, several, wholeNumber } from './option-values.js';

const MOST_ITEMS = 1_000;
const MOST_SLIPPAGE_TICKS = 1_000_000;
const FIRST_MOMENT = 'first moment: 2024-08-08, 2024-08-08T23:54:16Z or epoch ms';

export const CONFIG_OPTION = [
  '--config <file>',
  'configuration; default: $TICKWRIGHT_CONFIG, else ./tickwright.yaml',
] as const;

/** The recordings that a command reads. */
export const DATA_OPTION = [
  '--data <path...>',
  "recordings; default: the configuration's, ./data, else the sample that ships",
  several,
] as const;

export const CAPITAL_OPTION = [
  '--capital <asset=amount>',
  'cash at the start; default: 100000',
  assetAmounts,
] as const;

/** Adds a command to the program, and returns it so that options can be added. */
export type Add = (name: string, description: string) => Command;

/** Adds the options that select the venue, and how to talk to it. */
export function venueOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option(
      '--profile <name|file>',
      "its dialect: tickwright, cautious or a file; default: the configuration's, else by the address",
    )
    .option(...CONFIG_OPTION)
    .option('--json', 'print one JSON document');
}

/** Adds the options of `venueOptions`, and those of the key. */
export function accountOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return venueOptions(command).option(
    '--allow-env-key',
    'take the key from the environment for a venue that is not on this machine',
  );
}

/** Adds the options of `accountOptions`, and `--yes` for commands that change something. */
export function writeOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return accountOptions(command).option('-y, --yes', 'do not ask; needed where nobody can be asked');
}

/** Adds the options that choose a market and a stretch of its recording. */
export function recordedOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--pair <pair>', 'market; default: the only one recorded')
    .option('--from <time>', FIRST_MOMENT)
    .option('--to <time>', 'end, exclusive, in the same forms');
}

/** Adds the options for what keeps a simulated order from the price that the strategy saw. */
export function frictionOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--latency <duration>', 'from a decision to its arrival at the venue; default: 50ms', duration)
    .option(
      '--jitter <duration>',
      'makes each order, cancel and poll late by up to this much more, by a hash of it and the seed; default: 0ms',
      duration,
    )
    .option(
      '--slippage <ticks>',
      'by which takers get a worse price, twice in through and never in touch; default: 0',
      wholeNumber(0, MOST_SLIPPAGE_TICKS),
    );
}

/** Adds the options for a stretch of time. */
export function periodOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--from <time>', FIRST_MOMENT)
    .option('--to <time>', 'last moment, inclusive, in the same forms');
}

/** Adds the options for a part of a list. */
export function rangeOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  usualLimit = "the venue's, which is 100",
) {
  return periodOptions(command).option(
    '--limit <n>',
    `the newest so many; default: ${usualLimit}`,
    wholeNumber(1, MOST_ITEMS),
  );
}
