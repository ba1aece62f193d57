import type { ContentFault } from '../../model/fault-rule.js';
import { type Random, seededRandom } from '../../model/random.js';
import type { SeededContentFault } from './fate.js';

export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [name: string]: Json;
}

/** Applies faults to the records of a result, whatever carried it. Does not modify the given lists. */
export function alteredResult(result: Json, faults: readonly SeededContentFault[]): Json {
  return faults.reduce(
    (altered, { fault, seed }) => altered1(altered, fault, seededRandom(seed).fork('rows')),
    result,
  );
}

function altered1(result: Json, fault: ContentFault, random: Random): Json {
  switch (fault.kind) {
    case 'reordered-rows':
      return mapLists(result, (rows) =>
        fault.order === 'reverse' ? rows.toReversed() : shuffled(rows, random),
      );
    case 'duplicated-rows':
      return mapLists(result, (rows) => duplicated(rows, fault.share, random));
    case 'unknown-status':
      return withField(result, 'status', fault.status, fault.share, random);
    case 'altered-field':
      return withField(result, fault.field, fault.value, fault.share, random);
    // These concern the time of the answer, see `faulty-read.ts`.
    case 'stale-read':
    case 'late-visibility':
      return result;
  }
}

/** Applies `change` to the outermost lists of records: to the result if it is one, else to those inside its records. */
function mapLists(value: Json, change: (rows: readonly JsonRecord[]) => readonly JsonRecord[]): Json {
  if (isRows(value)) return change(value);
  return isRecord(value) ? mapRecord(value, (inner) => mapLists(inner, change)) : value;
}

/**
 * Removes the records for which `isHidden` holds from every list at any depth. Returns the value itself if there are
 * none.
 */
export function withoutRows(value: Json, isHidden: (row: JsonRecord) => boolean): Json {
  if (isRows(value)) {
    const rows = value.flatMap((row) => (isHidden(row) ? [] : [withoutRows(row, isHidden)]));
    return rows.length === value.length && rows.every((row, at) => row === value[at]) ? value : rows;
  }
  return isRecord(value) ? mapRecord(value, (inner) => withoutRows(inner, isHidden)) : value;
}

function shuffled(rows: readonly JsonRecord[], random: Random): readonly JsonRecord[] {
  const mixed = [...rows];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [mixed[last], mixed[other]] = [mixed[other] as JsonRecord, mixed[last] as JsonRecord];
  }
  return mixed;
}

function duplicated(rows: readonly JsonRecord[], share: number, random: Random): readonly JsonRecord[] {
  if (rows.length === 0) return rows;
  const certain = random.integer(0, rows.length - 1);
  return rows.flatMap((row, index) => (random.next() < share || index === certain ? [row, row] : [row]));
}

function withField(value: Json, field: string, changed: Json, share: number, random: Random): Json {
  if (isList(value)) return value.map((each) => withField(each, field, changed, share, random));
  if (!isRecord(value)) return value;
  return mapRecord(value, (inner, name) =>
    name === field && random.next() < share ? changed : withField(inner, field, changed, share, random),
  );
}

/**
 * Changes the values of a record. Returns the record itself if none changes, so that an unchanged answer is not
 * rewritten.
 */
function mapRecord(record: JsonRecord, change: (value: Json, name: string) => Json): JsonRecord {
  let changed: Record<string, Json> | undefined;
  for (const name of Object.keys(record)) {
    const before = record[name] as Json;
    const after = change(before, name);
    if (after === before) continue;
    changed ??= { ...record };
    changed[name] = after;
  }
  return changed ?? record;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isRows(value: Json): value is readonly JsonRecord[] {
  return isList(value) && value.every(isRecord);
}
