import { type Assuming, withoutFunding } from '../assumed.js';

/** Why there was no funding, as a sentence; empty where there was some, or where the recording does not say why. */
export function fundingNote(result: Pick<Assuming, 'funding' | 'data'>): string {
  const why = withoutFunding(result);
  return why === undefined ? '' : `Funding is 0: ${why}.`;
}
