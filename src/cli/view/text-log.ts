import type { Clock } from '../../ports/clock.js';
import type { Log, LogFields } from '../../ports/log.js';
import { clockText } from './moment.js';

/** A log for people: time, message and fields; warnings and errors only. */
export function textLog({
  clock,
  write,
}: {
  readonly clock: Clock;
  readonly write: (line: string) => void;
}): Log {
  const line = (level: string) => (message: string, fields?: LogFields) => {
    write(`${clockText(clock.wall())} ${level} ${message}${fieldsText(fields)}`);
  };
  return { debug: () => undefined, info: () => undefined, warn: line('warning:'), error: line('error:') };
}

function fieldsText(fields: LogFields = {}): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${valueText(value)}`)
    .join('');
}

function valueText(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value)
    ? value
    : (JSON.stringify(value) ?? 'undefined');
}
