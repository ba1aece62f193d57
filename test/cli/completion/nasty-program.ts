import { Argument, Command, Option } from '@commander-js/extra-typings';

/** All that means something to a shell, over two lines. */
export const NASTY = `it's "a" \`touch x\` $(touch x) $HOME [a]b: \\n 100% {1,2}\n *`;

/** A program whose texts a shell would do something with. */
export function nastyProgram() {
  const program = new Command('tickwright').helpCommand(false);
  program
    .command('one')
    .alias('uno')
    .description(NASTY)
    .addArgument(new Argument('<word>').choices(["a'b", '$HOME', 'c d', '[x]']))
    .addOption(new Option('-e, --each <a:b>', NASTY).choices(['p q', '$(touch x)', 'a:b']))
    .option('--plain', NASTY)
    .addOption(new Option('--secret', 'not shown').hideHelp());
  program.command('gone', { hidden: true }).description('not shown');
  const group = program.command('group').description(NASTY).helpCommand(false);
  group.command('below').alias('under').description('below it').option('--deep [n]', 'how deep');
  return program;
}
