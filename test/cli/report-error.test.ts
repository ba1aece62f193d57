import { describe, expect, it, test } from 'vitest';
import {
  describeError,
  PersonNeeded,
  reasonText,
  StoppedAtStart,
  VenueUnavailable,
} from '../../src/cli/report-error.js';
import { InvariantError, StrategyError, TickwrightError, UsageError } from '../../src/model/errors.js';
import { JournalFailed } from '../../src/ports/bot-journal.js';
import { FileInTheWay, FileMissing } from '../../src/ports/files.js';
import { HttpFailure } from '../../src/ports/http.js';
import { VenueError } from '../../src/ports/venue-api.js';
import { Quarantined } from '../../src/runner/quarantined.js';
import { StartAbandoned } from '../../src/runner/start-abandoned.js';
import { JournalHeld } from '../../src/storage/journal/journal-lock.js';
import { JournalDamaged, JournalUnreadable } from '../../src/storage/journal/journal-errors.js';

const URL_ = 'http://127.0.0.1:8085';
const at = (error: VenueError | HttpFailure) => new VenueUnavailable(URL_, error);
const system = (code: string, facts: object = {}) =>
  Object.assign(new Error(`${code}: refused`), { code, ...facts });

describe('an error', () => {
  it.each([
    ['a usage error', new UsageError('X', 'a must be b, received c'), 2, 'error: a must be b, received c'],
    ['a file that is not there', new FileMissing('x.csv'), 2, 'x.csv must be there'],
    [
      'a file where a folder should be',
      new FileInTheWay('/bot/var/daemon.json', '/bot/var'),
      2,
      'error: /bot/var must be a folder, received a file',
    ],
    ['a strategy that throws', new StrategyError('X', 'my.ts:3:5: boom'), 1, 'error: my.ts:3:5: boom'],
    ['what the world does', new TickwrightError('X', 'the disk is slow'), 1, 'error: the disk is slow'],
    [
      'a damaged journal',
      new JournalDamaged({ file: 'j', offset: 7, sequence: 3, reason: 'it must be whole' }),
      65,
      'j, byte 7, record 3: it must be whole',
    ],
    [
      'a journal of a newer version',
      new JournalUnreadable('j:3: record.kind', undefined),
      65,
      'j:3: record.kind',
    ],
    [
      'a journal that another process writes',
      new JournalHeld('/bot/journal', { path: '/bot/journal/lock-1', owner: 'h/b/1/2', isKnown: true }),
      75,
      'received another one: process 1 on h (/bot/journal/lock-1)',
    ],
    ['a journal that failed', new JournalFailed('the journal j has failed'), 1, 'the journal j has failed'],
    ['a port in use', system('EADDRINUSE', { port: 8085 }), 2, 'port 8085 must be free'],
    [
      'a file that is closed',
      system('EACCES', { path: '/x', syscall: 'open' }),
      2,
      'error: /x must be open to user ',
    ],
    [
      'a file system that is read-only',
      system('EROFS', { path: '/x', syscall: 'mkdir' }),
      2,
      'received a refusal: EROFS',
    ],
    [
      'a symbolic link to itself',
      system('ELOOP', { path: '/x', syscall: 'stat' }),
      2,
      'error: /x must lead to a file or a folder, received symbolic links without an end: ELOOP',
    ],
    ['a full disk', system('ENOSPC', { path: '/x' }), 1, '/x: ENOSPC'],
    [
      'a port that takes a right',
      system('EACCES', { port: 80, syscall: 'listen' }),
      2,
      'error: port 80 must be one that user ',
    ],
    [
      'a folder that is not there',
      system('ENOENT', { path: '/x/y/.r.html.1.tmp', syscall: 'open' }),
      2,
      'error: the folder /x/y must be there',
    ],
    [
      'a working directory that is gone',
      system('ENOENT', { syscall: 'uv_cwd' }),
      2,
      'error: the working directory must be there',
    ],
    [
      'a place that takes no folders',
      system('ENOENT', { path: '/proc/x', syscall: 'mkdir' }),
      2,
      'error: /proc/x must be a place where a folder can be made',
    ],
    ['a venue that is not there', at(new VenueError('unreachable', 'no connection')), 69, URL_],
    ['a venue that is slow', at(new VenueError('timeout', 'no answer')), 69, 'does not answer'],
    ['a lost connection', at(new HttpFailure('reset', true, 'reset')), 69, 'does not answer'],
    ['an unknown key', at(new VenueError('refused', 'unknown key: x')), 77, 'refuses the key'],
    [
      'an address of something else',
      at(new VenueError('refused', 'GET /x: unknown path: /x')),
      2,
      'hint: the addr',
    ],
    ['another refusal', at(new VenueError('refused', 'unknown pair: X')), 1, 'unknown pair: X'],
    ['a broken invariant', new InvariantError('two is one'), 70, 'two is one'],
    ['a bug', new TypeError('x is not a function'), 70, 'please report it'],
    ['something thrown that is no error', 'oops', 70, 'oops'],
  ])('of kind %s ends with its code and says what matters', (_, error, exitCode, said) => {
    const report = describeError(error);
    expect(report.exitCode).toBe(exitCode);
    expect(report.text).toContain(said);
  });

  it('shows a stack for bugs only', () => {
    expect(describeError(new TypeError('x')).text).toMatch(/\n\s+at /);
    expect(describeError(new UsageError('X', 'x')).text).not.toMatch(/\n\s+at /);
    const cause = new TypeError('the root');
    expect(describeError(new InvariantError('x', { cause })).text).toContain('caused by TypeError: the root');
  });
});

test('a start that was ended says which stops it canceled though the position is left', () => {
  const ended = (canceledStops: readonly string[]) =>
    describeError(
      new StoppedAtStart(new StartAbandoned('USD_BTC_PERP', { leftOpen: [], canceledStops }), 'SIGINT'),
    );
  expect(ended([])).toEqual({
    text: 'error: USD_BTC_PERP was stopped before its session began',
    exitCode: 130,
  });
  expect(ended(['18']).text).toBe(
    'error: USD_BTC_PERP was stopped before its session began; the position is left WITHOUT ITS STOP, which was canceled (18): nothing guards it',
  );
});

test('a quarantine at the start asks for a person, and with orders left open first for a look at the venue', () => {
  const at = (leftOpen: readonly string[]) =>
    describeError(
      new PersonNeeded(new Quarantined('USD_BTC_PERP', 'fill 7 is of nobody', { leftOpen }), 'look'),
    );
  expect(at([])).toEqual({
    text: 'error: USD_BTC_PERP needs an operator: fill 7 is of nobody\nhint: look',
    exitCode: 3,
  });
  const stop = { orderId: '18', side: 'sell', quantity: '0.02', triggerPrice: '59000.0' } as const;
  const kept = new Quarantined('USD_BTC_PERP', 'fill 7 is of nobody', { leftOpen: [], keptStops: [stop] });
  expect(describeError(new PersonNeeded(kept, 'look'))).toEqual({
    text: 'error: USD_BTC_PERP needs an operator: fill 7 is of nobody; kept at the venue: stop 18 (sell 0.02 at 59000.0)\nhint: look',
    exitCode: 3,
  });
  expect(at(['17'])).toEqual({
    text: 'error: USD_BTC_PERP needs an operator: fill 7 is of nobody; orders that may still be at the venue: 17\nhint: look',
    exitCode: 5,
  });
});

test('what the system refuses is a reason in plain words, without the call and its path', () => {
  const message = "EACCES: permission denied, mkdir '/x/backtest'";
  const error = Object.assign(new Error(message), { code: 'EACCES', syscall: 'mkdir', path: '/x/backtest' });
  expect(reasonText(error)).toMatch(
    /^\/x\/backtest must be open to user \S+, received a refusal: EACCES: permission denied$/,
  );
  expect(reasonText(new Error('no, thank you'))).toBe('no, thank you');
});
