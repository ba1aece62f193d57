import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { isPairName } from '../../model/market-name.js';
import { dayName, parseDayName } from './day.js';

/** The folder of one pair inside a folder of recordings. */
export function pairDirectory(directory: string, pair: string): string {
  if (!isPairName(pair)) {
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

/** Data besides trades that the recorder stores, one file per UTC day like the trades. */
export type FactTable = 'ticker' | 'depth';

export function factPath(pairFolder: string, day: number, table: FactTable): string {
  return join(pairFolder, `${dayName(day)}.${table}.arrow`);
}

export function barsPath(pairFolder: string, day: number): string {
  return join(pairFolder, `${dayName(day)}.bars.arrow`);
}

/** Day and kind of a recording's file by its name; `undefined` for any other file. */
export function parseDayFile(
  name: string,
): { readonly day: number; readonly kind: 'trades' | 'bars' | FactTable } | undefined {
  const match = /^(.{10})(?:\.(bars|ticker|depth))?\.arrow$/.exec(name);
  const day = match === null ? undefined : parseDayName(match[1] as string);
  if (day === undefined) return undefined;
  return { day, kind: (match?.[2] as 'bars' | FactTable | undefined) ?? 'trades' };
}

/**
 * The day file that a file of this name was to take the place of, and did not, since its writer died; `undefined` for any
 * other file.
 */
export function parseLeftover(name: string): ReturnType<typeof parseDayFile> {
  const match = /^\.(.+)\.[0-9a-f]+\.tmp$/.exec(name);
  return match === null ? undefined : parseDayFile(match[1] as string);
}

const BESIDE_DAYS = [
  'market.json',
  'markets.ndjson',
  'funding.ndjson',
  'faults.ndjson',
  'gaps.ndjson',
  'import-unfinished.json',
];

/** Whether recordings have files of this name. */
export function isRecordingFile(name: string): boolean {
  return BESIDE_DAYS.includes(name) || parseDayFile(name) !== undefined;
}

/** All versions of the market that were recorded, each with its time. */
export function marketHistoryPath(pairFolder: string): string {
  return join(pairFolder, 'markets.ndjson');
}

/** The funding rates that were paid. */
export function fundingPath(pairFolder: string): string {
  return join(pairFolder, 'funding.ndjson');
}

/** Faults of imported files that were corrected. */
export function faultsPath(pairFolder: string): string {
  return join(pairFolder, 'faults.ndjson');
}

export function marketPath(pairFolder: string): string {
  return join(pairFolder, 'market.json');
}

export function gapsPath(pairFolder: string): string {
  return join(pairFolder, 'gaps.ndjson');
}

/** Exists while an import is running, and after an import that was interrupted. */
export function unfinishedImportPath(pairFolder: string): string {
  return join(pairFolder, 'import-unfinished.json');
}
