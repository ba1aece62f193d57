import process from 'node:process';
import { afterEach, expect, test, vi } from 'vitest';
import { runInForeground } from '../../../src/cli/session/foreground.js';
import { describeError } from '../../../src/cli/report-error.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { StartAbandoned } from '../../../src/runner/start-abandoned.js';

afterEach(() => vi.restoreAllMocks());

/** Its start waits for the venue until somebody ends it. */
async function endedAtStart(leftOpen: readonly string[]): Promise<unknown> {
  const abandoned: string[] = [];
  const end = runInForeground(thisMachine(), {
    begin: (starting) =>
      new Promise((_, reject) => {
        starting({
          standing: () => undefined,
          leftStops: () => undefined,
          openOrders: () => [],
          abandon(orders) {
            abandoned.push(orders);
            reject(new StartAbandoned('USD_BTC_PERP', { leftOpen }));
          },
        });
      }),
    greeting: undefined,
    explain: (error) => error,
    title: 'a session',
    forMs: undefined,
  }).catch((error: unknown) => error);
  process.emit('SIGTERM');
  const error = await end;
  expect(abandoned).toEqual(['cancel']);
  return error;
}

test('a signal ends a session that has not begun yet, and what may be left is named', async () => {
  expect(describeError(await endedAtStart([]))).toEqual({
    text: 'error: USD_BTC_PERP was stopped before its session began',
    exitCode: 143,
  });
  expect(describeError(await endedAtStart(['17']))).toEqual({
    text: 'error: USD_BTC_PERP was stopped before its session began; orders that may still be at the venue: 17',
    exitCode: 5,
  });
});

/** What is said of a start that cancels what an earlier life left, at a second signal. */
async function stoppedAtOnce(known: readonly string[] | undefined): Promise<string> {
  let said = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text, done?: unknown) => {
    said += String(text);
    if (typeof done === 'function') done();
    return true;
  });
  const left = new Promise<number | string | null | undefined>((resolve) => {
    vi.spyOn(process, 'exit').mockImplementation((code) => resolve(code) as never);
  });
  let fail: (error: Error) => void = () => undefined;
  const end = runInForeground(thisMachine(), {
    begin: (starting) =>
      new Promise((_, reject) => {
        fail = reject;
        starting({
          standing: () => undefined,
          leftStops: () => undefined,
          openOrders: () => known,
          abandon: () => undefined,
        });
      }),
    greeting: undefined,
    explain: (error) => error,
    title: 'a session',
    forMs: undefined,
  }).catch((error: unknown) => error);
  process.emit('SIGINT');
  process.emit('SIGINT');
  expect(await left).toBe(130);
  fail(new Error('over'));
  await end;
  write.mockRestore();
  return said;
}

test('a second signal during a start names the orders that are left, or says that it is not known', async () => {
  expect(await stoppedAtOnce(['17', '18'])).toContain(
    'stopped at once: orders that may still be at the venue: 17, 18\n',
  );
  for (const known of [[], undefined]) {
    expect(await stoppedAtOnce(known)).toContain(
      'stopped at once: whether orders of an earlier session are still at the venue is not known\n',
    );
  }
});
