import { shellWord } from '../model/shell-word.js';

/** The options that a bot was started with and that commands about it have to repeat. */
export interface StartedWith {
  /** Journal of a session in the foreground, which no configuration names. */
  readonly journal?: string | undefined;
  readonly config?: string | undefined;
  /** Only when it was given on the command line, because the configuration may name another venue. */
  readonly venue?: string | undefined;
}

/** The command line that shows why a pair is held back (`--plan`), or ends it (`--accept`). */
export function attachCommand(does: '--plan' | '--accept', pair: string, given: StartedWith): string {
  const named = (option: string, value: string | undefined) =>
    value === undefined ? [] : [option, shellWord(value)];
  return [
    'tickwright attach',
    does,
    ...named('--journal', given.journal),
    ...named('--config', given.config),
    ...named('--venue', given.venue),
    ...named('--pair', pair),
    ...(does === '--accept' ? ['--by NAME --reason TEXT'] : []),
  ].join(' ');
}

/** How a person releases a pair that is held back; parts of one sentence. */
export function wayOut(pair: string, given: StartedWith): readonly string[] {
  return [
    `${attachCommand('--plan', pair, given)} shows it`,
    `once the daemon is stopped, ${attachCommand('--accept', pair, given)} ends it`,
  ];
}
