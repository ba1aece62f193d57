import { UsageError } from '../../model/errors.js';
import type { Person } from '../order/consent.js';
import { say } from '../view/output.js';

/**
 * True when files may be written. `question`: what is done, as it is shown. `reason`: why it is asked, where that is not plain.
 *
 * @throws UsageError where there is nobody to ask and no `--yes`
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
