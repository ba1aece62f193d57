/** Formats and parses times, in UTC. */
import { UsageError } from '../../model/errors.js';
import { DAY_MS, dayName, dayOf, parseDayName } from '../../storage/rows/day.js';

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?Z)?$/;
const EPOCH_MS = /^\d{11,14}$/;

/** A time in ms since the epoch as `2024-08-08T23:54:16.322Z`. */
export function momentText(time: number): string {
  return `${dayName(dayOf(time))}T${clockText(time)}.${pad(Math.floor(time) % 1_000, 3)}Z`;
}

/** The time of day, like `23:54:16`. */
export function clockText(time: number): string {
  const seconds = Math.floor((time % DAY_MS) / 1_000);
  return `${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

/** A time as a part of a file name: `20240808T235416`. */
export function fileStamp(time: number): string {
  return `${dayName(dayOf(time))}T${clockText(time)}`.replaceAll(/[-:]/g, '');
}

const UNITS = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/**
 * A duration like `1d 04h`, `2h 03m`, `4m 05s` or `12s`, rounded down to the smaller of its two units. Whole multiples
 * of the larger unit are written like in `durationText`: `7d`, `1m`.
 */
export function lengthText(ms: number): string {
  const [[unit, unitMs], smaller] = unitsOf(ms);
  const whole = `${Math.floor(ms / unitMs)}${unit}`;
  if (smaller === undefined) return whole;
  const rest = Math.floor((ms % unitMs) / smaller[1]);
  return rest === 0 ? whole : `${whole} ${pad(rest)}${smaller[0]}`;
}

/** Like `lengthText`, but rounded up, for upper bounds. */
export function mostLengthText(ms: number): string {
  const [larger, smaller = larger] = unitsOf(ms);
  return lengthText(Math.ceil(ms / smaller[1]) * smaller[1]);
}

type Unit = (typeof UNITS)[number];

function unitsOf(ms: number): readonly [Unit, Unit | undefined] {
  const largest = UNITS.findIndex(([, each]) => ms >= each);
  const index = largest < 0 ? UNITS.length - 1 : largest;
  return [UNITS[index] as Unit, UNITS[index + 1]];
}

/**
 * Parses `2024-08-08`, `2024-08-08T23:54Z`, `2024-08-08T23:54:16.322Z` or ms since the epoch; returns ms since the
 * epoch.
 *
 * @throws UsageError for anything else.
 */
export function parseMoment(text: string, what: string, forms = ''): number {
  if (EPOCH_MS.test(text)) return Number(text);
  const [, date = '', hours = '0', minutes = '0', seconds = '0', fraction = ''] = MOMENT.exec(text) ?? [];
  const day = parseDayName(date);
  const clock = [Number(hours), Number(minutes), Number(seconds)] as const;
  if (day === undefined || clock[0] > 23 || clock[1] > 59 || clock[2] > 59) {
    throw new UsageError(
      'TICKWRIGHT_E_TIME',
      `${what} must be a time like ${forms}2024-08-08, 2024-08-08T23:54:16Z or ms since 1970, received ${JSON.stringify(text)}`,
    );
  }
  return (
    day * DAY_MS + ((clock[0] * 60 + clock[1]) * 60 + clock[2]) * 1_000 + Number(fraction.padEnd(3, '0'))
  );
}

/**
 * Parses `--from` and `--to`. `isInclusive`: whether the stretch includes its last moment.
 *
 * @throws UsageError for invalid times, and for an empty stretch.
 */
export function parseStretch(
  given: { readonly from?: string | undefined; readonly to?: string | undefined },
  { isInclusive = false } = {},
): { readonly from: number | undefined; readonly to: number | undefined } {
  const from = given.from === undefined ? undefined : parseMoment(given.from, '--from');
  const to = given.to === undefined ? undefined : parseMoment(given.to, '--to');
  if (from !== undefined && to !== undefined && (isInclusive ? from > to : from >= to)) {
    throw new UsageError(
      'TICKWRIGHT_E_TIME',
      `--from must be ${isInclusive ? 'at or ' : ''}before --to, received ${given.from} and ${given.to}`,
    );
  }
  return { from, to };
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}
