/** Turns any error into the text that a person should see, with its exit code. */
import { dirname } from 'node:path';
import { InvariantError, StrategyError, TickwrightError, UsageError } from '../model/errors.js';
import { JournalFailed } from '../ports/bot-journal.js';
import { userName } from '../platform/process.js';
import { FileInTheWay, FileMissing } from '../ports/files.js';
import { HttpFailure } from '../ports/http.js';
import type { StopSignal } from '../ports/signals.js';
import { VenueError, type VenueWords } from '../ports/venue-api.js';
import type { Quarantined } from '../runner/quarantined.js';
import type { StartAbandoned } from '../runner/start-abandoned.js';
import { JournalDamaged, JournalUnreadable } from '../storage/journal/journal-errors.js';
import { JournalHeld } from '../storage/journal/journal-lock.js';
import { EXIT, type ExitCode, SIGNAL_EXIT } from './exit-code.js';
import { say } from './view/output.js';

/** The venue at this address does not answer properly; `cause` is what failed. */
export class VenueUnavailable extends Error {
  readonly url: string;
  override readonly cause: VenueError | HttpFailure;
  constructor(url: string, cause: VenueError | HttpFailure) {
    super(cause.message, { cause });
    this.name = 'VenueUnavailable';
    this.url = url;
    this.cause = cause;
  }
}

/** Another daemon or live session of this machine trades with the key; exit code 75. */
export class KeyHeld extends TickwrightError {
  constructor(url: string, holder: number | undefined) {
    const who = holder === undefined ? 'another process' : `process ${holder}`;
    super(
      'TICKWRIGHT_E_KEY_HELD',
      `a key for ${url} must have one bot on this machine, received a second one: ${who} trades with it already ` +
        '(one configuration can have several pairs; another bot takes a key of its own, as `tickwright venue --account KEY:SECRET` makes them)',
      { facts: { url, holder } },
    );
  }
}

/**
 * A pair waits for a person, so no session of it begins. Exit code 3, like a status that is not healthy, unless orders
 * may still be at the venue.
 */
export class PersonNeeded extends TickwrightError {
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor({ code, message, pair, leftOpen, keptText }: Quarantined, hint: string | undefined) {
    const kept = keptText === '' ? '' : `; ${keptText}`;
    super(code, `${message}${kept}${leftOpenText(leftOpen)}`, { facts: { pair } });
    this.hint = hint;
    this.exitCode = leftOpen.length > 0 ? EXIT.stopNotProven : EXIT.checkFailed;
  }
}

/** Somebody ended the session before it knew what the account holds. */
export class StoppedAtStart extends TickwrightError {
  readonly exitCode: ExitCode;

  constructor({ code, message, leftOpen, bareText }: StartAbandoned, signal: StopSignal) {
    const bare = bareText === '' ? '' : `; ${bareText}`;
    super(code, `${message}${bare}${leftOpenText(leftOpen)}`, { facts: { signal } });
    this.exitCode = leftOpen.length > 0 ? EXIT.stopNotProven : SIGNAL_EXIT[signal];
  }
}

function leftOpenText(leftOpen: readonly string[]): string {
  return leftOpen.length === 0 ? '' : `; orders that may still be at the venue: ${leftOpen.join(', ')}`;
}

export interface ErrorReport {
  readonly text: string;
  readonly exitCode: ExitCode;
}

export async function reportError(error: unknown): Promise<ExitCode> {
  const { text, exitCode } = describeError(error);
  await say(text);
  return exitCode;
}

export function describeError(error: unknown): ErrorReport {
  if (error instanceof VenueUnavailable) return venueReport(error.url, error.cause);
  if (error instanceof VenueError || error instanceof HttpFailure) return venueReport(undefined, error);
  if (error instanceof UsageError) return { text: `error: ${error.message}`, exitCode: EXIT.usage };
  if (error instanceof FileInTheWay) {
    return { text: `error: ${error.file} must be a folder, received a file`, exitCode: EXIT.usage };
  }
  if (error instanceof FileMissing) {
    return { text: `error: ${error.path} must be there, received no such file`, exitCode: EXIT.usage };
  }
  if (error instanceof JournalDamaged || error instanceof JournalUnreadable) {
    return { text: `error: ${error.message}`, exitCode: EXIT.journalDamaged };
  }
  if (error instanceof JournalHeld) return { text: `error: ${error.message}`, exitCode: EXIT.journalHeld };
  if (error instanceof KeyHeld) return { text: `error: ${error.message}`, exitCode: EXIT.journalHeld };
  if (error instanceof JournalFailed) return { text: `error: ${error.message}`, exitCode: EXIT.failure };
  if (error instanceof StrategyError) return { text: `error: ${error.message}`, exitCode: EXIT.failure };
  if (error instanceof PersonNeeded) {
    const hint = error.hint === undefined ? '' : `\nhint: ${error.hint}`;
    return { text: `error: ${error.message}${hint}`, exitCode: error.exitCode };
  }
  if (error instanceof StoppedAtStart) {
    return { text: `error: ${error.message}`, exitCode: error.exitCode };
  }
  if (error instanceof TickwrightError && !(error instanceof InvariantError)) {
    return { text: `error: ${error.message}`, exitCode: EXIT.failure };
  }
  return systemReport(error) ?? bugReport(error);
}

/** Messages of the simulated venue, which are recognised under any profile. */
const KEY_REFUSED = /\b(missing|unknown) key\b|\bbad signature\b/;

/** Whether the venue refuses the key or the signature. */
export function isKeyRefusal({ reason, isUnauthorized }: VenueWords): boolean {
  return isUnauthorized === true || KEY_REFUSED.test(reason);
}

/** The error of a read, if it is such a refusal; otherwise `undefined`. */
export function keyRefusalOf(error: unknown): VenueError | undefined {
  if (!(error instanceof VenueError) || error.kind !== 'refused') return undefined;
  return error.isUnauthorized || KEY_REFUSED.test(error.message) ? error : undefined;
}

function venueReport(url: string | undefined, error: VenueError | HttpFailure): ErrorReport {
  const where = url === undefined ? 'the venue' : `the venue at ${url}`;
  const unreachable =
    error instanceof HttpFailure || error.kind === 'unreachable' || error.kind === 'timeout';
  if (unreachable) {
    return {
      text: `error: ${where} does not answer: ${error.message}\nhint: is the address right, and the venue up? tickwright venue starts a simulated one`,
      exitCode: EXIT.venueUnreachable,
    };
  }
  if (keyRefusalOf(error) !== undefined) {
    return {
      text: `error: ${where} refuses the key: ${error.message}\nhint: TICKWRIGHT_VENUE__API_KEY and TICKWRIGHT_VENUE__API_SECRET hold it, or the files that the configuration names`,
      exitCode: EXIT.keyRefused,
    };
  }
  if (error.kind === 'refused' && error.message.includes('unknown path')) {
    return {
      text: `error: ${where}: ${error.message}\nhint: the address must be that of the venue itself, without the path of an endpoint`,
      exitCode: EXIT.usage,
    };
  }
  return { text: `error: ${where}: ${error.message}`, exitCode: EXIT.failure };
}

/** Error codes of a machine that does not permit a file. */
const REFUSALS: ReadonlySet<string> = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** Those of them that another attempt would not change, because somebody must grant a permission. */
const FORBIDDEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * A report of an error of the operating system, which is not a bug of ours and needs no stack; `undefined` for other
 * errors.
 */
function systemReport(error: unknown): ErrorReport | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path, port, syscall } = error as Error & {
    code?: unknown;
    path?: unknown;
    port?: unknown;
    syscall?: unknown;
  };
  if (code === 'EADDRINUSE') {
    return {
      text: `error: port ${String(port)} must be free, received one in use (--port 0 takes any)`,
      exitCode: EXIT.usage,
    };
  }
  // A missing file that is read is `FileMissing`. Here a file was to be created, possibly under a temporary name.
  if (code === 'ENOENT' && syscall === 'open' && typeof path === 'string') {
    return {
      text: `error: the folder ${dirname(path)} must be there, received no such folder`,
      exitCode: EXIT.usage,
    };
  }
  if (code === 'ENOENT' && syscall === 'uv_cwd') {
    return {
      text: 'error: the working directory must be there, received one that was removed (cd to another one)',
      exitCode: EXIT.usage,
    };
  }
  // Missing parents are created first, so this comes from file systems such as /proc, where no folder can be created.
  if (code === 'ENOENT' && syscall === 'mkdir' && typeof path === 'string') {
    return {
      text: `error: ${path} must be a place where a folder can be made, received one where it cannot`,
      exitCode: EXIT.usage,
    };
  }
  if (typeof code !== 'string' || !REFUSALS.has(code)) return undefined;
  if (FORBIDDEN.has(code) && typeof port === 'number') {
    return {
      text: `error: port ${port} must be one that user ${userName()} may listen on, received a refusal (those from 1024 on are free)`,
      exitCode: EXIT.usage,
    };
  }
  if (FORBIDDEN.has(code) && typeof path === 'string') {
    return {
      text: `error: ${path} must be open to user ${userName()}, received a refusal: ${withoutCall(error.message)}`,
      exitCode: EXIT.usage,
    };
  }
  if (code === 'ELOOP' && typeof path === 'string') {
    return {
      text: `error: ${path} must lead to a file or a folder, received symbolic links without an end: ${withoutCall(error.message)}`,
      exitCode: EXIT.usage,
    };
  }
  const what = typeof path === 'string' ? `${path}: ` : '';
  return { text: `error: ${what}${withoutCall(error.message)}`, exitCode: EXIT.failure };
}

/**
 * A message of the system without its call: `EACCES: permission denied, mkdir '/x'` becomes `EACCES: permission
 * denied`.
 */
export function withoutCall(message: string): string {
  return message.replace(/, \w+( '.*)?$/, '');
}

/** Why something was not done, as a part of a sentence. */
export function reasonText(error: unknown): string {
  const report = systemReport(error);
  if (report !== undefined) return report.text.replace(/^error: /, '');
  return error instanceof Error ? error.message : String(error);
}

function bugReport(error: unknown): ErrorReport {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `bug in tickwright, please report it:\n${stack}${causes(error)}`, exitCode: EXIT.bug };
}

function causes(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return '';
  return `\ncaused by ${cause.stack ?? cause.message}${causes(cause)}`;
}
