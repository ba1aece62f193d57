/**
 * Completion for fish: a `complete` for each command, option and argument, with the condition under which it applies.
 */
import { fishQuoted } from './quoted.js';
import { type CommandEntry, type CompletionTable, everyCommand } from './table.js';
import type { Value } from './value.js';

/** Works with fish 3.1 and later. */
export function fishCompletion({ root, strategies }: CompletionTable): string {
  const everyone = everyCommand(root);
  return `# Completion of tickwright for fish, made by: tickwright completion fish

${takesFunction(everyone)}

${commandFunction(everyone)}
${WALKER}

complete -c tickwright -f
${everyone.flatMap((command) => linesOf(command, everyone, strategies)).join('\n')}`;
}

function linesOf(
  command: CommandEntry,
  everyone: readonly CommandEntry[],
  strategies: readonly string[],
): readonly string[] {
  const { path, options, arguments: args, commands } = command;
  const at = (...more: readonly string[]) =>
    ['__tickwright_at', ...[path.join(' '), ...more].map(fishQuoted)].join(' ');
  const complete = (condition: string, rest: string, about = '') =>
    `complete -c tickwright -n ${fishQuoted(condition)} ${rest}${about === '' ? '' : ` -d ${fishQuoted(about)}`}`;
  const conditions = [at('0'), ...everyone.flatMap((each) => topicConditions(each, path))];
  return [
    ...commands.flatMap(({ names, description }) =>
      names.map((name) => complete(conditions.join('; or '), `-a ${fishQuoted(name)}`, description)),
    ),
    ...options.map(({ flags, value, description }) => {
      const given = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${fishQuoted(flag.slice(2))}` : `-s ${fishQuoted(flag.slice(1))}`,
      );
      const takes = value === undefined ? '' : ` -r ${offered(value, strategies)}`;
      return complete(at(), `${given.join(' ')}${takes}`, description);
    }),
    // fish completes only one value of an option, so further values of a variadic one need an entry of their own.
    ...options.flatMap(({ flags, value, variadic }) =>
      variadic && value !== undefined
        ? flags.map((flag) => complete(at(flag), offered(value, strategies)))
        : [],
    ),
    ...args.map(({ value, variadic }, i) =>
      // After the first word of a topic, only the commands of a group follow.
      complete(at(`${i}${variadic && value.kind !== 'topic' ? '+' : ''}`), offered(value, strategies)),
    ),
  ];
}

/** The condition under which the children of the command at `path` are topics of the command `of`. */
function topicConditions(of: CommandEntry, path: readonly string[]): readonly string[] {
  if (!of.arguments.some(({ value }) => value.kind === 'topic')) return [];
  const words = [of.path.join(' '), `${path.length}`, path.join(' ')];
  return [`__tickwright_at ${words.map(fishQuoted).join(' ')}`];
}

function offered(value: Value, strategies: readonly string[]): string {
  switch (value.kind) {
    case 'words':
      return `-f -a ${fishQuoted(value.words.map(fishQuoted).join(' '))}`;
    case 'file':
      return '-F';
    case 'folder':
      return "-f -a '(__fish_complete_directories)'";
    case 'strategy':
    case 'topic':
      return `-F -a ${fishQuoted(strategies.map(fishQuoted).join(' '))}`;
    case 'text':
      return '-f';
  }
}

function takesFunction(everyone: readonly CommandEntry[]): string {
  const cases = everyone.flatMap(({ path, options }) => {
    const withValue = (many: boolean) =>
      options
        .filter(({ value, variadic }) => value !== undefined && variadic === many)
        .flatMap(({ flags }) => flags.map(fishQuoted));
    const [one, many] = [withValue(false), withValue(true)];
    if (one.length + many.length === 0) return [];
    return [
      `        case ${fishQuoted(path.join(' '))}`,
      '            switch $argv[2]',
      ...(one.length > 0 ? [`                case ${one.join(' ')}`, '                    return 0'] : []),
      ...(many.length > 0
        ? [
            `                case ${many.join(' ')}`,
            '                    set -g __tickwright_many 1',
            '                    return 0',
          ]
        : []),
      '            end',
    ];
  });
  return `# Whether at the command $argv[1] the option $argv[2] takes a value; __tickwright_many: or several.
function __tickwright_takes
    set -g __tickwright_many
    switch $argv[1]
${cases.join('\n')}
    end
    return 1
end`;
}

function commandFunction(everyone: readonly CommandEntry[]): string {
  const cases = everyone
    .filter(({ commands }) => commands.length > 0)
    .flatMap(({ path, commands }) => [
      `        case ${fishQuoted(path.join(' '))}`,
      '            switch $argv[2]',
      ...commands.flatMap((child) => [
        `                case ${child.names.map(fishQuoted).join(' ')}`,
        `                    set -g __tickwright_path ${fishQuoted(child.path.join(' '))}`,
        '                    return 0',
      ]),
      '            end',
    ]);
  return `# Goes on to the command $argv[2] of the command $argv[1], if there is one.
function __tickwright_enter
    switch $argv[1]
${cases.join('\n')}
    end
    return 1
end`;
}

const WALKER = `
# Finds out, once for a line, where its end is: which command, which of its arguments or variadic options.
function __tickwright_look
    set -l line (commandline -cp | string collect)
    set -q __tickwright_line; and test "$line" = "$__tickwright_line"; and return
    set -g __tickwright_line $line
    set -g __tickwright_path ''
    set -g __tickwright_given
    set -l option
    set -l bare
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if set -q option[1]
            if not set -q __tickwright_many[1]
                set option
                continue
            else if not string match -q -- '-*' $word
                continue
            end
            set option
        end
        if not set -q bare[1]; and test "$word" = --
            set bare 1
        else if not set -q bare[1]; and string match -q -- '-*' $word
            __tickwright_takes "$__tickwright_path" $word; and set option $word
        else if set -q __tickwright_given[1]; or not __tickwright_enter "$__tickwright_path" $word
            set -a __tickwright_given $word
        end
    end
    set -g __tickwright_what (count $__tickwright_given)
    set -q option[1]; and set -g __tickwright_what $option
end

# Whether the line ends at the command $argv[1], at $argv[2] of it (2: the third argument, 2+: or one behind it), after the
# arguments $argv[3].
function __tickwright_at
    __tickwright_look
    test "$__tickwright_path" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    if set -q argv[3]
        test "$__tickwright_given" = "$argv[3]"; or return 1
    end
    if string match -q -- '*+' $argv[2]
        string match -qr '^\\\\d+$' -- $__tickwright_what; and test $__tickwright_what -ge (string trim -c + -- $argv[2])
    else
        test "$__tickwright_what" = "$argv[2]"
    end
end`;
