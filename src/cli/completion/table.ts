/** What can be completed, read off the program itself: there is no second list of commands that could grow old. */
import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type Value, valueOf } from './value.js';

export interface CompletionTable {
  readonly root: CommandEntry;
  /** Names of the strategies that ship. */
  readonly strategies: readonly string[];
}

export interface CommandEntry {
  /** Names from the program, which has none here, down to the command. */
  readonly path: readonly string[];
  /** Its name first, then its aliases. */
  readonly names: readonly string[];
  /** One line. */
  readonly description: string;
  readonly options: readonly OptionEntry[];
  readonly arguments: readonly ArgumentEntry[];
  readonly commands: readonly CommandEntry[];
}

export interface OptionEntry {
  /** Its short flag, where it has one, then its long one. */
  readonly flags: readonly string[];
  readonly description: string;
  /** `undefined`: it takes none. */
  readonly value: Value | undefined;
  /** It takes all words up to the next option. */
  readonly variadic: boolean;
  /** It may be given again. */
  readonly repeats: boolean;
}

export interface ArgumentEntry {
  readonly value: Value;
  readonly required: boolean;
  readonly variadic: boolean;
}

/** Of what `--help` shows; hidden commands and options are left out. */
export function completionTable(
  program: CommandUnknownOpts,
  strategies: readonly string[] = [],
): CompletionTable {
  return { root: commandEntry(program, []), strategies };
}

/** The command and all below it. */
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
    // A parser of ours that is handed what came before collects; commander's own of choices does not.
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

/** A description that a shell can list beside a word. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
