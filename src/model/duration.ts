import { UsageError } from './errors.js';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d+)(?:\.(\d+))?(ms|s|m|h|d)$/;

/**
 * Milliseconds of a duration like `500ms`, `30s`, `5m`, `2h` or `1d`; `undefined` for any other text and for a fraction
 * of a millisecond. Computed with integers: 2.3 × 3 600 000 in doubles is not the whole number that it should be.
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

/**
 * Like `parseDuration`, but throws a UsageError for a text that is not a duration. `what` names the option in the
 * message.
 */
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

/**
 * A duration in the largest unit that gives a whole number (`90s`, `1m`, `2h`), which is the form that options accept.
 */
export function durationText(ms: number): string {
  const [unit, length] = Object.entries(UNITS).findLast(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / length}${unit}`;
}
