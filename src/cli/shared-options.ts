/** Options that many commands have, each said once. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { wholeNumber } from './option-values.js';

const MOST_ITEMS = 1_000;

/** Adds a command to the program; returns it for what it takes. */
export type Add = (name: string, description: string) => Command;

/** Which venue, and how to talk to it. */
export function venueOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option(
      '--profile <name|file>',
      "its dialect: tickwright, cautious or a file; default: the configuration's, else by the address",
    )
    .option('--config <file>', 'configuration; default: $TICKWRIGHT_CONFIG, else ./tickwright.yaml')
    .option('--json', 'print one JSON document');
}

/** And with the key. */
export function accountOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return venueOptions(command).option(
    '--allow-env-key',
    'take the key from the environment for a venue that is not on this machine',
  );
}

/** And it changes something. */
export function writeOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return accountOptions(command).option('-y, --yes', 'do not ask; needed where nobody can be asked');
}

/** From when to when. */
export function periodOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--from <time>', 'first moment: 2024-08-08, 2024-08-08T23:54:16Z or epoch ms')
    .option('--to <time>', 'last moment, inclusive, in the same forms');
}

/** Which part of a list. */
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
