import { shellWord } from '../model/shell-word.js';

/** What a bot was started with, as far as a person must name it to commands about that bot too. */
export interface StartedWith {
  /** Of a session in the foreground, whose journal no configuration names. */
  readonly journal?: string | undefined;
  readonly config?: string | undefined;
  /** Only when it was given: the configuration may say another one. */
  readonly venue?: string | undefined;
}

/** The command that shows what holds a pair back, or ends it, as it is typed. */
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

/** How a person ends what holds a pair back; parts of a sentence. */
export function wayOut(pair: string, given: StartedWith): readonly string[] {
  return [
    `${attachCommand('--plan', pair, given)} shows it`,
    `once the daemon is stopped, ${attachCommand('--accept', pair, given)} ends it`,
  ];
}
