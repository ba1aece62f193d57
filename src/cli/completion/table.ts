/**
 * Reads what can be completed from the program itself, so that there is no second list of commands that could become
 * outdated.
 */
import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type Value, valueOf } from './value.js';

export interface CompletionTable {
  readonly root: CommandEntry;
  /** Names of the strategies of the package. */
  readonly strategies: readonly string[];
}

export interface CommandEntry {
  /** Names on the way from the program (which has none here) to the command. */
  readonly path: readonly string[];
  /** Its name, then its aliases. */
  readonly names: readonly string[];
  /** Description in one line. */
  readonly description: string;
  readonly options: readonly OptionEntry[];
  readonly arguments: readonly ArgumentEntry[];
  readonly commands: readonly CommandEntry[];
}

export interface OptionEntry {
  /** Its short flag, if it has one, then its long flag. */
  readonly flags: readonly string[];
  readonly description: string;
  /** `undefined`: it takes no value. */
  readonly value: Value | undefined;
  /** Whether it takes all words up to the next option. */
  readonly variadic: boolean;
  /** Whether it may be given several times. */
  readonly repeats: boolean;
}

export interface ArgumentEntry {
  readonly value: Value;
  readonly required: boolean;
  readonly variadic: boolean;
}

/** The table of what `--help` shows, so without hidden commands and options. */
export function completionTable(
  program: CommandUnknownOpts,
  strategies: readonly string[] = [],
): CompletionTable {
  return { root: commandEntry(program, []), strategies };
}

/** The command and all commands below it. */
export function everyCommand(command: CommandEntry): readonly CommandEntry[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function commandEntry(command: CommandUnknownOpts, path: readonly string[]): CommandEntry {
  const help = command.createHelp();
  return {
    path,
    names: [command.name(), ...command.aliases()],
    description: oneLine(command.description()),
    options: help.visibleOptions(command).map(optionEntry),
    arguments: command.registeredArguments.map(argumentEntry),
    commands: help.visibleCommands(command).map((child) => commandEntry(child, [...path, child.name()])),
  };
}

function optionEntry(option: Option): OptionEntry {
  const { short, long, flags, description, required, optional, variadic, argChoices, parseArg } = option;
  const placeholder = /[<[](.+?)(?:\.\.\.)?[\]>]/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description: oneLine(description),
    value: required || optional ? valueOf({ placeholder, choices: argChoices, of: long ?? '' }) : undefined,
    variadic,
    // An option may repeat if its parser takes the value before as second parameter. commander's own parser of choices
    // does not.
    repeats: variadic || (argChoices === undefined && (parseArg?.length ?? 0) > 1),
  };
}

function argumentEntry(argument: Argument): ArgumentEntry {
  const { required, variadic, argChoices } = argument;
  return {
    value: valueOf({ placeholder: argument.name(), choices: argChoices, of: '' }),
    required,
    variadic,
  };
}

/** A description that a shell can show next to a word. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
