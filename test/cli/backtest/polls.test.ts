/** `backtest --poll SESSION`: the poll times of a session that was recorded. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RUNS_FOLDER } from '../../../src/cli/backtest/backtest-run.js';
import { backtest } from '../../../src/cli/commands/backtest.js';
import { verify } from '../../../src/cli/commands/verify.js';
import { CaptureWriter } from '../../../src/storage/capture/capture-writer.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { marketSpecOf } from '../../../src/storage/market-spec.js';
import { BTC } from '../../support/markets.js';
import { files, folder } from '../../storage/support.js';

/** The sample's: 2026-01-05, 06:00 to 09:00. */
const BEGIN = 1_767_592_800_010;
const END = 1_767_603_599_484;

let out: string;
let err: string;
beforeEach(() => {
  out = '';
  err = '';
  const written = (take: (text: string) => void) => (text: unknown, done?: unknown) => {
    take(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(written((text) => void (out += text)));
  vi.spyOn(process.stderr, 'write').mockImplementation(written((text) => void (err += text)));
});
afterEach(() => vi.restoreAllMocks());

async function polledAt(...times: readonly number[]): Promise<string> {
  const path = join(await folder(), 'session.ndjson');
  const header = {
    engine: 'test',
    strategy: { name: 's', file: 's.ts', sha256: 'ab', params: {} },
    market: marketSpecOf(BTC),
    limits: {},
    options: {},
  };
  const writer = await CaptureWriter.open(files, { path, header, timers: systemTimers });
  for (const [at, time] of times.entries()) writer.input(at + 1, { kind: 'mark', time });
  await writer.finish({ inputs: times.length, wantsHash: 'aa', decisionHash: 'bb' });
  return path;
}

const polledBacktest = (poll: string) =>
  backtest(['sma-cross'], {
    data: ['backtest/sample'],
    fill: 'queue',
    seed: 1,
    poll,
    set: { bars: '5s' },
    save: false,
    json: true,
  });

it('that lie in the recording tell the strategy of its trades', async () => {
  const times = Array.from({ length: 10_000 }, (_, at) => BEGIN + at * 1_000);
  expect(await polledBacktest(await polledAt(BEGIN - 1, ...times, END + 1_000_000))).toBe(0);
  expect((JSON.parse(out) as { fills: number }).fills).toBeGreaterThan(0);
});

it('that end long before the recording are told, and that they begin long after it does', async () => {
  const times = Array.from({ length: 600 }, (_, at) => BEGIN + 120_000 + at * 1_000);
  const path = await polledAt(...times);
  expect(await polledBacktest(path)).toBe(0);
  expect(err).toContain(
    `warning: --poll is ${path}, which polled from 2026-01-05T06:02:00.010Z to 2026-01-05T06:11:59.010Z: `,
  );
  err = '';
  expect(await polledBacktest(await polledAt(BEGIN + 60_000, ...times, END - 60_000))).toBe(0);
  expect(err).not.toContain('warning');
});

it('are those of the run when it is verified from elsewhere, though the session has polled on', async () => {
  const [at, other] = [await folder(), await folder()];
  const before = process.cwd();
  const sample = join(before, 'backtest/sample');
  const strategy = join(before, 'strategies/sma-cross.ts');
  const times = Array.from({ length: 5_000 }, (_, index) => BEGIN + index * 1_000);
  try {
    process.chdir(at);
    await rename(await polledAt(...times), 'session.ndjson');
    const options = { data: [sample], fill: 'queue', seed: 1, poll: 'session.ndjson', json: true } as const;
    expect(await backtest([strategy], { ...options, set: { bars: '5s' } })).toBe(0);
    const { runId } = JSON.parse(out) as { runId: string };
    await rename(await polledAt(...times, ...times.map((time) => time + 5_000_000)), 'session.ndjson');
    process.chdir(other);
    out = '';
    expect(await verify(join(at, RUNS_FOLDER, runId), { json: true })).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ runId, identical: true });
  } finally {
    process.chdir(before);
  }
});

it.each([
  ['before it', [BEGIN - 86_400_000, BEGIN - 1]],
  ['after it', [END + 1, END + 1_000]],
  ['around it', [BEGIN - 1, END + 1]],
])('that lie %s are refused with both stretches', async (_, times) => {
  const path = await polledAt(...times);
  const [first, last] = [times[0] as number, times.at(-1) as number].map((time) =>
    new Date(time).toISOString(),
  );
  await expect(polledBacktest(path)).rejects.toThrow(
    `--poll must be a session that polled between ${new Date(BEGIN).toISOString()} and ${new Date(END).toISOString()}, ` +
      `where trades of USD_BTC_PERP are recorded, received ${path}, which polled from ${first} to ${last}`,
  );
});
