/**
 * Charts as inline SVG without scripts. They scale with the page, and take their colours from classes of the style
 * sheet.
 */
import { DAY_MS, dayName, dayOf } from '../../model/calendar.js';
import { escaped } from './html.js';
import { number } from './numbers.js';

export interface ChartFrame {
  /** Text alternative for readers who cannot see the chart. */
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  readonly height?: number;
  readonly yText?: (value: number) => string;
  /** Formats x values; by default as times. */
  readonly xText?: (value: number) => string;
}

/** Converts values to coordinates of the drawing. */
export interface Paper {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly bottom: number;
}

const WIDTH = 760;
const LEFT = 8;
/** Room for a label such as 100 000.00 in the font size of a narrow screen. */
const RIGHT = 138;
const TOP = 8;
const BOTTOM = 30;

export function chart(frame: ChartFrame, draw: (paper: Paper) => string): string {
  const { label, from, to, height = 260 } = frame;
  const { low, high } = widened(frame.low, frame.high);
  const bottom = height - BOTTOM;
  const paper: Paper = {
    x: (value) => round(LEFT + ((value - from) / Math.max(to - from, 1e-9)) * (WIDTH - LEFT - RIGHT)),
    y: (value) => round(TOP + ((high - value) / (high - low)) * (bottom - TOP)),
    bottom,
  };
  const { yText = (value: number) => number(value, digitsFor(high - low)), xText = timeText(to - from) } =
    frame;
  const rows = ticks(low, high, 5).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${paper.y(value)}" y2="${paper.y(value)}"/>` +
      `<text x="${WIDTH - RIGHT + 6}" y="${paper.y(value) + 4}">${escaped(yText(value))}</text>`,
  );
  // If all values have the same time, one label is enough.
  const columns = (to > from ? [0, 1, 2, 3] : [0]).map((i) => {
    const value = from + ((to - from) * i) / 3;
    const anchor = i === 0 ? 'start' : i === 3 ? 'end' : 'middle';
    return `<text x="${paper.x(value)}" y="${height - 6}" text-anchor="${anchor}">${escaped(xText(value))}</text>`;
  });
  return (
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(label)}">` +
    `${rows.join('')}${columns.join('')}${draw(paper)}</svg>`
  );
}

export function line(points: readonly (readonly [number, number])[], name: string): string {
  return points.length < 2 ? '' : `<path class="${name}" d="${path(points)}"/>`;
}

/** Fills the area between an upper and a lower edge, each given from left to right. */
export function band(
  upper: readonly (readonly [number, number])[],
  lower: readonly (readonly [number, number])[],
  name: string,
): string {
  if (upper.length < 2) return '';
  return `<path class="${name}" d="${path(upper)}L${path(lower.toReversed()).slice(1)}Z"/>`;
}

export function bar(x: number, width: number, from: number, to: number, name: string, title: string): string {
  const top = Math.min(from, to);
  const height = Math.max(Math.abs(to - from), 0.5);
  return (
    `<rect class="${name}" x="${round(x)}" y="${round(top)}" width="${round(Math.max(width, 0.5))}" height="${round(height)}">` +
    `<title>${escaped(title)}</title></rect>`
  );
}

export function dot(x: number, y: number, name: string, title: string): string {
  return `<circle class="${name}" cx="${x}" cy="${y}" r="3"><title>${escaped(title)}</title></circle>`;
}

/** Explains the colours. */
export function legend(entries: readonly (readonly [name: string, text: string])[]): string {
  const items = entries.map(
    ([name, text]) =>
      `<span><svg class="key" viewBox="0 0 14 10" aria-hidden="true"><rect class="${name}-key" width="14" height="10" rx="2"/></svg>${escaped(text)}</span>`,
  );
  return `<p class="legend">${items.join('')}</p>`;
}

function path(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${x} ${y}`).join('L')}`;
}

/** Round values between two bounds, about as many as requested. */
function ticks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step);
}

/**
 * Adds room above and below. A flat line gets some as well, so that it lies in the middle: 0.1 % of its value, or 0.01
 * if it is at 0.
 */
function widened(low: number, high: number): { readonly low: number; readonly high: number } {
  const room = high > low ? (high - low) * 0.06 : Math.max(Math.abs(high) * 0.001, high === 0 ? 0.01 : 1e-6);
  return { low: low - room, high: high + room };
}

function digitsFor(range: number): number {
  return Math.max(0, Math.min(8, 2 - Math.floor(Math.log10(range))));
}

function timeText(range: number): (time: number) => string {
  return (time) => {
    const seconds = Math.floor(time / 1_000) % 86_400;
    const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
    const clock = `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}`;
    if (range > 4 * DAY_MS) return dayName(dayOf(time));
    if (range > DAY_MS / 2) return `${dayName(dayOf(time)).slice(5)} ${clock}`;
    return range > 600_000 ? clock : `${clock}:${two(seconds % 60)}`;
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
