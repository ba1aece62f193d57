import { UsageError } from '../../model/errors.js';
import type { Person } from '../order/consent.js';
import { say } from '../view/output.js';

/**
 * Whether files may be written. `question`: what is going to be done. `reason`: why consent is needed, if that is not
 * obvious.
 *
 * @throws UsageError without `--yes` and a terminal
 */
export async function agrees(
  yes: true | undefined,
  question: () => string,
  person: Person,
  reason = '',
): Promise<boolean> {
  if (yes === true) return true;
  if (!person.isThere) {
    throw new UsageError(
      'TICKWRIGHT_E_CONFIRM',
      `${reason}--yes must be given where nobody can be asked: stdin and stderr must be a terminal, received none. Nothing was written`,
    );
  }
  const answer = (await person.ask(`${reason}${question()} [Y/n] `))?.trim().toLowerCase();
  if (answer === '' || answer === 'y' || answer === 'yes') return true;
  await say('nothing was written');
  return false;
}
