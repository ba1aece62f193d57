/** Asks for consent before anything is sent that changes an account, unless the command line gives it. */
import { UsageError } from '../../model/errors.js';
import { ask, canAsk } from '../../platform/prompt.js';
import { say } from '../view/output.js';

/** The person at the terminal, if there is one. */
export interface Person {
  readonly isThere: boolean;
  /** The answer; `undefined` if the person leaves. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

export function personAtTerminal(): Person {
  return { isThere: canAsk(), ask };
}

/**
 * Demands that consent can be asked for. To be called before any request, so that a script without `--yes` fails at
 * once.
 *
 * @throws UsageError without `--yes` and a terminal.
 */
export function requireConsent(yes: true | undefined, person: Person): void {
  if (yes === true || person.isThere) return;
  throw new UsageError(
    'TICKWRIGHT_E_CONFIRM',
    '--yes must be given where nobody can be asked: stdin and stderr must be a terminal, received none. Nothing was sent',
  );
}

/** Whether an action may be done. `what`: the action in words, shown as it is. */
export async function hasConsent(yes: true | undefined, what: string, person: Person): Promise<boolean> {
  if (yes === true) return true;
  const answer = (await person.ask(`${what}\nDo it? [y/N] `))?.trim().toLowerCase();
  if (answer === 'y' || answer === 'yes') return true;
  await say('nothing was sent');
  return false;
}
