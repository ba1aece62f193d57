/** Formats external text, which is untrusted: never as markup, and never longer than its place on the page. */

/** Control characters, line separators, and those that turn the direction of what stands beside them or cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const LONE_SURROGATE = /\p{Cs}/gu;

const MOST = 240;
/** Bound for the reason of a pair's state: two sentences, each of which may end with a text of the venue. */
export const MOST_WHY = 600;

/** The text as it may stand on the page, at most `most` characters. A cut is marked. */
export function plain(text: unknown, most = MOST): string {
  if (typeof text === 'number' || typeof text === 'boolean') return String(text);
  if (typeof text !== 'string') return '';
  // Only the beginning is cleaned: a text of megabytes would block the page.
  const head = text
    .slice(0, 2 * most + 2)
    .replace(UNSEEN, ' ')
    .replace(LONE_SURROGATE, '\ufffd');
  const isWhole = text.length <= 2 * most + 2 && head.length <= most;
  return isWhole ? head : `${head.slice(0, most).replace(LONE_SURROGATE, '')}… (${text.length} characters)`;
}

/** `12 s`, `3 min 5 s`, `2 h 3 min`, `4 d 2 h`; below ten seconds with a tenth. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/**
 * A decimal number with thin spaces between thousands, rounded to at most `places` decimals, ties to even as in the
 * terminal, and a true minus sign.
 */
export function decimalText(text: unknown, places = 8): string {
  const said = plain(text, 48);
  const parts = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(said);
  if (parts === null) return said;
  const [, sign = '', given = '', digits = ''] = parts;
  const [whole, fraction] = digits.length > places ? rounded(given, digits, places) : [given, digits];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const isNothing = digits.length > places && !/[1-9]/.test(whole + fraction);
  const before = isNothing ? '' : sign === '-' ? '−' : sign;
  return `${before}${grouped}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `digits`: more than `places`, behind the point. */
function rounded(whole: string, digits: string, places: number): readonly [whole: string, fraction: string] {
  const kept = BigInt(whole + digits.slice(0, places));
  const rest = digits.slice(places);
  const half = `5${'0'.repeat(rest.length - 1)}`;
  const isUp = rest > half || (rest === half && kept % 2n === 1n);
  const text = String(isUp ? kept + 1n : kept).padStart(places + 1, '0');
  const point = text.length - places;
  return [text.slice(0, point), text.slice(point)];
}

/** An amount with its sign, also when it is positive. */
export function signedText(text: unknown, places = 2): string {
  const said = decimalText(text, places);
  return toneOf(text) === 'gain' && /^\d/.test(said) && /[1-9]/.test(said) ? `+${said}` : said;
}

export type Tone = 'gain' | 'loss' | 'even';

export function toneOf(text: unknown): Tone {
  const value = Number(text);
  if (value > 0) return 'gain';
  return value < 0 ? 'loss' : 'even';
}

export function bytesText(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}

/** Text beside the memory in use: the ceiling at which the process ends in order, if there is one. */
export function ceilingText(bytes: number | undefined): string {
  return bytes === undefined ? 'held now, unbounded' : `of ${bytesText(bytes)}`;
}

/** `14:03:07`, UTC. */
export function clockText(time: number): string {
  return isoOf(time).slice(11, 19);
}

/** `2026-01-31`, UTC. */
export function dayText(time: number): string {
  return isoOf(time).slice(0, 10);
}

/** `2026-01-31 14:03`, UTC. */
export function momentText(time: number): string {
  return isoOf(time).slice(0, 16).replace('T', ' ');
}

/** ISO 8601 without a `Date`: from days since 1970 (Howard Hinnant, "chrono-compatible low-level date algorithms"). */
function isoOf(time: number): string {
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return '????-??-??T??:??:??';
  const days = Math.floor(time / 86_400_000);
  const seconds = Math.floor((time - days * 86_400_000) / 1_000);
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const dayOfYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${clock}`;
}
