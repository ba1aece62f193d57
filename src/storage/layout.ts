import { join } from 'node:path';
import { UsageError } from '../model/errors.js';
import { dayName } from './day.js';

const PAIR = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** The folder of one pair inside a folder of recordings. */
export function pairDirectory(directory: string, pair: string): string {
  if (!PAIR.test(pair)) {
    throw new UsageError(
      'TICKWRIGHT_E_PAIR',
      `a pair must be a name of letters, digits, _ and -, received ${JSON.stringify(pair)}`,
    );
  }
  return join(directory, pair);
}

export function dayPath(pairFolder: string, day: number): string {
  return join(pairFolder, `${dayName(day)}.arrow`);
}

export function marketPath(pairFolder: string): string {
  return join(pairFolder, 'market.json');
}

export function gapsPath(pairFolder: string): string {
  return join(pairFolder, 'gaps.ndjson');
}
