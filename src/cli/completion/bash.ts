/** Completion for bash: a function with the table of commands, and one that finds out what is to be completed. */
import { quoted } from './quoted.js';
import { type CommandEntry, type CompletionTable, everyCommand } from './table.js';
import type { Value } from './value.js';

/** Works with bash 4 and later, without other packages and without starting a program. */
export function bashCompletion({ root, strategies }: CompletionTable): string {
  const cases = everyCommand(root).map((command) => {
    const commands = command.commands.flatMap(({ names }) => names);
    const options = command.options.flatMap(({ flags }) => flags);
    return [
      `    ${spellings(root, command.path).map(quoted).join(' | ')})`,
      ...(commands.length > 0 ? [`      commands=${array(commands)}`] : []),
      `      options=${array(options)}`,
      ...valueCases(command),
      '      ;;',
    ].join('\n');
  });
  return `# Completion of tickwright for bash 4 and later, made by: tickwright completion bash

# What the command $1 has, and what $2, an option or the number of an argument, may be.
_tickwright_table() {
  commands=() options=() words=() value='' many=''
  case $1 in
${cases.join('\n')}
  esac
}

_tickwright_strategies=${array(strategies)}
${FINDER}`;
}

/** All spellings of a path, with names and aliases. */
function spellings(root: CommandEntry, path: readonly string[]): readonly string[] {
  let found = [''];
  let command: CommandEntry | undefined = root;
  for (const name of path) {
    command = command?.commands.find(({ names }) => names[0] === name);
    const names = command?.names ?? [];
    found = found.flatMap((before) => names.map((each) => (before === '' ? each : `${before} ${each}`)));
  }
  return found;
}

function valueCases({ options, arguments: args }: CommandEntry): readonly string[] {
  const labels = new Map<string, string[]>();
  const add = (label: string, what: string) => labels.set(what, [...(labels.get(what) ?? []), label]);
  for (const { flags, value, variadic } of options) {
    if (value === undefined) continue;
    for (const flag of flags) add(quoted(flag), variadic ? `${assigned(value)} many=1` : assigned(value));
  }
  const cases = [...labels].map(([what, flags]) => [flags.join(' | '), what] as const);
  // In order, so that a variadic last argument catches all later positions.
  const numbers = args.map(
    ({ value, variadic }, i) => [variadic ? '[0-9]*' : `${i}`, assigned(value)] as const,
  );
  if (cases.length + numbers.length === 0) return [];
  return [
    '      case $2 in',
    ...[...cases, ...numbers].map(([label, what]) => `        ${label}) ${what} ;;`),
    '      esac',
  ];
}

function assigned(value: Value): string {
  return value.kind === 'words' ? `value=words words=${array(value.words)}` : `value=${value.kind}`;
}

function array(words: readonly string[]): string {
  return `(${words.map(quoted).join(' ')})`;
}

const FINDER = `
_tickwright() {
  local line=\${COMP_LINE:0:COMP_POINT} typed=() piece='' before gap i
  # The words as the program will get them: readline cuts at = : and @, too.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    before=$piece piece=\${COMP_WORDS[i]}
    gap=\${line%%[![:space:]]*}
    line=\${line#"$gap"}
    [[ $line == "$piece"* ]] || piece=$line
    line=\${line#"$piece"}
    if [[ -z $gap && ( $before == *[=:@] || ( -n $before && $piece == [=:@]* ) ) ]]; then
      typed[\${#typed[@]} - 1]+=$piece
    else
      typed+=("$piece")
    fi
  done
  local last=$((\${#typed[@]} - 1))
  local current=\${typed[last]}
  # What readline leaves as it stands.
  local kept=\${current%"$piece"}
  [[ $piece == *[!=:@]* ]] || kept=$current

  local path='' given='' count=0 option='' bare='' word
  local commands options words value many
  for word in "\${typed[@]:1:last-1}"; do
    if [[ -n $option && ( -z $many || $word != -* ) ]]; then
      [[ -n $many ]] || option=''
      continue
    fi
    option=''
    if [[ -z $bare && $word == -- ]]; then
      bare=1
    elif [[ -z $bare && $word == -?* ]]; then
      _tickwright_table "$path" "$word"
      [[ -z $value ]] || option=$word
    else
      _tickwright_table "$path"
      if ((count == 0)) && [[ " \${commands[*]} " == *" $word "* ]]; then
        path+=\${path:+ }$word
      else
        given+=\${given:+ }$word count=$((count + 1))
      fi
    fi
  done

  local found=() files='' stem='' what=$count
  if [[ \${typed[last - 1]} == *[\\<\\>] ]]; then
    what=none
  elif [[ -n $option && ( -z $many || $current != -* ) ]]; then
    what=$option
  elif [[ -z $bare && $current == --*=* ]]; then
    what=\${current%%=*} stem=\${current%%=*}=
  elif [[ -z $bare && $current == -* ]]; then
    what=options
  fi
  _tickwright_table "$path" "$what"
  case $what:$value in
    none:) files=file ;;
    options:) found=("\${options[@]}") ;;
    *:words) found=("\${words[@]}") ;;
    *:file | *:folder) files=$value ;;
    *:strategy) found=("\${_tickwright_strategies[@]}") files=file ;;
    *:topic)
      _tickwright_table "$given"
      found=("\${commands[@]}")
      ((count > 0)) || { found+=("\${_tickwright_strategies[@]}") files=file; }
      ;;
    0:) found=("\${commands[@]}") && ((\${#found[@]} > 0)) || found=("\${options[@]}") ;;
    [1-9]*:) found=("\${options[@]}") ;;
  esac

  COMPREPLY=()
  for word in "\${found[@]}"; do
    word=$stem$word
    [[ $word != "$current"* ]] || COMPREPLY+=("\${word#"$kept"}")
  done
  [[ -n $files ]] || return 0
  # Where a name is in quotes or begins with ~, readline itself knows better: it is asked when nothing is found.
  local kind=-f otherwise=default
  [[ $files == file ]] || kind=-d otherwise=dirnames
  compopt -o filenames -o $otherwise 2>/dev/null
  while IFS= read -r word; do
    word=$stem$word
    COMPREPLY+=("\${word#"$kept"}")
  done < <(compgen $kind -- "\${current#"$stem"}")
}

complete -F _tickwright tickwright`;
