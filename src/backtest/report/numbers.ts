/** Formats numbers and times for a report; `n/a` stands for a missing figure. */
import { dayName, dayOf } from '../../model/calendar.js';

const MINUS = '−';
const MISSING = 'n/a';
/** Separates thousands. A non-breaking space, so that no line ends within a number. */
const APART = '\u00a0';
/** The most decimals of money, and of a price, whose tick may be finer. */
const MOST_DIGITS = 8;
const MOST_OF_PRICE = 18;

/** Whether a text shows only missing figures: one or several, separated by commas, possibly with text after them. */
export function isMissing(text: string): boolean {
  return /^n\/a(?:, n\/a)*(?: |$)/.test(text);
}

/** A number with separated thousands and `digits` decimals. */
export function number(value: number | string | null, digits = 2): string {
  if (value === null || !Number.isFinite(Number(value))) return MISSING;
  const text = Math.abs(Number(value)).toFixed(digits);
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, APART);
  const isZero = Number(text) === 0;
  const sign = Number(value) < 0 && !isZero ? MINUS : '';
  return `${sign}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `1 trade`, `1 234 trades`. */
export function many(count: number, one: string): string {
  return `${number(count, 0)} ${one}${count === 1 ? '' : 's'}`;
}

/** Money and other amounts: like `number`, but with three significant digits below 0.1. */
export function amount(value: number | string | null, least = 2): string {
  const size = Math.abs(Number(value));
  return number(value, size < 0.1 ? digitsOf(size, 3, least) : least);
}

/** A price with up to seven significant digits, and at least two decimals. */
export function price(value: number): string {
  return number(value, digitsOf(value, 7, 2, MOST_OF_PRICE));
}

/** An amount with its sign, as a gain or a loss. */
export function signed(value: number | string | null): string {
  const text = amount(value);
  return text === MISSING || text.startsWith(MINUS) ? text : `+${text}`;
}

/** Plain decimal text with a proper minus sign. */
export function plain(text: string): string {
  return text.replace(/^-/, MINUS);
}

/** A fraction as percent: 0.1 is 10 %. Below 0.1 %, three significant digits, as in `amount`. */
export function percent(value: number | string | null, digits = 2): string {
  if (value === null || !Number.isFinite(Number(value))) return MISSING;
  const hundredths = Number(value) * 100;
  const size = Math.abs(hundredths);
  return `${number(hundredths, size < 0.1 ? digitsOf(size, 3, digits) : digits)} %`;
}

/** A time as `2024-08-08 23:54:16`, UTC. */
export function moment(time: number | null): string {
  if (time === null || !Number.isFinite(time)) return MISSING;
  const seconds = Math.floor(time / 1_000) % 86_400;
  return `${dayName(dayOf(time))} ${clock(seconds)}`;
}

export function day(time: number): string {
  return dayName(dayOf(time));
}

/** A duration by its two largest units: `2 d 3 h`, `5 min 10 s`; below ten seconds as `2.4 s`, below one as `400 ms`. */
export function length(ms: number | null): string {
  if (ms === null) return MISSING;
  const whole = Math.round(ms);
  if (whole > 0 && whole < 1_000) return `${whole} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const parts: readonly (readonly [number, string])[] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ];
  let rest = ms;
  const words: string[] = [];
  for (const [size, unit] of parts) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}`);
    else if (words.length > 0) break;
    if (words.length === 2) break;
  }
  return words.join(' ');
}

/** Colours a text as a gain or a loss. */
export function toned(html: string, value: number | string | null): string {
  const size = Number(value ?? 0);
  return size === 0 ? html : `<span class="${size > 0 ? 'up' : 'down'}">${html}</span>`;
}

/** The number of decimals that show `counting` significant digits, without trailing zeros; at least `least`. */
function digitsOf(size: number, counting: number, least: number, limit = MOST_DIGITS): number {
  const most = size > 0 ? counting - 1 - Math.floor(Math.log10(size)) : 0;
  const [, fraction = ''] = size.toFixed(Math.max(0, Math.min(limit, most))).split('.');
  return Math.max(least, fraction.replace(/0+$/, '').length);
}

function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
