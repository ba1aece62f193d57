import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Failure, reportFailure, sameVenue } from '../../../src/cli/order/write-report.js';

let out: string[];
let err: string[];
beforeEach(() => {
  out = [];
  err = [];
  for (const [stream, into] of [
    [process.stdout, out],
    [process.stderr, err],
  ] as const) {
    vi.spyOn(stream, 'write').mockImplementation((text, done?: unknown) => {
      into.push(String(text));
      if (typeof done === 'function') done();
      return true;
    });
  }
});
afterEach(() => vi.restoreAllMocks());

const report = (failure: Failure, json?: true) =>
  reportFailure(failure, { json, what: 'the order', lookAt: ['orders --state all'] });

describe('what failed', () => {
  it.each([
    [
      { kind: 'unsendable', reason: 'tick: x' },
      1,
      'not-sent',
      'error: the order was refused before it was sent: tick: x\n',
    ],
    [{ kind: 'not-sent', reason: 'no room' }, 1, 'not-sent', 'error: the order was not sent: no room\n'],
    [
      { kind: 'refused', reason: 'insufficient balance' },
      1,
      'refused',
      'error: the venue refused the order: insufficient balance\n',
    ],
    [
      { kind: 'refused', reason: 'bad signature' },
      77,
      'refused',
      'error: the venue refused the order: bad signature\n',
    ],
  ] as const)('%j ends with %d and is %s', async (failure, code, outcome, said) => {
    expect(await report(failure, true)).toBe(code);
    expect(JSON.parse(out.join(''))).toEqual({ schemaVersion: 1, outcome, reason: failure.reason });
    expect(err.join('')).toBe(said);
  });

  it('in doubt says what to look at before anybody tries again, and prints no document unless asked to', async () => {
    expect(await report({ kind: 'in-doubt', reason: 'the connection was reset\u001B[2J' })).toBe(1);
    expect(out).toEqual([]);
    expect(err.join('')).toBe(
      'error: the order is in doubt: the connection was reset\uFFFD[2J\n' +
        'The venue may have done it. Do not send it again before you have looked:\n' +
        '  tickwright orders --state all\n',
    );
  });
});

it('command lines that we suggest lead to the same venue', () => {
  expect(sameVenue({})).toBe('');
  const flags = {
    venue: 'http://127.0.0.1:1',
    profile: 'cautious',
    config: 'a.yaml',
    allowEnvKey: true,
  } as const;
  expect(sameVenue(flags)).toBe(
    ' --venue http://127.0.0.1:1 --profile cautious --config a.yaml --allow-env-key',
  );
});
