import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { run } from '../../../src/cli/commands/run.js';
import { start } from '../../../src/cli/commands/start.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { systemProcesses } from '../../../src/platform/processes.js';
import { lockJournal } from '../../../src/storage/journal/journal-lock.js';
import { folder } from '../../storage/support.js';

let err: string;
beforeEach(() => {
  err = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text: unknown, done?: unknown) => {
    err += String(text);
    if (typeof done === 'function') done();
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

it.each([
  'my-cross.ts',
  'my-cross.ts/var',
])('a state that can be no folder (%s) is a configuration that no daemon can run', async (state) => {
  const directory = await folder();
  await writeFile(join(directory, 'my-cross.ts'), '');
  const config = join(directory, 'bot.yaml');
  await writeFile(
    config,
    `version: 1\nstate: ${state}\nstrategies:\n  - { file: my-cross.ts, pair: USD_BTC_PERP }\n`,
  );
  for (const detach of [undefined, true] as const) {
    expect(await start({ config, detach })).toBe(78);
    expect(err).toMatch(
      new RegExp(
        `^error: .*bot\\.yaml:2:8 state: must be a folder, or a place for one, received ${join(directory, 'my-cross.ts')}, which is a file\n`,
      ),
    );
    err = '';
  }
});

it('a second daemon on one state is told which process has it, and how to look at it', async () => {
  const directory = await folder();
  const config = join(directory, 'bot.yaml');
  await writeFile(join(directory, 'my-cross.ts'), '');
  await writeFile(
    config,
    'version: 1\nstate: var\nstrategies:\n  - { file: my-cross.ts, pair: USD_BTC_PERP }\n',
  );
  const state = join(directory, 'var');
  const lock = await lockJournal(nodeFiles, systemProcesses, join(state, 'lock'));
  try {
    for (const detach of [undefined, true] as const) {
      expect(await start({ config, detach })).toBe(75);
      expect(err).toBe(
        `error: ${state} must have one daemon, received a second one: process ${process.pid} runs there already ` +
          `(tickwright status --config ${config} shows it)\n`,
      );
      err = '';
    }
  } finally {
    await lock.release();
  }
});

it('a second daemon is refused too where the first one, on a full disk, has no lock and only answers', async () => {
  const directory = await folder();
  const config = join(directory, 'bot.yaml');
  const state = join(directory, 'var');
  await writeFile(join(directory, 'my-cross.ts'), '');
  await writeFile(
    config,
    'version: 1\nstate: var\nstrategies:\n  - { file: my-cross.ts, pair: USD_BTC_PERP }\n',
  );
  await mkdir(state);
  const said = JSON.stringify({ process: systemProcesses.self });
  const server = createServer((_, answer) => void answer.end(said));
  await new Promise<void>((resolve) => void server.listen(join(state, 'control.sock'), resolve));
  try {
    expect(await start({ config })).toBe(75);
    expect(err).toContain(`process ${process.pid} runs there already`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it('a file that says live, without --live, starts on paper only after a warning that says so', async () => {
  const directory = await folder();
  const config = join(directory, 'bot.yaml');
  await writeFile(join(directory, 'my-cross.ts'), '');
  const lines = [
    'version: 1',
    'mode: live',
    'venue: { url: http://127.0.0.1:1 }',
    'state: var',
    'strategies: [{ file: my-cross.ts, pair: USD_BTC_PERP }]',
    'limits: { maxPosition: "0.5", maxOrderQuantity: "0.2", maxGrossNotional: "50000", maxOpenOrders: 20,',
    '  maxOrdersPerMinute: 600, maxDailyLoss: "2000", priceCollar: "0.02" }',
  ];
  await writeFile(config, lines.join('\n'));
  expect(await start({ config })).toBe(78);
  expect(err).toContain(
    `warning: ${config} says mode: live, and --live is missing: this daemon trades on paper\n`,
  );
});

it('run --live on a real venue names the command that trades there', async () => {
  await expect(run('sma-cross', { seed: 1, live: true, venue: 'https://example.com' })).rejects.toThrow(
    'tickwright start --config FILE --live',
  );
});
