import { type Assuming, withoutFunding } from '../assumed.js';

/** Why no funding was paid, as a sentence; empty if some was paid, or if the recording does not reveal the reason. */
export function fundingNote(result: Pick<Assuming, 'funding' | 'data'>): string {
  const why = withoutFunding(result);
  return why === undefined ? '' : `Funding is 0: ${why}.`;
}
