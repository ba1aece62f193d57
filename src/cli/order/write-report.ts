/** Reports the result of a write as it is: done, refused, not sent, or unknown. */
import { shellWord } from '../../model/shell-word.js';
import type { WriteFailure } from '../../ports/venue-api.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { isKeyRefusal } from '../report-error.js';
import { printJson, say } from '../view/output.js';
import { printable } from '../view/printable.js';
import type { Unsendable } from './order-request.js';

export interface FailureReport {
  readonly json: true | undefined;
  /** What was to be done, e.g. `the order`. */
  readonly what: string;
  /** Commands that show the state before anybody tries again, without the program's name. */
  readonly lookAt: readonly string[];
}

export type Failure = WriteFailure | Unsendable;

/** Reports a failure on stderr; with `--json` also as the document on stdout. */
export async function reportFailure(failure: Failure, report: FailureReport): Promise<ExitCode> {
  const { kind, reason } = failure;
  const outcome = kind === 'unsendable' ? 'not-sent' : kind;
  if (report.json === true) await printJson({ outcome, reason });
  await say(failureText(failure, report));
  return failure.kind === 'refused' && isKeyRefusal(failure) ? EXIT.keyRefused : EXIT.failure;
}

function failureText({ kind, reason }: Failure, { what, lookAt }: FailureReport): string {
  const because = printable(reason);
  switch (kind) {
    case 'unsendable':
      return `error: ${what} was refused before it was sent: ${because}`;
    case 'not-sent':
      return `error: ${what} was not sent: ${because}`;
    case 'refused':
      return `error: the venue refused ${what}: ${because}`;
    case 'in-doubt':
      return [
        `error: ${what} is in doubt: ${because}`,
        'The venue may have done it. Do not send it again before you have looked:',
        ...lookAt.map((command) => `  tickwright ${command}`),
      ].join('\n');
  }
}

/** The flags that lead to the same venue again, for suggested command lines. */
export function sameVenue({
  venue,
  profile,
  config,
  allowEnvKey,
}: {
  readonly venue?: string | undefined;
  readonly profile?: string | undefined;
  readonly config?: string | undefined;
  readonly allowEnvKey?: true | undefined;
}): string {
  return [
    venue === undefined ? '' : ` --venue ${shellWord(venue)}`,
    profile === undefined ? '' : ` --profile ${shellWord(profile)}`,
    config === undefined ? '' : ` --config ${shellWord(config)}`,
    allowEnvKey === true ? ' --allow-env-key' : '',
  ].join('');
}
