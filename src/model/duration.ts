import { UsageError } from './errors.js';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d+)(?:\.(\d+))?(ms|s|m|h|d)$/;

/**
 * Milliseconds of `500ms 30s 5m 2h 1d`; `undefined` for anything else or for less than a whole millisecond. Counted on the
 * digits: as doubles 2.3 h is no whole number of them.
 */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = '', fraction = '', unit] = match;
  const scaled = BigInt(whole + fraction) * BigInt(UNITS[unit as keyof typeof UNITS]);
  const scale = 10n ** BigInt(fraction.length);
  const ms = Number(scaled / scale);
  return scaled % scale === 0n && Number.isSafeInteger(ms) ? ms : undefined;
}

/** Like `parseDuration`, for places where anything else is the user's mistake. */
export function durationMs(text: string, what: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_DURATION',
      `${what} must be a duration like 500ms, 30s, 5m or 2h, received ${JSON.stringify(text)}`,
    );
  }
  return ms;
}

/** `90s`, `1m`, `2h`: ms in the largest unit of which they are a whole number, as an option takes them. */
export function durationText(ms: number): string {
  const [unit, length] = Object.entries(UNITS).findLast(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / length}${unit}`;
}
