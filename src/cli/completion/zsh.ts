/** Completion for zsh: a function for each command, using `_arguments`. */
import { quoted } from './quoted.js';
import {
  type ArgumentEntry,
  type CommandEntry,
  type CompletionTable,
  everyCommand,
  type OptionEntry,
} from './table.js';
import type { Value } from './value.js';

/** The script can be evaluated in a shell, or be kept as the file `_tickwright` in a folder of `$fpath`. */
export function zshCompletion({ root, strategies }: CompletionTable): string {
  const everyone = everyCommand(root);
  return [
    '#compdef tickwright',
    '# Completion of tickwright for zsh, made by: tickwright completion zsh',
    ...everyone.map((command) => (command.commands.length > 0 ? groupOf(command) : leafOf(command))),
    strategyFunction(strategies),
    topicFunction(everyone),
    ENTRY,
  ].join('\n\n');
}

function nameOf({ path }: Pick<CommandEntry, 'path'>): string {
  return ['_tickwright', ...path].join('_');
}

function leafOf(command: CommandEntry): string {
  const specs = [...command.options.flatMap(optionSpecs), ...command.arguments.map(argumentSpec)];
  if (!command.options.some(({ variadic }) => variadic)) {
    return `${nameOf(command)}() {\n  _arguments -s -S : ${continued(specs)}\n}`;
  }
  const hasRest = command.arguments.some(({ variadic }) => variadic);
  return `${nameOf(command)}() {
  # Of a variadic option zsh would take the word at hand for one more value, also where it begins with a dash.
  local more=':*-*' rest=()
  [[ $PREFIX != -* ]] || more=''${hasRest ? '' : " rest=('*: : ')"}
  _arguments -s -S : ${continued([...specs, '$rest'])}
}`;
}

function continued(specs: readonly string[]): string {
  return specs.map((spec) => `\\\n    ${spec}`).join(' ');
}

function groupOf(command: CommandEntry): string {
  const name = nameOf(command);
  return `${name}() {
  local curcontext=$curcontext context state state_descr line ret=1
  typeset -A opt_args
  _arguments -C -s -S -A '-*' : ${continued(command.options.flatMap(optionSpecs))} \\
    '1:command:_${name}_commands' \\
    '*::argument:->rest' && ret=0
  if [[ $state == rest ]]; then
    curcontext=\${curcontext%:*:*}:tickwright-$words[1]:
    case $words[1] in
${command.commands.map((child) => `      (${child.names.map(quoted).join('|')}) ${nameOf(child)} && ret=0 ;;`).join('\n')}
    esac
  fi
  return ret
}

_${name}_commands() {
  local -a commands=(
${command.commands.flatMap(commandLines).join('\n')}
  )
  _describe -t commands command commands
}`;
}

function commandLines({ names, description }: CommandEntry): readonly string[] {
  const about = description.replaceAll('\\', '\\\\');
  return names.map((name) => `    ${quoted(`${name.replace(/[\\:]/g, '\\$&')}:${about}`)}`);
}

function optionSpecs({ flags, description, value, variadic, repeats }: OptionEntry): readonly string[] {
  const others = repeats ? '*' : flags.length > 1 ? `(${flags.join(' ')})` : '';
  const about = `[${description.replace(/[\\[\]:]/g, '\\$&')}]`;
  return flags.map((flag) => {
    if (value === undefined) return quoted(`${others}${flag}${about}`);
    const option = `${others}${flag}${flag.startsWith('--') ? '=' : '+'}${about}`;
    const what = `:${valueSpec(value)}`;
    return variadic ? `${quoted(option)}$more${quoted(what)}` : quoted(`${option}${what}`);
  });
}

function argumentSpec({ value, required, variadic }: ArgumentEntry, index: number): string {
  // `*::` passes on the arguments only.
  if (variadic) return quoted(`*:${value.kind === 'topic' ? ':' : ''}${valueSpec(value)}`);
  return quoted(`${index + 1}:${required ? '' : ':'}${valueSpec(value)}`);
}

/** The name of a value and how to complete it; a space means not at all. */
function valueSpec(value: Value): string {
  // Messages may contain % sequences, so % is escaped.
  const message = value.placeholder.replace(/[\\:]/g, '\\$&').replaceAll('%', '%%');
  switch (value.kind) {
    case 'words':
      return `${message}:(${value.words.map((word) => word.replace(/[^A-Za-z0-9_.+-]/g, '\\$&')).join(' ')})`;
    case 'file':
      return `${message}:_files`;
    case 'folder':
      return `${message}:_files -/`;
    case 'strategy':
      return `${message}:__tickwright_strategies`;
    case 'topic':
      return `${message}:__tickwright_topics`;
    case 'text':
      return `${message}: `;
  }
}

function strategyFunction(strategies: readonly string[]): string {
  return `__tickwright_strategies() {
  local -a strategies=(${strategies.map(quoted).join(' ')})
  _alternative 'strategies:strategy that ships:compadd -a strategies' 'files:file:_files'
}`;
}

function topicFunction(everyone: readonly CommandEntry[]): string {
  const groups = everyone.filter(({ path, commands }) => path.length > 0 && commands.length > 0);
  return `__tickwright_topics() {
  case "\${(j: :)words[1,CURRENT-1]}" in
    ('')
      _alternative 'commands:command:__tickwright_commands' 'topics:strategy:__tickwright_strategies'
      ;;
${groups.map((group) => `    (${quoted(group.path.join(' '))}) _${nameOf(group)}_commands ;;`).join('\n')}
  esac
}`;
}

const ENTRY = `# As a file of $fpath this is the function itself.
if [[ $funcstack[1] == _tickwright ]]; then
  _tickwright "$@"
else
  compdef _tickwright tickwright
fi`;
