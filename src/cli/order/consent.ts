/** Nothing that changes an account is sent before a person said yes, or the command line did. */
import { UsageError } from '../../model/errors.js';
import { ask, canAsk } from '../../platform/prompt.js';
import { say } from '../view/output.js';

/** A person at a terminal, or nobody. */
export interface Person {
  readonly isThere: boolean;
  /** `undefined` when the person leaves. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

export function personAtTerminal(): Person {
  return { isThere: canAsk(), ask };
}

/**
 * To be called before any request is made: a script that forgot `--yes` hears it at once.
 *
 * @throws UsageError where there is nobody to ask and no `--yes`.
 */
export function requireConsent(yes: true | undefined, person: Person): void {
  if (yes === true || person.isThere) return;
  throw new UsageError(
    'TICKWRIGHT_E_CONFIRM',
    '--yes must be given where nobody can be asked: stdin and stderr must be a terminal, received none. Nothing was sent',
  );
}

/** True when it may be done. `what` is shown as it is: what will happen, in words. */
export async function hasConsent(yes: true | undefined, what: string, person: Person): Promise<boolean> {
  if (yes === true) return true;
  const answer = (await person.ask(`${what}\nDo it? [y/N] `))?.trim().toLowerCase();
  if (answer === 'y' || answer === 'yes') return true;
  await say('nothing was sent');
  return false;
}
