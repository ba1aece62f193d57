import type { Log, LogFields } from '../ports/log.js';
import type { DaemonEvent } from './daemon-api.js';

type Level = Extract<DaemonEvent, { kind: 'log' }>['level'];

const MOST_CHARACTERS = 500;

/** A log that also tells each line above debug as one text, after `scrub` has removed secrets. */
export function tellingLog(
  log: Log,
  { scrub, tell }: { scrub: (text: string) => string; tell: (level: Level, text: string) => void },
): Log {
  const both = (level: Level) => (message: string, fields?: LogFields) => {
    log[level](message, fields);
    if (level !== 'debug') tell(level, scrub(lineOf(message, fields)));
  };
  return { debug: both('debug'), info: both('info'), warn: both('warn'), error: both('error') };
}

function lineOf(message: string, fields: LogFields | undefined): string {
  if (fields === undefined) return message;
  let text: string;
  try {
    text = JSON.stringify(fields) ?? '';
  } catch {
    text = 'fields that cannot be shown';
  }
  return `${message} ${text}`.slice(0, MOST_CHARACTERS);
}
