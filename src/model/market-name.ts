import { UsageError } from './errors.js';

/** The venue's pairs are of these characters; anything else could do harm in a path, since a pair names its folder. */
const PAIR = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;
/**
 * An asset names no file, and recordings have had others than the venue's: `US$`, `ÅKK`. It is of characters that show,
 * without those of markup, quotes and paths.
 */
const ASSET = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,64}$/u;
const NOT_IN_ASSETS = /[<>&"'/\\\p{Default_Ignorable_Code_Point}]/u;
/** What a terminal does not print, or obeys; JSON leaves some of it as it is. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const LONGEST_SHOWN = 80;

/** Whether a pair may have this name. */
export function isPairName(name: string): boolean {
  return PAIR.test(name);
}

/** @throws UsageError when a pair cannot have this name */
export function demandPairName(name: string): void {
  if (isPairName(name)) return;
  throw nameError('pair must be a name of 1 to 64 letters, digits, ., _ and -', name);
}

/**
 * `what`: which asset it is.
 *
 * @throws UsageError when an asset cannot have this name
 */
export function demandAssetName(what: string, name: string): void {
  if (ASSET.test(name) && !NOT_IN_ASSETS.test(name)) return;
  throw nameError(
    `${what} must be a name of 1 to 64 letters, digits and signs, none of them < > & " ' / \\ or a blank`,
    name,
  );
}

function nameError(demand: string, name: string): UsageError {
  return new UsageError('TICKWRIGHT_E_MARKET', `${demand}, received ${shown(name)}`);
}

function shown(name: string): string {
  return JSON.stringify(name)
    .slice(0, LONGEST_SHOWN)
    .replaceAll(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
