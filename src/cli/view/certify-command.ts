import { shellWord } from '../../model/shell-word.js';

/** The options that determine which thing is certified, and with which parameters. */
export interface CertifyLine {
  readonly config?: string | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly pair?: string | undefined;
}

/** The command that certifies a strategy, ready to be typed. */
export function certifyCommand(name: string, { config, set = {}, pair }: CertifyLine): string {
  return [
    'tickwright certify',
    shellWord(name),
    ...(config === undefined ? [] : ['--config', shellWord(config)]),
    ...(pair === undefined ? [] : ['--pair', shellWord(pair)]),
    ...Object.entries(set).flatMap(([param, value]) => ['--set', shellWord(`${param}=${value}`)]),
  ].join(' ');
}
