import { UsageError } from './errors.js';

/** The venue's names are of these characters; anything else could do harm in a path, a page or a terminal. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;
/** What a terminal does not print, or obeys; JSON leaves some of it as it is. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const LONGEST_SHOWN = 80;

/** Whether a pair or an asset may have this name. */
export function isMarketName(name: string): boolean {
  return NAME.test(name);
}

/**
 * `what`: which name it is.
 *
 * @throws UsageError when neither a pair nor an asset may have this name.
 */
export function demandMarketName(what: string, name: string): void {
  if (isMarketName(name)) return;
  throw new UsageError(
    'TICKWRIGHT_E_MARKET',
    `${what} must be a name of 1 to 64 letters, digits, ., _ and -, received ${shown(name)}`,
  );
}

function shown(name: string): string {
  return JSON.stringify(name)
    .slice(0, LONGEST_SHOWN)
    .replaceAll(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
