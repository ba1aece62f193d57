import { TickwrightError } from '../model/errors.js';

/**
 * The venue lists a pair no more, or not at the moment, that ran here before. It is no typing error, so it keeps no other
 * pair from running, and is waited for.
 */
export class PairUnlisted extends TickwrightError {
  constructor(pair: string) {
    super(
      'TICKWRIGHT_E_PAIR_UNLISTED',
      `the markets of the venue must have ${pair}, which ran here before, received a list without it`,
      { facts: { pair } },
    );
  }
}
