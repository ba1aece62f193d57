import process from 'node:process';
import { expect, test } from 'vitest';
import { runInForeground } from '../../src/cli/compose/foreground.js';
import { describeError } from '../../src/cli/report-error.js';
import { thisMachine } from '../../src/cli/machine.js';
import { StartAbandoned } from '../../src/runner/start-abandoned.js';

/** Its start waits for the venue until somebody ends it. */
async function endedAtStart(leftOpen: readonly string[]): Promise<unknown> {
  const abandoned: string[] = [];
  const end = runInForeground(thisMachine(), {
    begin: (starting) =>
      new Promise((_, reject) => {
        starting({
          standing: () => undefined,
          abandon(orders) {
            abandoned.push(orders);
            reject(new StartAbandoned('USD_BTC_PERP', leftOpen));
          },
        });
      }),
    greeting: undefined,
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
