const PLAIN = /^[\w./@%+:,-]+$/;

/** The command that shows what holds a pair back, or ends it, as it is typed. */
export function attachCommand(
  does: '--plan' | '--accept',
  { config, pair }: { readonly config: string | undefined; readonly pair?: string | undefined },
): string {
  const named = (option: string, value: string | undefined) =>
    value === undefined ? [] : [option, shellWord(value)];
  return ['tickwright attach', does, ...named('--config', config), ...named('--pair', pair)].join(' ');
}

function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
