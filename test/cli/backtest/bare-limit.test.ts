/** `limits.maxBareTime` in a backtest of the command line, on prints two seconds apart. */
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { EXIT } from '../../../src/cli/exit-code.js';
import { folder } from '../../storage/support.js';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.js';
import { EVERY, recordLevel } from './level-recording.js';

const ROWS = 200;

const before = process.cwd();
let printed: CapturedOutput;
beforeEach(async () => {
  process.chdir(await folder());
  printed = captureOutput();
  await recordLevel(ROWS);
});
afterEach(() => process.chdir(before));

interface Protection {
  readonly heldMs: number;
  readonly bareMs: number;
  readonly longestBareMs: number;
  readonly limitHits?: number;
}

async function run(
  want: string,
  limits: string,
  failIf?: string,
): Promise<{
  readonly code: number;
  readonly result: {
    readonly protection?: Protection;
    readonly finalPosition: string;
    readonly roundTrips: number;
    readonly decisionHash: string;
  };
}> {
  printed.clear();
  await writeFile(
    'held.ts',
    `import { defineStrategy, holdPosition } from 'tickwright';
export default defineStrategy({ name: 'held', create: (_, context) => ({ onTrade: () => ${want} }) });\n`,
  );
  await writeFile('bot.yaml', `version: 1\nlimits: { ${limits} }\n`);
  const code = await backtest(['held.ts'], {
    data: ['data'],
    config: 'bot.yaml',
    fill: 'queue',
    seed: 1,
    json: true,
    save: false,
    ...(failIf === undefined ? {} : { failIf }),
  });
  return { code, result: JSON.parse(printed.out) as never };
}

it('closes a position that never gets a stop, and counts it', async () => {
  const { code, result } = await run("holdPosition('0.01')", 'maxBareTime: 30s', 'protection.limitHits > 0');
  // 30 s after its fill, at the print after that and the way to the venue; the same quantity is not bought again.
  expect(result).toMatchObject({ finalPosition: '0', roundTrips: 1, protection: { limitHits: 1 } });
  const { heldMs, bareMs, longestBareMs } = result.protection as Protection;
  expect([bareMs, longestBareMs]).toEqual([heldMs, heldMs]);
  expect(heldMs).toBeGreaterThanOrEqual(30_000);
  expect(heldMs).toBeLessThanOrEqual(30_000 + 2 * EVERY);
  expect(code).toBe(EXIT.checkFailed);
});

it('closes each time a strategy that comes back with another quantity', async () => {
  const other = 'context.stoppedOut ? holdPosition(context.position === 0 ? 0.02 : 0) : holdPosition(0.01)';
  const { result } = await run(other, 'maxBareTime: 30s');
  expect(result.protection?.limitHits).toBeGreaterThan(3);
  expect(result.protection?.longestBareMs).toBeLessThanOrEqual(30_000 + 2 * EVERY);
});

it('lets a position be whose stop is there in time, and says that it never acted', async () => {
  const { code, result } = await run(
    "holdPosition('0.01', { stop: 59000 })",
    'maxBareTime: 30s',
    'protection.limitHits > 0',
  );
  expect(result).toMatchObject({ finalPosition: '0.01', protection: { limitHits: 0 } });
  expect(result.protection?.longestBareMs).toBeLessThan(EVERY);
  expect(code).toBe(EXIT.ok);
});

it('decides nothing else where it never acts', async () => {
  const stopped = "holdPosition('0.01', { stop: 59000 })";
  const limited = await run(stopped, 'maxBareTime: 30s');
  const free = await run(stopped, 'rejectPause: 60s');
  expect(free.result.decisionHash).toBe(limited.result.decisionHash);
  expect(free.result.protection).not.toHaveProperty('limitHits');
  const bare = await run("holdPosition('0.01')", 'rejectPause: 60s');
  expect(bare.result).not.toHaveProperty('protection');
});
